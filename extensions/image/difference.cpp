#include "image/difference.hpp"

#include <utility>

#include "gxr/kernels/subtract.hpp"
#include "gxr/verify.hpp"
#include "image/capturable_operator.hpp"
#include "image/message_parts.hpp"
#include "image/picture_parameters.hpp"

namespace gxr::image {

void Difference::declare(Interface& interface) {
  takes_pictures(interface.input(a_, "a", "Receiver of messages with a picture"));
  takes_pictures(
      interface.input(b_, "b", "Receiver of messages with another one, of the same size and type"));
  sends_pictures(interface.output(out_, "out", "Transmitter of messages with the difference"));
  declare_pool(interface, pool_);
  declare_out_tensor_name(interface, out_tensor_name_,
                          "Empty: the name of what was read from 'a'.");
  out_part_.declare(interface);
  placement_.declare(
      interface,
      "auto: where the picture of 'a' is. gpu: inputs in other memory are copied to the GPU first. "
      "cpu: inputs in device memory are copied to the host first, which waits for them.");
}

void Difference::initialize() { placement_.initialize(*this); }

void Difference::start() {
  if (context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
  }
}

void Difference::stop() { placement_.release(); }

std::string Difference::result_name(const InputImage& a) const {
  return out_tensor_name_.get().empty() ? std::string(a.name) : out_tensor_name_.get();
}

void Difference::require_equal_forms(const Pair& pair) {
  if (pair.a.shape != pair.b.shape || pair.a.type() != pair.b.type()) {
    throw_wrong_image(pair.b,
                      "a picture like that of 'a', " + describe(pair.a.shape, pair.a.type()));
  }
}

void Difference::compute(const Pair& pair, const GpuTick* gpu, Tensor& result, Allocator* pool) {
  Tensor copy_of_a;
  Tensor copy_of_b;
  const InputImage a = reachable(pair.a, gpu, copy_of_a);
  const InputImage b = reachable(pair.b, gpu, copy_of_b);
  allocate_image(result, pool, gpu, a.shape, a.type());
  visit_image(a, [&](auto first) {
    using T = ElementOf<decltype(first)>;
    const auto second = view_as<const T>(*b.tensor, b.shape);
    const auto out = view_as<T>(result, a.shape);
    if (gpu != nullptr) {
      gpu->kernels<T>().subtract_absolute(first, second, out, gpu->stream());
    } else {
      kernels::subtract_absolute<T>(first, second, out);
    }
  });
  if (gpu != nullptr) {
    gpu->check();
  }
}

void Difference::verify(const Pair& pair, const Message& a, const Message& b, const GpuTick* gpu,
                        const Tensor& result) {
  Tensor other;
  if (gpu != nullptr) {
    a.wait_for_device();
    b.wait_for_device();
    compute(pair, nullptr, other, nullptr);
    verify_result(*this, result_name(pair.a), {other, result, gpu->work()});
  } else {
    const GpuTick gpu_tick(placement_);
    gpu_tick.use(a);
    gpu_tick.use(b);
    compute(pair, &gpu_tick, other, nullptr);
    verify_result(*this, result_name(pair.a), {result, other, gpu_tick.work()});
  }
}

void Difference::tick() {
  std::optional<GpuTick> gpu;  // before messages are received, and until the result is published
  if (placement_.is_on_gpu(peek_storage(a_->peek(0), ""))) {
    gpu.emplace(placement_);
  }
  const Message a = a_->receive();
  const Message b = b_->receive();
  const Pair pair{find_image(a, "", "a"), find_image(b, "", "b")};
  require_equal_forms(pair);
  const GpuTick* const on = gpu ? &*gpu : nullptr;
  Message output = context().new_message();
  Tensor result;
  compute(pair, on, result, pool_.get().get());
  if (context().verify()) {
    verify(pair, a, b, on, result);
  }
  out_part_.add(output, result_name(pair.a), std::move(result));
  pass_on(a, pair.a, Geometry::Kept, output);
  out_->publish(std::move(output));
}

void Difference::infer(ShapeContext& context) {
  out_part_.require_tensor();
  const TensorSpec& a = context.input(a_);
  const TensorSpec& b = context.input(b_);
  try {
    const Pair pair{expect_image(a, "", "a"), expect_image(b, "", "b")};
    require_equal_forms(pair);
    context.set_output(out_, {tensor_shape(pair.a.shape), pair.a.type(), 0, result_name(pair.a)});
  } catch (const Error& error) {
    throw_refused(error);
  }
}

void Difference::capture(CaptureContext& context) {
  const InputImage a = expect_image(context.input_spec(a_), "", "a", &context.input(a_));
  const InputImage b = expect_image(context.input_spec(b_), "", "b", &context.input(b_));
  visit_image(a, [&](auto first) {
    using T = ElementOf<decltype(first)>;
    device_kernels().of<T>().subtract_absolute(first, view_as<const T>(*b.tensor, b.shape),
                                               view_as<T>(context.output(out_), a.shape),
                                               context.stream());
  });
}

}  // namespace gxr::image
