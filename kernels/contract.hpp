#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// Checks of what callers promise; each throws std::invalid_argument with the argument's name.
/// Texts are made only on failure.

namespace gxr::kernels {

void require(bool holds, const char* what);

/// A view of any element type.
struct Geometry {
  std::int64_t width;
  std::int64_t height;
  std::int64_t channels;
  std::ptrdiff_t row_stride;
  std::uintptr_t address;
  std::ptrdiff_t element_size;
  std::ptrdiff_t alignment;
};

template <class T>
Geometry geometry_of(ImageView<T> view) {
  return {view.width,
          view.height,
          view.channels,
          view.row_stride,
          reinterpret_cast<std::uintptr_t>(view.data),
          static_cast<std::ptrdiff_t>(sizeof(T)),
          static_cast<std::ptrdiff_t>(alignof(T))};
}

/// All that ImageView asks of every view.
void require_geometry(const Geometry& image, const char* name);
void require_channel_count(const Geometry& image, std::int64_t channels, const char* name);
void require_equal_sizes(const Geometry& a, const Geometry& b);
void require_equal_channels(const Geometry& a, const Geometry& b);

template <class T>
void require_image(ImageView<T> view, const char* name) {
  require_geometry(geometry_of(view), name);
}

template <class T>
void require_channels(ImageView<T> view, std::int64_t channels, const char* name) {
  require_image(view, name);
  require_channel_count(geometry_of(view), channels, name);
}

template <class A, class B>
void require_same_size(ImageView<A> a, ImageView<B> b) {
  require_equal_sizes(geometry_of(a), geometry_of(b));
}

template <class A, class B>
void require_same_channels(ImageView<A> a, ImageView<B> b) {
  require_equal_channels(geometry_of(a), geometry_of(b));
}

template <class A, class B>
void require_same_shape(ImageView<A> a, ImageView<B> b) {
  require_image(a, "first");
  require_image(b, "second");
  require_same_size(a, b);
  require_same_channels(a, b);
}

}  // namespace gxr::kernels
