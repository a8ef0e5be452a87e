#pragma once

#include "color_sums.hpp"
#include "map.cuh"
#include "reduce.cuh"

/// Sums of a picture's colours on the device; see color_sums.hpp.

namespace gxr::kernels {

template <class Total>
struct ColorSums {
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

constexpr std::size_t color_sums_workspace_bytes() {
  static_assert(sizeof(ColorSums<double>) == sizeof(ColorSums<std::uint64_t>));
  return kReducingBlocks * sizeof(ColorSums<double>);
}

template <class Sample, int Channels, class T, int Chunks>
__device__ void add_run(const Run<T, Chunks>& run, int pixels,
                        ColorSums<typename Sample::Total>& sums) {
  using Total = typename Sample::Total;
  using Part = std::conditional_t<std::is_same_v<Total, double>, double, std::uint32_t>;
  constexpr int colors = colors_of(Channels);
  Part parts[colors] = {};
#pragma unroll
  for (int i = 0; i < run.kCount; ++i) {
    if (i % Channels < colors && i / Channels < pixels) {
      parts[i % Channels] += Sample::of(run.get(i));
    }
  }
#pragma unroll
  for (int c = 0; c < colors; ++c) {
    sums.of[c] += parts[c];
  }
}

template <class Sample, int Channels, class T, int Chunks>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    sum_colors_kernel(Rows<const T> rows, Tiling tiling,
                      ColorSums<typename Sample::Total>* partial) {
  __shared__ Stage<Chunks> stages[kWarpsPerBlock];
  __shared__ ColorSums<typename Sample::Total> warp_sums[kWarpsPerBlock];
  constexpr int run_pixels = Run<T, Chunks>::kCount / Channels;
  uint4* stage = stages[warp_in_block()].chunks;
  ColorSums<typename Sample::Total> sums{};
  for_each_tile_of(tiling, reducing_warp(), kReducingWarps, [&](std::int64_t y, std::int64_t tile) {
    Run<T, Chunks> run;
    load_tile(rows, y, tile, stage, run);
    const std::int64_t first = (tile * kWarpSize + threadIdx.x) * run_pixels;
    const std::int64_t left = rows.elements / Channels - first;
    if (left >= run_pixels) {
      add_run<Sample, Channels>(run, run_pixels, sums);
    } else if (left > 0) {
      add_run<Sample, Channels>(run, static_cast<int>(left), sums);
    }
  });
  write_block_sum(sums, warp_sums, partial);
}

/// Writes kReducingBlocks partial sums of the picture, which has that many channels.
template <class Sample, int Channels, class T>
void sum_colors(const char* function, ImageView<const T> image,
                ColorSums<typename Sample::Total>* partial, Stream stream) {
  constexpr int run = pixels_of_run(Channels * sizeof(T), Channels * sizeof(T));
  constexpr int chunks = static_cast<int>(run * Channels * sizeof(T) / 16);
  if (has_no_gaps(image)) {
    image = as_one_row(image);
  }
  launch(function, reducing_shape(), stream, sum_colors_kernel<Sample, Channels, T, chunks>,
         rows_of(image), tiling_of(image.width, image.height, run), partial);
}

}  // namespace gxr::kernels
