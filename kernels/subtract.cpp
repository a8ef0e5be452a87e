#include "gxr/kernels/subtract.hpp"

#include "difference.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void subtract_row(const T* a, const T* b, T* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = distance_between(a[i], b[i]);
  }
}

}  // namespace

template <class T>
void subtract_absolute(ImageInput<T> a, ImageInput<T> b, ImageView<T> out) {
  require_difference<T>(a, b, out);
  for (std::int64_t y = 0; y < a.height; ++y) {
    run_vectorized<&subtract_row<T>>(a.row(y), b.row(y), out.row(y), a.row_elements());
  }
}

template void subtract_absolute(ImageView<const std::uint8_t>, ImageView<const std::uint8_t>,
                                ImageView<std::uint8_t>);
template void subtract_absolute(ImageView<const std::uint16_t>, ImageView<const std::uint16_t>,
                                ImageView<std::uint16_t>);
template void subtract_absolute(ImageView<const float>, ImageView<const float>, ImageView<float>);

}  // namespace gxr::kernels
