#pragma once

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// How far the elements of two pictures of one shape lie apart: |a - b|, element by element. `out`
/// may be `a` or `b`. Instances: uint8_t, uint16_t, float.
template <class T>
void subtract_absolute(ImageInput<T> a, ImageInput<T> b, ImageView<T> out);

/// The same on a stream, for views of device memory.
template <class T>
void subtract_absolute(ImageInput<T> a, ImageInput<T> b, ImageView<T> out, Stream stream);

}  // namespace gxr::kernels
