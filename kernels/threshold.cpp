#include "gxr/kernels/threshold.hpp"

#include "contract.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void threshold_row(const T* in, T* out, std::int64_t count, ThresholdRule<T> rule) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = in[i] > rule.level ? rule.above : rule.others;
  }
}

}  // namespace

template <class T>
void threshold(ImageInput<T> in, ImageView<T> out, ThresholdRule<T> rule) {
  require_same_shape(in, out);
  for (std::int64_t y = 0; y < in.height; ++y) {
    run_vectorized<&threshold_row<T>>(in.row(y), out.row(y), in.row_elements(), rule);
  }
}

template void threshold(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                        ThresholdRule<std::uint8_t>);
template void threshold(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                        ThresholdRule<std::uint16_t>);
template void threshold(ImageView<const float>, ImageView<float>, ThresholdRule<float>);

}  // namespace gxr::kernels
