#include "arguments.hpp"
#include "element.hpp"
#include "grey_world_gain.hpp"
#include "gxr/kernels/white_balance.hpp"
#include "map.cuh"
#include "reduce.cuh"

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

/// Sums of red, green and blue; exact for integers.
template <class T>
struct ColorSums {
  using Total = std::conditional_t<std::is_same_v<T, float>, double, unsigned long long>;
  Total of[3];

  __device__ void add(const ColorSums& more) {
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      of[c] += more.of[c];
    }
  }

  __device__ ColorSums from_lane(int offset) const {
    ColorSums sums;
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      sums.of[c] = __shfl_down_sync(0xffffffffU, of[c], offset);
    }
    return sums;
  }
};

static_assert(grey_world_workspace_bytes() == kReducingBlocks * sizeof(ColorSums<float>) &&
              sizeof(ColorSums<float>) == sizeof(ColorSums<std::uint16_t>));

template <class T, int Channels, int Chunks>
__device__ void add_run(const Run<T, Chunks>& run, int pixels, ColorSums<T>& sums) {
  using Part = std::conditional_t<std::is_same_v<T, float>, double, std::uint32_t>;
  Part parts[3] = {};
#pragma unroll
  for (int i = 0; i < run.kCount; ++i) {
    if (i % Channels < 3 && i / Channels < pixels) {
      parts[i % Channels] += run.get(i);
    }
  }
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    sums.of[c] += parts[c];
  }
}

template <class T, int Channels, int Chunks>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    sum_colors_kernel(Rows<const T> rows, Tiling tiling, ColorSums<T>* partial) {
  __shared__ Stage<Chunks> stages[kWarpsPerBlock];
  __shared__ ColorSums<T> warp_sums[kWarpsPerBlock];
  constexpr int run_pixels = Run<T, Chunks>::kCount / Channels;
  uint4* stage = stages[warp_in_block()].chunks;
  ColorSums<T> sums{};
  for_each_tile_of(tiling, reducing_warp(), kReducingWarps, [&](std::int64_t y, std::int64_t tile) {
    Run<T, Chunks> run;
    load_tile(rows, y, tile, stage, run);
    const std::int64_t first = (tile * kWarpSize + threadIdx.x) * run_pixels;
    const std::int64_t left = rows.elements / Channels - first;
    if (left >= run_pixels) {
      add_run<T, Channels>(run, run_pixels, sums);
    } else if (left > 0) {
      add_run<T, Channels>(run, static_cast<int>(left), sums);
    }
  });
  write_block_sum(sums, warp_sums, partial);
}

template <class T>
__global__ void __launch_bounds__(kReducingBlocks)
    gains_kernel(const ColorSums<T>* partial, float* gains) {
  __shared__ ColorSums<T> warp_sums[kReducingBlocks / kWarpSize];
  const ColorSums<T> sums = sum_of_block(partial[threadIdx.x], warp_sums);
  if (threadIdx.x == 0) {
    for (int c = 0; c < 3; ++c) {
      gains[c] = gain_between(static_cast<double>(sums.of[1]), static_cast<double>(sums.of[c]));
    }
  }
}

template <class T, int Channels>
void compute_gains_of(ImageView<const T> image, float* gains, void* workspace, Stream stream) {
  constexpr int run = pixels_of_run(Channels * sizeof(T), Channels * sizeof(T));
  constexpr int chunks = static_cast<int>(run * Channels * sizeof(T) / 16);
  if (has_no_gaps(image)) {
    image = as_one_row(image);
  }
  auto* partial = static_cast<ColorSums<T>*>(workspace);
  launch("grey_world_gains", reducing_shape(), stream, sum_colors_kernel<T, Channels, chunks>,
         rows_of(image), tiling_of(image.width, image.height, run), partial);
  launch("grey_world_gains", {dim3(1), dim3(kReducingBlocks)}, stream, gains_kernel<T>, partial,
         gains);
}

template <class T>
void compute_gains(ImageView<const T> image, float* gains, void* workspace, Stream stream) {
  require_color(image, gains);
  require_workspace(workspace);
  require_stream(stream);
  if (image.channels == 3) {
    compute_gains_of<T, 3>(image, gains, workspace, stream);
  } else {
    compute_gains_of<T, 4>(image, gains, workspace, stream);
  }
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
