#include "image/tensor_image.hpp"

#include "image/message_parts.hpp"

namespace gxr::image {
namespace {

constexpr std::string_view kPicture =
    "a picture (height x width x 1 to 4 channels of uint8, uint16 or float32)";

bool is_sample_type(ElementType type) {
  return type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::Float32;
}

bool has_picture_shape(const Shape& shape) {
  const bool flat = shape.rank() == 2;
  const bool deep = shape.rank() == 3 && shape.dimension(2) >= 1 && shape.dimension(2) <= 4;
  return (flat || deep) && shape.dimension(0) >= 1 && shape.dimension(1) >= 1;
}

ImageShape shape_of(const Shape& shape) {
  return {shape.dimension(0), shape.dimension(1), shape.rank() == 3 ? shape.dimension(2) : 1};
}

/// Samples of a pixel and pixels of a row lie side by side.
bool has_packed_rows(const Tensor& tensor, const ImageShape& shape) {
  const std::uint64_t sample = tensor.bytes_per_element();
  const auto channels = static_cast<std::uint64_t>(shape.channels);
  const bool packed_pixels = tensor.rank() < 3 || shape.channels == 1 || tensor.stride(2) == sample;
  const bool packed_row = shape.width == 1 || tensor.stride(1) == sample * channels;
  return packed_pixels && packed_row;
}

/// "tensor 'image' on 'in'"
std::string subject_of(const InputImage& image) {
  const std::string kind = image.packed == nullptr ? "tensor" : "VideoBuffer";
  const std::string name =
      image.name.empty() ? "unnamed " + kind : kind + " '" + std::string(image.name) + "'";
  return name + " on '" + std::string(image.port) + "'";
}

/// Finds the picture's shape, if it is a picture.
void take_shape(InputImage& image) {
  if (!is_sample_type(image.type()) || !has_picture_shape(image.tensor_shape)) {
    throw_wrong_image(image, kPicture);
  }
  image.shape = shape_of(image.tensor_shape);
}

void take_tensor(InputImage& image, const Tensor& tensor) {
  image.tensor = &tensor;
  image.tensor_shape = tensor.shape();
  image.element_type = tensor.element_type();
  take_shape(image);
  if (!has_packed_rows(tensor, image.shape)) {
    throw_wrong_image(image, "a picture whose pixels lie side by side (interleaved channels)");
  }
}

void take_video_buffer(InputImage& image, const VideoBuffer& buffer) {
  image.view = std::make_shared<const Tensor>(packed_pixels(buffer, image.name, image.port));
  image.tensor = image.view.get();
  image.packed = find_packed_format(buffer.info().format);
  image.in_order = image.packed->is_in_order();
  image.bayer = image.packed->bayer;
  image.element_type = image.packed->type;
  image.shape = {buffer.info().height, buffer.info().width, image.packed->channels};
  image.tensor_shape = tensor_shape(image.shape);
}

}  // namespace

std::string describe(const Shape& shape, ElementType type) {
  return shape.to_string() + " " + to_string(type);
}

std::string describe(const ImageShape& shape, ElementType type) {
  return "[" + std::to_string(shape.height) + ", " + std::to_string(shape.width) + ", " +
         std::to_string(shape.channels) + "] " + to_string(type);
}

Shape tensor_shape(const ImageShape& shape) {
  return {static_cast<std::int32_t>(shape.height), static_cast<std::int32_t>(shape.width),
          static_cast<std::int32_t>(shape.channels)};
}

void throw_wrong_image(const InputImage& image, std::string_view wanted) {
  throw Error(ErrorCode::WrongType,
              subject_of(image) + ": wanted " + std::string(wanted) + ", got " +
                  (image.packed == nullptr ? std::string()
                                           : to_string(image.packed->format) + std::string(" ")) +
                  describe(image.tensor_shape, image.type()));
}

InputImage find_image(const Message& message, std::string_view name, std::string_view port) {
  const detail::Part& part = find_picture(message, name, port);
  InputImage image;
  image.name = part.name;
  image.port = port;
  image.part = part.data;
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    take_video_buffer(image, *static_cast<const VideoBuffer*>(part.data));
  } else {
    take_tensor(image, *static_cast<const Tensor*>(part.data));
  }
  if (const auto* const pattern = message.find<BayerPattern>(); pattern != nullptr) {
    image.bayer = pattern->layout;
  }
  return image;
}

InputImage expect_image(const TensorSpec& spec, std::string_view name, std::string_view port,
                        const Tensor* tensor) {
  if (!name.empty() && name != spec.name) {
    throw Error(ErrorCode::NotFound, "no tensor '" + std::string(name) + "' in the message on '" +
                                         std::string(port) + "'; it has '" + spec.name + "'");
  }
  InputImage image;
  image.tensor = tensor;
  image.name = spec.name;
  image.port = port;
  image.tensor_shape = spec.shape;
  image.element_type = spec.type;
  image.bayer = pattern_in(spec.content);
  take_shape(image);
  return image;
}

MemoryStorageType peek_storage(const Message* message, std::string_view name) noexcept {
  const detail::Part* const part = message == nullptr ? nullptr : peek_picture(*message, name);
  if (part == nullptr) {
    return MemoryStorageType::System;
  }
  return part->id == TypeIdOf<VideoBuffer>::value
             ? static_cast<const VideoBuffer*>(part->data)->storage_type()
             : static_cast<const Tensor*>(part->data)->storage_type();
}

void refuse_raw_picture(const InputImage& image, const char* why) {
  if (image.shape.channels == 1 && image.bayer) {
    throw Error(ErrorCode::InvalidData,
                subject_of(image) + " is a raw sensor picture; " + why + ": demosaic it first");
  }
}

}  // namespace gxr::image
