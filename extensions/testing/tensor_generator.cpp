#include "tensor_generator.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gxr::testing {
namespace {

/// ns since 1970.
std::int64_t wall_clock_time() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

}  // namespace

void TensorGenerator::declare(Interface& interface) {
  interface.output(output_, "output", "A message with tensors per tick");
  interface.parameter(allocator_, "allocator", "Gives the tensors their memory");
  interface.parameter(shape_, "shape", "Shape of each tensor, 8 dimensions at most").minimum(0);
  interface
      .parameter(storage_type_, "storage_type", "Where the memory lives",
                 "0 and 1 need a GPU; with --compat gxf the allocator gives system "
                 "memory instead.")
      .default_value(static_cast<std::int32_t>(MemoryStorageType::Host))
      .choices({{"0", "host: page-locked, reachable by the GPU"},
                {"1", "device: on the GPU"},
                {"2", "system: the heap"}});
  interface
      .parameter(enable_timestamps_, "enable_timestamps",
                 "Whether a timestamp follows the tensors",
                 "Its times are those of the wall clock before and after the tensors were filled.")
      .default_value(true);
  interface.parameter(tensor_name_, "tensor_name", "Name of the tensors in the message")
      .default_value("tensor");
  interface.parameter(timestamp_name_, "timestamp_name", "Name of the timestamp in the message")
      .default_value("timestamp");
  interface.parameter(number_of_tensors_, "number_of_tensors", "Tensors in each message")
      .default_value(1)
      .minimum(0)
      .unit("tensors");
  streams_.declare(interface);
}

void TensorGenerator::start() { random_.seed(std::mt19937::default_seed); }

/// From 0 to less than 1; a distribution of the standard library may differ between libraries.
float TensorGenerator::next_value() {
  constexpr std::uint32_t kDroppedBits = 8;  // a float has 24 bits of precision
  return static_cast<float>(random_() >> kDroppedBits) * 0x1p-24F;
}

void TensorGenerator::stop() { streams_.release(); }

void TensorGenerator::tick() {
  const auto storage = static_cast<MemoryStorageType>(*storage_type_);
  if (allocator_->real_storage(storage) != MemoryStorageType::Device) {
    publish_tensors();
    return;
  }
  if (!streams_.is_initialized()) {
    streams_.initialize(*this);
  }
  const cuda::Streams::Tick tick(streams_);
  static_cast<void>(streams_.stream());
  publish_tensors();
}

void TensorGenerator::publish_tensors() {
  Message message = context().new_message();
  const std::int64_t begin = wall_clock_time();
  add_tensors(message);
  if (*enable_timestamps_) {
    auto& timestamp = message.add<Timestamp>(*timestamp_name_);
    timestamp.acqtime = begin;
    timestamp.pubtime = wall_clock_time();
  }
  output_.publish(std::move(message));
}

void TensorGenerator::add_tensors(Message& message) {
  const Shape shape(shape_->data(), shape_->size());
  const auto storage = static_cast<MemoryStorageType>(*storage_type_);
  for (std::int32_t i = 0; i < *number_of_tensors_; ++i) {
    auto& tensor = message.add<Tensor>(*tensor_name_);
    tensor.allocate<float>(*allocator_.get(), shape, storage);
    fill(tensor);
  }
}

void TensorGenerator::fill(Tensor& tensor) {
  std::vector<float> values;
  auto* to = tensor.data<float>();
  if (tensor.storage_type() == MemoryStorageType::Device) {
    values.resize(tensor.element_count());
    to = values.data();
  }
  std::generate_n(to, tensor.element_count(), [&] { return next_value(); });
  if (!values.empty()) {
    streams_.copy(tensor.pointer(), values.data(), tensor.size());
  }
}

}  // namespace gxr::testing
