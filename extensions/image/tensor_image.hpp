#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "gxr/allocator.hpp"
#include "gxr/error.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/kernels/image_view.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"
#include "image/bayer_pattern.hpp"
#include "image/packed_format.hpp"

/// Tensors seen as pictures: height x width x channels (1 to 4; left out for 1), channels
/// interleaved, elements uint8, uint16 or float32. Rows may have gaps between them. A VideoBuffer
/// of one plane is seen as such a tensor over its memory. Whether the CPU reads the memory, and
/// whether it has the channels in order, see reachable() in gpu_tick.hpp.

namespace gxr::image {

struct ImageShape {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;

  friend bool operator==(const ImageShape& a, const ImageShape& b) noexcept {
    return a.height == b.height && a.width == b.width && a.channels == b.channels;
  }
};

/// "[480, 640, 3] uint8"
std::string describe(const Shape& shape, ElementType type);
/// "[480, 640, 3] uint8"
std::string describe(const ImageShape& shape, ElementType type);

/// The tensor that holds a picture of this shape.
Shape tensor_shape(const ImageShape& shape);

/// A picture found in a message, and valid as long as that, or of which only is known what it will
/// be like.
struct InputImage {
  const Tensor* tensor = nullptr;  ///< nullptr for one that is not there yet
  std::string_view name;           ///< of the part
  std::string_view port;           ///< key of the parameter that named the receiver
  ImageShape shape;
  Shape tensor_shape;  ///< as it came: without the channels, perhaps
  ElementType element_type = ElementType::Custom;
  /// Of a raw sensor picture, as the message says.
  std::optional<kernels::BayerPattern> bayer;
  const void* part = nullptr;  ///< data of the message's part that holds it
  /// Of a VideoBuffer. `tensor` has its samples, which reachable() puts in order.
  const PackedFormat* packed = nullptr;
  bool in_order = true;                ///< has `tensor` the channels of `shape`?
  std::shared_ptr<const Tensor> view;  ///< that `tensor` points to, for a VideoBuffer

  [[nodiscard]] ElementType type() const noexcept { return element_type; }
};

/// The tensor or VideoBuffer that find_picture() finds in `message`; `port` appears in error texts.
/// Throws Error: NotFound when there is none, WrongType when it is no picture, InvalidData when its
/// memory does not hold it.
InputImage find_image(const Message& message, std::string_view name, std::string_view port);

/// What find_image() finds in messages that have a tensor like `spec` and no other, and with the
/// same errors; for the memory that a CUDA graph gives it, if `tensor` is not null. Valid as long
/// as `spec`.
InputImage expect_image(const TensorSpec& spec, std::string_view name, std::string_view port,
                        const Tensor* tensor = nullptr);

/// Where the picture is that find_image() would find; System when there is none, or no message.
MemoryStorageType peek_storage(const Message* message, std::string_view name) noexcept;

/// Throws Error(WrongType): "tensor 'raw' on 'in': wanted WANTED, got [480, 640, 3] uint8".
[[noreturn]] void throw_wrong_image(const InputImage& image, std::string_view wanted);

/// Throws Error(InvalidData) for a raw sensor picture: "…; WHY: demosaic it first".
void refuse_raw_picture(const InputImage& image, const char* why);

/// The memory of a tensor that find_image or allocate_image accepted, to read if T is const.
template <class T>
kernels::ImageView<T> view_as(std::conditional_t<std::is_const_v<T>, const Tensor, Tensor>& tensor,
                              const ImageShape& shape) {
  return {static_cast<T*>(tensor.pointer()), shape.width, shape.height, shape.channels,
          static_cast<std::ptrdiff_t>(tensor.stride(0))};
}

/// Element type of a view, without const.
template <class View>
using ElementOf = std::remove_const_t<std::remove_pointer_t<decltype(View::data)>>;

/// Calls `use(T{})` with the C++ type that stands for a picture's element type.
template <class F>
decltype(auto) visit_type(ElementType type, F&& use) {
  switch (type) {
    case ElementType::UInt8:
      return use(std::uint8_t{});
    case ElementType::UInt16:
      return use(std::uint16_t{});
    case ElementType::Float32:
      return use(float{});
    default:
      throw Error(ErrorCode::WrongType,
                  std::string("pictures have elements of uint8, uint16 or float32, not ") +
                      to_string(type));
  }
}

/// Calls `use` with the picture as a kernels::ImageView<const T>.
template <class F>
decltype(auto) visit_image(const InputImage& image, F&& use) {
  return visit_type(image.type(), [&](auto sample) -> decltype(auto) {
    return use(view_as<const decltype(sample)>(*image.tensor, image.shape));
  });
}

/// Copies pixels to a picture of the same size.
template <class T>
void copy_rows(kernels::ImageView<const T> from, kernels::ImageView<T> to) {
  for (std::int64_t y = 0; y < from.height; ++y) {
    std::copy_n(from.row(y), from.row_elements(), to.row(y));
  }
}

}  // namespace gxr::image
