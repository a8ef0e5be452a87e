#include "image/npp.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "gxr/kernels/scale.hpp"
#include "gxr/verify.hpp"
#include "image/limits.hpp"
#include "image/picture_parameters.hpp"

namespace gxr::image {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

std::vector<float> to_floats(const std::vector<double>& numbers) {
  std::vector<float> floats;
  floats.reserve(numbers.size());
  for (const double number : numbers) {
    floats.push_back(static_cast<float>(number));
  }
  return floats;
}

std::string channels_text(std::int64_t channels) {
  return std::to_string(channels) + (channels == 1 ? " channel" : " channels");
}

}  // namespace

void NppiSet::declare(Interface& interface) {
  interface.output(out_, "out", "Transmitter of messages with one picture each")
      .elements({ElementType::Float32})
      .rank(3);
  interface.parameter(rows_, "rows", "Height of the pictures").range(1, kMaxSide).unit("pixels");
  interface.parameter(columns_, "columns", "Width of the pictures")
      .range(1, kMaxSide)
      .unit("pixels");
  interface.parameter(channels_, "channels", "Numbers of each pixel").range(1, 4);
  interface.parameter(pool_, "pool", "Allocator of the pictures' memory")
      .description("One block per message in flight; every message takes a fresh one.");
  interface.parameter(value_, "value", "The colour, a number for each channel")
      .range(-kLargest, kLargest);
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the tensor in the messages")
      .default_value("");
  placement_.declare(interface,
                     "auto: where the memory of 'pool' is: the GPU for a pool of device memory.");
}

std::vector<float> NppiSet::color() const {
  const std::size_t numbers = value_.get().size();
  if (numbers != static_cast<std::size_t>(channels_.get())) {
    throw Error(ErrorCode::InvalidParameter,
                "'value' has " + std::to_string(numbers) + (numbers == 1 ? " number" : " numbers") +
                    " for " + channels_text(channels_.get()) + ": it needs one for each");
  }
  if (std::int64_t{rows_.get()} * columns_.get() > kMaxPixels) {
    throw Error(ErrorCode::OutOfRange,
                "rows x columns is above " + std::to_string(kMaxPixels) + " pixels");
  }
  return to_floats(value_.get());
}

void NppiSet::initialize() {
  placement_.initialize(*this);
  static_cast<void>(color());
}

void NppiSet::start() {
  if (context().graph_device(*this)) {
    static_cast<void>(device_kernels());  // not while capture() is called
  }
}

void NppiSet::stop() { placement_.release(); }

void NppiSet::fill(Tensor& tensor, const GpuTick* gpu, Allocator* pool) const {
  allocate_image(tensor, pool, gpu, shape(), ElementType::Float32);
  const auto picture = view_as<float>(tensor, shape());
  if (gpu == nullptr) {
    return kernels::fill_channels(picture, color().data());
  }
  gpu->kernels<float>().fill_channels(picture, color().data(), gpu->stream());
  gpu->check();
}

void NppiSet::verify(const Tensor& tensor, const GpuTick* gpu) {
  Tensor other;
  if (gpu != nullptr) {
    fill(other, nullptr, nullptr);
    verify_result(*this, out_tensor_name_.get(), {other, tensor, gpu->work()});
  } else {
    const GpuTick gpu_tick(placement_);
    fill(other, &gpu_tick, nullptr);
    verify_result(*this, out_tensor_name_.get(), {tensor, other, gpu_tick.work()});
  }
}

void NppiSet::tick() {
  Allocator* const pool = pool_.get().get();
  std::optional<GpuTick> gpu;
  if (placement_.is_on_gpu(pool->real_storage(MemoryStorageType::System))) {
    gpu.emplace(placement_);
  }
  Message message = context().new_message();
  Tensor& tensor = message.add<Tensor>(out_tensor_name_.get());
  fill(tensor, gpu ? &*gpu : nullptr, pool);
  if (context().verify()) {
    verify(tensor, gpu ? &*gpu : nullptr);
  }
  out_.publish(std::move(message));
}

void NppiSet::infer(ShapeContext& context) {
  try {
    static_cast<void>(color());
  } catch (const Error& error) {
    throw_refused(error);
  }
  context.set_output(out_,
                     {tensor_shape(shape()), ElementType::Float32, 0, out_tensor_name_.get()});
}

void NppiSet::capture(CaptureContext& context) {
  device_kernels().of<float>().fill_channels(view_as<float>(context.output(out_), shape()),
                                             color().data(), context.stream());
}

void NppiMulC::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(factor_, "factor", "A factor for each channel")
      .description("Integers are rounded and clipped to their range.")
      .range(-kLargest, kLargest);
}

std::vector<float> NppiMulC::factors() const { return to_floats(factor_.get()); }

ImageShape NppiMulC::result_shape(const InputImage& input) const {
  if (const auto count = std::ssize(factor_.get()); count != input.shape.channels) {
    throw_wrong_image(input,
                      "a picture of " + channels_text(count) + ", as many as 'factor' has numbers");
  }
  return input.shape;
}

void NppiMulC::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::scale_channels<T>(in, work.result_view<T>(), factors().data());
  });
}

void NppiMulC::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    place.kernels.of<T>().scale_channels(in, work.result_view<T>(), factors().data(), place.stream);
  });
}

}  // namespace gxr::image
