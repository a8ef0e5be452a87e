#include "black_sample.hpp"
#include "map.cuh"
#include "reduce.cuh"

namespace gxr::kernels {
namespace {

/// Runs begin at even columns.
template <class T>
struct BlackRun {
  const BlackLevels* levels;

  template <int Chunks>
  __device__ void operator()(const Run<T, Chunks>& in, Run<T, Chunks>& out, Place place) const {
    const int first = place.row % 2 == 0 ? 0 : 2;
    const float level[2] = {levels->level[first], levels->level[first + 1]};
    const float gain[2] = {levels->gain[first], levels->gain[first + 1]};
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(i, without_black(in.get(i), level[i % 2], gain[i % 2]));
    }
  }
};

/// Sums of black_count() for each place of the colours.
struct BlackSums {
  std::uint64_t of[4];

  __device__ void add(const BlackSums& more) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      of[i] += more.of[i];
    }
  }

  __device__ BlackSums from_lane(int offset) const {
    BlackSums sums;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      sums.of[i] = __shfl_down_sync(0xffffffffU, of[i], offset);
    }
    return sums;
  }
};

static_assert(measure_black_workspace_bytes() == kReducingBlocks * sizeof(BlackSums));

/// Pixels of a tile; even, so that all columns of a thread have one parity.
constexpr std::int64_t kMaskedTile = 4 * kWarpSize;

template <class T>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    sum_black_kernel(ImageView<const T> image, PixelArea area, Tiling tiling, BlackSums* partial) {
  __shared__ BlackSums warp_sums[kWarpsPerBlock];
  std::uint64_t even = 0;  // of even rows
  std::uint64_t odd = 0;
  for_each_tile_of(tiling, reducing_warp(), kReducingWarps, [&](std::int64_t y, std::int64_t tile) {
    const T* const row = image.row(area.top + y) + area.left;
    std::uint32_t sum = 0;  // of four samples, each at most 2^24
    for (std::int64_t x = tile * kMaskedTile + threadIdx.x;
         x < (tile + 1) * kMaskedTile && x < area.width; x += kWarpSize) {
      sum += black_count(row[x]);
    }
    if (((area.top + y) & 1) == 0) {
      even += sum;
    } else {
      odd += sum;
    }
  });
  const bool even_column = ((area.left + threadIdx.x) & 1) == 0;
  const BlackSums sums{{even_column ? even : 0, even_column ? 0 : even, even_column ? odd : 0,
                        even_column ? 0 : odd}};
  write_block_sum(sums, warp_sums, partial);
}

template <class T>
__global__ void __launch_bounds__(kReducingBlocks)
    black_levels_kernel(const BlackSums* partial, PixelArea area, float white,
                        BlackLevels* levels) {
  __shared__ BlackSums warp_sums[kReducingBlocks / kWarpSize];
  const BlackSums sums = sum_of_block(partial[threadIdx.x], warp_sums);
  if (threadIdx.x == 0) {
    set_black_levels<T>(sums.of, area, white, *levels);
  }
}

}  // namespace

template <class T>
void subtract_black(ImageInput<T> in, ImageView<T> out, const BlackLevels* levels, Stream stream) {
  require_black<T>(in, out, levels);
  require_stream(stream);
  map_runs<1, 1>("subtract_black", in, out, stream, BlackRun<T>{levels});
}

template <class T>
void measure_black(ImageView<const T> image, PixelArea masked, float white, BlackLevels* levels,
                   void* workspace, Stream stream) {
  constexpr const char* function = "measure_black";
  require_masked(image, masked, levels);
  require_workspace(workspace);
  require_stream(stream);
  auto* partial = static_cast<BlackSums*>(workspace);
  const Tiling tiling{(masked.width + kMaskedTile - 1) / kMaskedTile, masked.height};
  launch(function, reducing_shape(), stream, sum_black_kernel<T>, image, masked, tiling, partial);
  launch(function, {dim3(1), dim3(kReducingBlocks)}, stream, black_levels_kernel<T>, partial,
         masked, white, levels);
}

template void subtract_black(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                             const BlackLevels*, Stream);
template void subtract_black(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                             const BlackLevels*, Stream);
template void subtract_black(ImageView<const float>, ImageView<float>, const BlackLevels*, Stream);
template void measure_black(ImageView<const std::uint8_t>, PixelArea, float, BlackLevels*, void*,
                            Stream);
template void measure_black(ImageView<const std::uint16_t>, PixelArea, float, BlackLevels*, void*,
                            Stream);
template void measure_black(ImageView<const float>, PixelArea, float, BlackLevels*, void*, Stream);

}  // namespace gxr::kernels
