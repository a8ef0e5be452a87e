#include "contract.hpp"
#include "gxr/kernels/threshold.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

template <class T>
struct ThresholdRun {
  ThresholdRule<T> rule;

  template <int Chunks>
  __device__ void operator()(const Run<T, Chunks>& in, Run<T, Chunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(i, in.get(i) > rule.level ? rule.above : rule.others);
    }
  }
};

}  // namespace

template <class T>
void threshold(ImageInput<T> in, ImageView<T> out, ThresholdRule<T> rule, Stream stream) {
  require_same_shape(in, out);
  require_stream(stream);
  map_anywhere<1, 1>("threshold", in, out, stream, ThresholdRun<T>{rule});
}

template void threshold(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                        ThresholdRule<std::uint8_t>, Stream);
template void threshold(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                        ThresholdRule<std::uint16_t>, Stream);
template void threshold(ImageView<const float>, ImageView<float>, ThresholdRule<float>, Stream);

}  // namespace gxr::kernels
