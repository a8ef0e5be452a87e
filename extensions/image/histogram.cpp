#include "image/histogram.hpp"

#include <algorithm>
#include <utility>

#include "gxr/kernels/histogram.hpp"
#include "image/limits.hpp"
#include "image/message_parts.hpp"

namespace gxr::image {

void Histogram::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a picture");
  interface.output(out_, "out", "Transmitter of the counts: a tensor of channels x 256 uint32")
      .optional();
  interface.output(picture_, "picture", "Transmitter of the counts as an RGB picture").optional();
  interface.parameter(pool_, "pool", "Allocator of the results' memory");
  interface
      .parameter(in_tensor_name_, "in_tensor_name", "Tensor to read; empty: the message's first")
      .default_value("");
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the resulting tensors")
      .default_value("histogram");
  interface.parameter(picture_width_, "picture_width", "Width of the picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(512);
  interface.parameter(picture_height_, "picture_height", "Height of the picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(256);
}

void Histogram::initialize() {
  if (!out_.has_value() && !picture_.has_value()) {
    throw Error(ErrorCode::InvalidParameter, "neither 'out' nor 'picture' is set: nothing to do");
  }
}

void Histogram::tick() {
  const Message message = in_->receive();
  const InputImage input = find_image(message, in_tensor_name_.get(), "in");
  counts_.resize(static_cast<std::size_t>(input.shape.channels * kernels::kHistogramBins));
  visit_image(input, [&](auto image) { kernels::compute_histogram(image, counts_.data()); });
  if (out_.has_value()) {
    publish_counts(message, input);
  }
  if (picture_.has_value()) {
    publish_picture(message, input);
  }
}

void Histogram::publish_counts(const Message& message, const InputImage& input) {
  Message output = context().new_message();
  Tensor& tensor = output.add<Tensor>(out_tensor_name_.get());
  tensor.allocate<std::uint32_t>(*pool_.get(),
                                 Shape{static_cast<std::int32_t>(input.shape.channels),
                                       static_cast<std::int32_t>(kernels::kHistogramBins)});
  std::copy(counts_.begin(), counts_.end(), tensor.data<std::uint32_t>());
  pass_on(message, *input.tensor, Geometry::Changed, output);
  out_->publish(std::move(output));
}

void Histogram::publish_picture(const Message& message, const InputImage& input) {
  Message output = context().new_message();
  const ImageShape shape{picture_height_.get(), picture_width_.get(), 3};
  Tensor& tensor = output.add<Tensor>(out_tensor_name_.get());
  allocate_image(tensor, *pool_.get(), shape, ElementType::UInt8);
  kernels::draw_histogram(counts_.data(), input.shape.channels,
                          view_as<std::uint8_t>(tensor, shape));
  pass_on(message, *input.tensor, Geometry::Changed, output);
  picture_->publish(std::move(output));
}

}  // namespace gxr::image
