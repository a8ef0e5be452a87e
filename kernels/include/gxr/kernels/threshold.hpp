#pragma once

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// New values for elements above a level, and for the others. NaN is not above any level.
template <class T>
struct ThresholdRule {
  T level;
  T above;
  T others;
};

/// Compares every element with a level. `out` has the shape of `in`, and may be `in`. Instances:
/// uint8_t, uint16_t, float.
template <class T>
void threshold(ImageInput<T> in, ImageView<T> out, ThresholdRule<T> rule);

/// The same on a stream, for views of device memory.
template <class T>
void threshold(ImageInput<T> in, ImageView<T> out, ThresholdRule<T> rule, Stream stream);

}  // namespace gxr::kernels
