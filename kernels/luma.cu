#include "gxr/kernels/luma.hpp"
#include "luma_weights.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

template <class T, int Channels>
struct LumaRun {
  LumaWeights<T> weights;

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<T, InChunks>& in, Run<T, OutChunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(
          i, weights.of(in.get(Channels * i), in.get(Channels * i + 1), in.get(Channels * i + 2)));
    }
  }
};

}  // namespace

template <class T>
void luma(ImageInput<T> color, ImageView<T> grey, LumaStandard standard, Stream stream) {
  require_luma<T>(color, grey, standard);
  require_stream(stream);
  const LumaWeights<T> weights = luma_weights<T>(standard);
  if (color.channels == 3) {
    map_anywhere<3, 1>("luma", color, grey, stream, LumaRun<T, 3>{weights});
  } else {
    map_anywhere<4, 1>("luma", color, grey, stream, LumaRun<T, 4>{weights});
  }
}

template void luma(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, LumaStandard, Stream);
template void luma(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, LumaStandard, Stream);
template void luma(ImageView<const float>, ImageView<float>, LumaStandard, Stream);

}  // namespace gxr::kernels
