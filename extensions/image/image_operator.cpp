#include "image/image_operator.hpp"

#include <utility>

namespace gxr::image {

void ImageOperator::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a picture");
  interface.output(out_, "out", "Transmitter of messages with the result");
  interface.parameter(pool_, "pool", "Allocator of the results' memory")
      .description("One block per message in flight; every message takes a fresh one.");
  interface
      .parameter(in_tensor_name_, "in_tensor_name", "Tensor to read; empty: the message's first")
      .default_value("");
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the resulting tensor")
      .description(unnamed_result_)
      .default_value("");
}

std::string_view ImageOperator::result_name(const InputImage& input) const {
  return out_tensor_name().empty() ? input.name : out_tensor_name();
}

void ImageOperator::tick() {
  const Message message = in_->receive();
  const InputImage input = find_image(message, in_tensor_name_.get(), "in");
  Message output = context().new_message();
  Task task{message, input, output, output.add<Tensor>(result_name(input))};
  process(task);
  pass_on(message, *input.tensor, geometry_, output);
  out_->publish(std::move(output));
}

}  // namespace gxr::image
