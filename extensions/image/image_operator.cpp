#include "image/image_operator.hpp"

#include <utility>

#include "image/picture_parameters.hpp"

namespace gxr::image {

void ImageOperator::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  PortDeclaration out =
      interface.output(out_, "out", "Transmitter of messages with the result").other_parts();
  declare_pool(interface, pool_);
  declare_in_tensor_name(interface, in_tensor_name_);
  declare_out_tensor_name(interface, out_tensor_name_, unnamed_result_);
  if (result_ == Result::Picture) {
    sends_pictures(out);
    out_part_.declare(interface);
  }
  placement_.declare(interface, kDeviceOfInput);
}

void ImageOperator::initialize() { placement_.initialize(*this); }

void ImageOperator::stop() { placement_.release(); }

std::string_view ImageOperator::result_name(const InputImage& input) const {
  return out_tensor_name().empty() ? input.name : out_tensor_name();
}

void ImageOperator::compute(const Reception& reception, const GpuTick* gpu, Message& output,
                            Tensor& result, Allocator* pool) {
  Tensor copy;
  Task task{
      reception.message(), reachable(reception.image(), gpu, copy), output, result, gpu, pool};
  process(task);
  if (gpu != nullptr) {
    gpu->check();
  }
}

void ImageOperator::verify(const Reception& reception, const Tensor& result) {
  const InputImage& input = reception.image();
  Message unpublished = context().new_message();
  Tensor& other = unpublished.add<Tensor>();
  if (const GpuTick* gpu = reception.gpu(); gpu != nullptr) {
    reception.message().wait_for_device();
    compute(reception, nullptr, unpublished, other, nullptr);
    verify_result(*this, result_name(input), {other, result, gpu->work()}, tolerance(input));
  } else {
    const GpuTick gpu_tick(placement_);
    gpu_tick.use(reception.message());
    compute(reception, &gpu_tick, unpublished, other, nullptr);
    verify_result(*this, result_name(input), {result, other, gpu_tick.work()}, tolerance(input));
  }
}

void ImageOperator::tick() {
  const Reception reception(placement_, in_, in_tensor_name_.get());
  const InputImage& input = reception.image();
  Message output = context().new_message();
  Tensor result;
  compute(reception, reception.gpu(), output, result, pool_.get().get());
  if (context().verify()) {
    verify(reception, result);
  }
  if (result_ == Result::Picture) {
    out_part_.add(output, result_name(input), std::move(result));
  } else {
    output.add<Tensor>(result_name(input), std::move(result));
  }
  pass_on(reception.message(), input, geometry_, output);
  out_.publish(std::move(output));
}

}  // namespace gxr::image
