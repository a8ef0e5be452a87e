#include "image/histogram.hpp"

#include <algorithm>
#include <utility>

#include "gxr/kernels/histogram.hpp"
#include "gxr/verify.hpp"
#include "image/capturable_operator.hpp"
#include "image/device_kernels.hpp"
#include "image/limits.hpp"
#include "image/message_parts.hpp"
#include "image/picture_memory.hpp"
#include "image/picture_parameters.hpp"

namespace gxr::image {
namespace {

Shape counts_shape(const InputImage& input) {
  return {static_cast<std::int32_t>(input.shape.channels),
          static_cast<std::int32_t>(kernels::kHistogramBins)};
}

}  // namespace

void Histogram::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  interface.output(out_, "out", "Transmitter of the counts: a tensor of channels x 256 uint32")
      .elements({ElementType::UInt32})
      .other_parts()
      .optional();
  sends_pictures(
      interface.output(picture_, "picture", "Transmitter of the counts as an RGB picture")
          .elements({ElementType::UInt8})
          .rank(3)
          .optional());
  interface.parameter(pool_, "pool", "Allocator of the results' memory");
  declare_in_tensor_name(interface, in_tensor_name_);
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the results")
      .default_value("histogram");
  interface.parameter(picture_width_, "picture_width", "Width of the picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(512);
  interface.parameter(picture_height_, "picture_height", "Height of the picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(256);
  out_part_.declare(interface);
  placement_.declare(interface, kDeviceOfInput);
}

void Histogram::initialize() {
  placement_.initialize(*this);
  require_output();
}

void Histogram::start() {
  if (context().graph_device(*this)) {
    static_cast<void>(device_kernels());  // not while capture() is called
  }
}

void Histogram::require_output() const {
  if (!out_ && !picture_) {
    throw Error(ErrorCode::InvalidParameter,
                "neither 'out' nor 'picture' is set: nothing to do; in the short form, let an "
                "entity read " +
                    entity_name() + "/out or " + entity_name() + "/picture");
  }
}

void Histogram::stop() { placement_.release(); }

Histogram::Results Histogram::compute_on_host(const InputImage& input, Allocator* pool) {
  Results results;
  counts_.resize(static_cast<std::size_t>(input.shape.channels * kernels::kHistogramBins));
  visit_image(input, [&](auto image) { kernels::compute_histogram(image, counts_.data()); });
  if (out_) {
    allocate_on_host(results.counts, pool, counts_shape(input), ElementType::UInt32);
    std::copy(counts_.begin(), counts_.end(), results.counts.data<std::uint32_t>());
  }
  if (picture_) {
    allocate_image(results.picture, pool, nullptr, picture_shape(), ElementType::UInt8);
    kernels::draw_histogram(counts_.data(), input.shape.channels,
                            view_as<std::uint8_t>(results.picture, picture_shape()));
  }
  return results;
}

void Histogram::launch(const InputImage& input, std::uint32_t* counts, Tensor* picture,
                       const DeviceKernels& kernels, kernels::Stream stream) const {
  visit_image(input, [&](auto image) {
    kernels.of<ElementOf<decltype(image)>>().compute_histogram(image, counts, stream);
  });
  if (picture != nullptr) {
    kernels.draw_histogram(counts, input.shape.channels,
                           view_as<std::uint8_t>(*picture, picture_shape()), stream);
  }
}

Histogram::Results Histogram::compute_on_device(const InputImage& input, Allocator* pool,
                                                const GpuTick& gpu) const {
  Results results;
  Allocator* const pool_of_counts = out_ ? pool : nullptr;
  allocate_on_device(results.counts, pool_of_counts, counts_shape(input), ElementType::UInt32,
                     gpu.device());
  if (picture_) {
    allocate_image(results.picture, pool, &gpu, picture_shape(), ElementType::UInt8);
  }
  launch(input, results.counts.data<std::uint32_t>(), picture_ ? &results.picture : nullptr,
         gpu.kernels(), gpu.stream());
  gpu.check();
  return results;
}

Histogram::Results Histogram::compute(const Reception& reception, const GpuTick* gpu,
                                      Allocator* pool) {
  Tensor copy;
  const InputImage input = reachable(reception.image(), gpu, copy);
  return gpu == nullptr ? compute_on_host(input, pool) : compute_on_device(input, pool, *gpu);
}

void Histogram::verify(const Reception& reception, const Results& results) {
  const auto compare = [&](const Results& cpu, const Results& gpu, const DeviceWork& work) {
    if (out_) {
      verify_result(*this, out_tensor_name_.get(), {cpu.counts, gpu.counts, work});
    }
    if (picture_) {
      verify_result(*this, out_tensor_name_.get(), {cpu.picture, gpu.picture, work});
    }
  };
  if (const GpuTick* gpu = reception.gpu(); gpu != nullptr) {
    reception.message().wait_for_device();
    compare(compute(reception, nullptr, nullptr), results, gpu->work());
  } else {
    const GpuTick gpu_tick(placement_);
    gpu_tick.use(reception.message());
    const Results other = compute(reception, &gpu_tick, nullptr);
    compare(results, other, gpu_tick.work());
  }
}

void Histogram::publish(const Reception& reception, Message output, Transmitter& out) {
  pass_on(reception.message(), reception.image(), Geometry::Changed, output);
  out.publish(std::move(output));
}

void Histogram::tick() {
  const Reception reception(placement_, in_, in_tensor_name_.get());
  Results results = compute(reception, reception.gpu(), pool_.get().get());
  if (context().verify()) {
    verify(reception, results);
  }
  if (out_) {
    Message output = context().new_message();
    output.add<Tensor>(out_tensor_name_.get(), std::move(results.counts));
    publish(reception, std::move(output), out_);
  }
  if (picture_) {
    Message output = context().new_message();
    out_part_.add(output, out_tensor_name_.get(), std::move(results.picture));
    publish(reception, std::move(output), picture_);
  }
}

void Histogram::infer(ShapeContext& context) {
  const TensorSpec& spec = context.input(in_);
  try {
    require_output();
    if (picture_) {
      out_part_.require_tensor();
    }
    const InputImage input = expect_image(spec, in_tensor_name_.get(), "in");
    const TensorSpec counts{counts_shape(input), ElementType::UInt32, 0, out_tensor_name_.get()};
    if (out_) {
      context.set_output(out_, counts);
    } else {
      context.set_scratch(counts.bytes());
    }
    if (picture_) {
      context.set_output(
          picture_, {tensor_shape(picture_shape()), ElementType::UInt8, 0, out_tensor_name_.get()});
    }
  } catch (const Error& error) {
    throw_refused(error);
  }
}

void Histogram::capture(CaptureContext& context) {
  void* const counts = out_ ? context.output(out_).pointer() : context.scratch();
  Tensor* const picture = picture_ ? &context.output(picture_) : nullptr;
  const Receiver& in = in_;
  const InputImage input =
      expect_image(context.input_spec(in), in_tensor_name_.get(), "in", &context.input(in));
  launch(input, static_cast<std::uint32_t*>(counts), picture, device_kernels(), context.stream());
}

}  // namespace gxr::image
