#include "arithmetic/sensor.hpp"

#include <algorithm>
#include <utility>

#include "arithmetic/device_kernels.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::arithmetic {

Sensor::~Sensor() { release(); }

void Sensor::declare(Interface& interface) {
  interface.output(out_, "out", "Tensors of int32, shape [size]").elements({ElementType::Int32});
  interface.parameter(pool_, "pool", "Allocator of their memory outside of a CUDA graph");
  interface.parameter(size_, "size", "Elements of a tensor").default_value(512).minimum(1);
  interface.parameter(period_, "period", "Time from one tensor to the next")
      .default_value(Duration{100'000});
}

void Sensor::start() {
  due_ = execution_timestamp();
  number_ = 0;
  if (const auto device = context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
    DeviceRuntime& runtime = DeviceRuntime::get();
    due_on_device_ =
        runtime.allocate(sizeof(std::uint64_t), MemoryStorageType::Device, *device, {});
    if (due_on_device_ == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "no device memory is left for the time of a tensor");
    }
    const std::uint64_t at_once = 0;
    const LeasedStream stream({.device = *device});
    runtime.copy(due_on_device_, &at_once, sizeof at_once, stream.get());
    stream.finish();
  }
}

void Sensor::tick() {
  if (execution_timestamp() < due_) {
    return;
  }
  due_ += period_.get().nanoseconds;
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<std::int32_t>(**pool_, {*size_});
  std::fill_n(tensor.data<std::int32_t>(), *size_, ++number_);
  message.set_sequence(static_cast<std::uint64_t>(number_));
  message.set_source_time(execution_timestamp());
  out_.publish(std::move(message), execution_timestamp());
}

void Sensor::infer(ShapeContext& context) {
  context.set_output(out_, {{*size_}, ElementType::Int32, 0, {}});
}

void Sensor::capture(CaptureContext& context) {
  const Doorbell bell = context.doorbell();
  const std::uint64_t* const iteration = bell.rung == nullptr ? context.iteration() : nullptr;
  Tensor& out = context.output(out_);
  device_kernels().look(out.data<std::int32_t>(), static_cast<std::int64_t>(out.element_count()),
                        bell, iteration, static_cast<std::uint64_t*>(due_on_device_),
                        static_cast<std::uint64_t>(period_.get().nanoseconds), context.stream());
}

void Sensor::stop() { release(); }

void Sensor::release() noexcept {
  if (due_on_device_ != nullptr) {
    DeviceRuntime::get().free(std::exchange(due_on_device_, nullptr), MemoryStorageType::Device);
  }
}

}  // namespace gxr::arithmetic
