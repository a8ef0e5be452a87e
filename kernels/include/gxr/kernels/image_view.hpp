#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Marks the few inline functions that device code calls as well.
#ifdef __CUDACC__
#define GXR_HOST_DEVICE __host__ __device__
#else
#define GXR_HOST_DEVICE
#endif

namespace gxr::kernels {

/// A picture in somebody else's memory: rows of interleaved channels, `row_stride` bytes apart.
///
/// Element (y, x, c) lies at `data + y * row_stride (bytes) + (x * channels + c)` elements.
/// Every function of this library that takes a view requires, and throws `std::invalid_argument`
/// otherwise: width and height at least 1, channels 1 to 4, `data` not null and aligned for T,
/// `row_stride` a multiple of alignof(T) and in magnitude at least one row. Negative strides
/// (bottom-up pictures) are allowed. Views do not overlap unless a function says "in place".
///
/// Element types and their nominal range: uint8_t 0..255, uint16_t 0..65535, float 0..1.
template <class T>
struct ImageView {
  T* data = nullptr;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t channels = 0;
  std::ptrdiff_t row_stride = 0;  ///< bytes from a row to the next

  /// First element of row y; y is not checked.
  GXR_HOST_DEVICE T* row(std::int64_t y) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + y * row_stride);
  }

  /// Elements in a row, without padding.
  GXR_HOST_DEVICE std::int64_t row_elements() const { return width * channels; }

  /// A view that can write is accepted wherever one that reads is asked for.
  GXR_HOST_DEVICE operator ImageView<const T>() const {  // NOLINT(google-explicit-constructor)
    return {data, width, height, channels, row_stride};
  }
};

/// A view of rows without padding.
template <class T>
ImageView<T> packed_view(T* data, std::int64_t width, std::int64_t height, std::int64_t channels) {
  const auto stride = width * channels * static_cast<std::int64_t>(sizeof(T));
  return {data, width, height, channels, static_cast<std::ptrdiff_t>(stride)};
}

namespace detail {
template <class T>
struct InputView {
  using type = ImageView<const T>;
};
}  // namespace detail

/// The reading side of a function template whose T is deduced from the written side, so that an
/// `ImageView<T>` converts to it.
template <class T>
using ImageInput = typename detail::InputView<T>::type;

/// The value that stands for full intensity.
template <class T>
GXR_HOST_DEVICE constexpr float full_scale() {
  static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> ||
                std::is_same_v<T, float>);
  return std::is_same_v<T, float> ? 1.0F : std::is_same_v<T, std::uint8_t> ? 255.0F : 65535.0F;
}

}  // namespace gxr::kernels
