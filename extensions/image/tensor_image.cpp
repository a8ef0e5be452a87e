#include "image/tensor_image.hpp"

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

std::string tensor_names(const Message& message) {
  std::string names;
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      names += (names.empty() ? "'" : ", '") + std::string(part.name) + "'";
    }
  }
  return names;
}

const detail::Part* find_part(const Message& message, std::string_view name) noexcept {
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value && (name.empty() || part.name == name)) {
      return &part;
    }
  }
  return nullptr;
}

/// `names`: of those that are there, in quotes.
[[noreturn]] void throw_no_tensor(std::string_view name, std::string_view port,
                                  const std::string& names) {
  const std::string wanted = name.empty() ? "tensor" : "tensor '" + std::string(name) + "'";
  throw Error(ErrorCode::NotFound,
              "no " + wanted + " in the message on '" + std::string(port) + "'" +
                  (names.empty() ? "; it has no tensor" : "; it has " + names));
}

const detail::Part& find_tensor(const Message& message, std::string_view name,
                                std::string_view port) {
  if (const detail::Part* part = find_part(message, name); part != nullptr) {
    return *part;
  }
  throw_no_tensor(name, port, tensor_names(message));
}

/// "tensor 'image' on 'in'"
std::string subject_of(const InputImage& image) {
  const std::string name =
      image.name.empty() ? "unnamed tensor" : "tensor '" + std::string(image.name) + "'";
  return name + " on '" + std::string(image.port) + "'";
}

/// Finds the picture's shape, if it is a picture.
void take_shape(InputImage& image) {
  if (!is_sample_type(image.type()) || !has_picture_shape(image.tensor_shape)) {
    throw_wrong_image(image, kPicture);
  }
  image.shape = shape_of(image.tensor_shape);
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
  throw Error(ErrorCode::WrongType, subject_of(image) + ": wanted " + std::string(wanted) +
                                        ", got " + describe(image.tensor_shape, image.type()));
}

InputImage find_image(const Message& message, std::string_view name, std::string_view port) {
  const detail::Part& part = find_tensor(message, name, port);
  const auto& tensor = *static_cast<const Tensor*>(part.data);
  const auto* const pattern = message.find<BayerPattern>();
  InputImage image{&tensor,
                   part.name,
                   port,
                   {},
                   tensor.shape(),
                   tensor.element_type(),
                   pattern == nullptr ? std::nullopt : std::optional(pattern->layout)};
  take_shape(image);
  if (!has_packed_rows(tensor, image.shape)) {
    throw_wrong_image(image, "a picture whose pixels lie side by side (interleaved channels)");
  }
  return image;
}

InputImage expect_image(const TensorSpec& spec, std::string_view name, std::string_view port,
                        const Tensor* tensor) {
  if (!name.empty() && name != spec.name) {
    throw_no_tensor(name, port, "'" + spec.name + "'");
  }
  InputImage image{tensor, spec.name, port, {}, spec.shape, spec.type, pattern_in(spec.content)};
  take_shape(image);
  return image;
}

const Tensor* peek_tensor(const Message& message, std::string_view name) noexcept {
  const detail::Part* const part = find_part(message, name);
  return part == nullptr ? nullptr : static_cast<const Tensor*>(part->data);
}

void refuse_raw_picture(const InputImage& image, const char* why) {
  if (image.shape.channels == 1 && image.bayer) {
    throw Error(ErrorCode::InvalidData,
                "tensor '" + std::string(image.name) + "' on '" + std::string(image.port) +
                    "' is a raw sensor picture; " + why + ": demosaic it first");
  }
}

}  // namespace gxr::image
