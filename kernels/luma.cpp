#include "gxr/kernels/luma.hpp"

#include "luma_weights.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T, int Channels>
void luma_row(const T* __restrict color, T* __restrict grey, std::int64_t width,
              LumaWeights<T> weights) {
  for (std::int64_t x = 0; x < width; ++x) {
    grey[x] = weights.of(color[Channels * x], color[Channels * x + 1], color[Channels * x + 2]);
  }
}

}  // namespace

template <class T>
void luma(ImageInput<T> color, ImageView<T> grey, LumaStandard standard) {
  require_luma<T>(color, grey, standard);
  const LumaWeights<T> weights = luma_weights<T>(standard);
  for (std::int64_t y = 0; y < color.height; ++y) {
    if (color.channels == 3) {
      run_vectorized<&luma_row<T, 3>>(color.row(y), grey.row(y), color.width, weights);
    } else {
      run_vectorized<&luma_row<T, 4>>(color.row(y), grey.row(y), color.width, weights);
    }
  }
}

template void luma(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, LumaStandard);
template void luma(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, LumaStandard);
template void luma(ImageView<const float>, ImageView<float>, LumaStandard);

}  // namespace gxr::kernels
