#include "arguments.hpp"
#include "color_sums.cuh"
#include "element.hpp"
#include "grey_world_gain.hpp"
#include "gxr/kernels/white_balance.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

template <class T, int Channels>
struct GainRun {
  const float* gains;

  template <int Chunks>
  __device__ void operator()(const Run<T, Chunks>& in, Run<T, Chunks>& out, Place) const {
    const float factors[3] = {gains[0], gains[1], gains[2]};
#pragma unroll
    for (int i = 0; i < in.kCount; ++i) {
      if (i % Channels == 3) {
        out.append(i, in.get(i));
      } else {
        out.append(i, quantize<T>(static_cast<float>(in.get(i)) * factors[i % Channels]));
      }
    }
  }
};

template <class T>
using Sums = ColorSums<typename PlainSample<T>::Total>;

static_assert(grey_world_workspace_bytes() == color_sums_workspace_bytes());

template <class T>
__global__ void __launch_bounds__(kReducingBlocks)
    gains_kernel(const Sums<T>* partial, float* gains) {
  __shared__ Sums<T> warp_sums[kReducingBlocks / kWarpSize];
  const Sums<T> sums = sum_of_block(partial[threadIdx.x], warp_sums);
  if (threadIdx.x == 0) {
    for (int c = 0; c < 3; ++c) {
      gains[c] = gain_between(static_cast<double>(sums.of[1]), static_cast<double>(sums.of[c]));
    }
  }
}

template <class T>
void compute_gains(ImageView<const T> image, float* gains, void* workspace, Stream stream) {
  require_color(image, gains);
  require_workspace(workspace);
  require_stream(stream);
  constexpr const char* function = "grey_world_gains";
  auto* partial = static_cast<Sums<T>*>(workspace);
  if (image.channels == 3) {
    sum_colors<PlainSample<T>, 3>(function, image, partial, stream);
  } else {
    sum_colors<PlainSample<T>, 4>(function, image, partial, stream);
  }
  launch(function, {dim3(1), dim3(kReducingBlocks)}, stream, gains_kernel<T>, partial, gains);
}

}  // namespace

void grey_world_gains(ImageView<const std::uint8_t> image, float* gains, void* workspace,
                      Stream stream) {
  compute_gains(image, gains, workspace, stream);
}

void grey_world_gains(ImageView<const std::uint16_t> image, float* gains, void* workspace,
                      Stream stream) {
  compute_gains(image, gains, workspace, stream);
}

void grey_world_gains(ImageView<const float> image, float* gains, void* workspace, Stream stream) {
  compute_gains(image, gains, workspace, stream);
}

template <class T>
void apply_gains(ImageInput<T> in, ImageView<T> out, const float* gains, Stream stream) {
  require_balance<T>(in, out, gains);
  require_stream(stream);
  if (in.channels == 3) {
    map_anywhere<3, 3>("apply_gains", in, out, stream, GainRun<T, 3>{gains});
  } else {
    map_anywhere<4, 4>("apply_gains", in, out, stream, GainRun<T, 4>{gains});
  }
}

template void apply_gains(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const float*,
                          Stream);
template void apply_gains(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, const float*,
                          Stream);
template void apply_gains(ImageView<const float>, ImageView<float>, const float*, Stream);

}  // namespace gxr::kernels
