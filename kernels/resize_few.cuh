#pragma once

#include "resize_box.cuh"
#include "resize_mean.cuh"

/// Resizing where an output pixel is made of up to kFewTaps of the input's in either direction, as
/// in resize_box.cuh, with all numbers of taps known to the compiler: a warp's window holds all
/// that its tile needs, and each thread reads several quads of every row before it needs the first.

namespace gxr::kernels {

constexpr int kFewTaps = 5;
static_assert(kBoxPixels<3> * kFewTaps * 3 + 40 <= kWindowElements);

/// Quads of each row that a thread reads before it needs the first: as many as registers allow.
template <class T, int Taps>
constexpr int kQuadsTogether = sizeof(T) == 1   ? (Taps < 5 ? 4 : 3)
                               : sizeof(T) == 2 ? 2
                                                : (Taps < 3 ? 2 : 1);

/// Mixes rows with a number of taps that is known; all quads are whole.
template <int Taps, class T>
__device__ void mix_few_rows(const Rows<const T>& in, const BoxRow<T, false>& row,
                             const Window& window, float* line) {
  constexpr int together = kQuadsTogether<T, Taps>;
  constexpr int step = kWarpSize * static_cast<int>(sizeof(QuadBits<T>));
  float weights[Taps];
#pragma unroll
  for (int t = 0; t < Taps; ++t) {
    weights[t] = row.weight(t);
  }
  const int lane = static_cast<int>(threadIdx.x);
  const auto* from =
      reinterpret_cast<const unsigned char*>(in.row(row.first()) + window.begin + 4 * lane);
#pragma unroll 1
  for (int quad = lane; quad < window.quads;
       quad += together * kWarpSize, from += together * step) {
    QuadBits<T> bits[Taps][together];
#pragma unroll
    for (int t = 0; t < Taps; ++t) {
      const unsigned char* tap = from + t * in.stride;
#pragma unroll
      for (int j = 0; j < together; ++j) {
        if (j == 0 || quad + j * kWarpSize < window.quads) {
          bits[t][j] = load_quad<T>(tap + j * step);
        }
      }
    }
#pragma unroll
    for (int j = 0; j < together; ++j) {
      if (j == 0 || quad + j * kWarpSize < window.quads) {
        float sums[4] = {kNothing, kNothing, kNothing, kNothing};
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
          const Quad<T> elements = unpacked<T>(bits[t][j]);
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            sums[i] = add_weighted(sums[i], weights[t], elements.of[i]);
          }
        }
        store_quad(line, quad + j * kWarpSize, sums);
      }
    }
  }
}

template <class T>
__device__ void mix_few_rows(const Rows<const T>& in, const BoxRow<T, false>& row,
                             const Window& window, float* line) {
  switch (row.taps()) {
    case 1:
      return mix_few_rows<1>(in, row, window, line);
    case 2:
      return mix_few_rows<2>(in, row, window, line);
    case 3:
      return mix_few_rows<3>(in, row, window, line);
    case 4:
      return mix_few_rows<4>(in, row, window, line);
    default:
      return mix_few_rows<5>(in, row, window, line);
  }
}

/// Adds a known number of columns for every pixel.
template <int Taps, int Channels>
__device__ void add_few_columns(const BoxColumns<Channels>& columns, const Window& window,
                                const float* line, BoxSums<Channels>& sums) {
  const int begin = static_cast<int>(window.begin);
#pragma unroll
  for (int j = 0; j < kBoxPixelsEach<Channels>; ++j) {
    const int pixel = j * kWarpSize + static_cast<int>(threadIdx.x);
    const float* from = line + (columns.first[pixel] * Channels - begin);
#pragma unroll
    for (int t = 0; t < Taps; ++t) {
      const float weight = columns.weight[t * kBoxPixels<Channels> + pixel];
#pragma unroll
      for (int c = 0; c < Channels; ++c) {
        sums[j][c] = add_weighted(sums[j][c], weight, from[t * Channels + c]);
      }
    }
  }
}

template <int Channels>
__device__ void add_few_columns(int taps, const BoxColumns<Channels>& columns, const Window& window,
                                const float* line, BoxSums<Channels>& sums) {
  switch (taps) {
    case 1:
      return add_few_columns<1, Channels>(columns, window, line, sums);
    case 2:
      return add_few_columns<2, Channels>(columns, window, line, sums);
    case 3:
      return add_few_columns<3, Channels>(columns, window, line, sums);
    case 4:
      return add_few_columns<4, Channels>(columns, window, line, sums);
    default:
      return add_few_columns<5, Channels>(columns, window, line, sums);
  }
}

/// Rows of the input must be aligned and whole quads.
template <class T, int Channels>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, 3)
    few_kernel(Rows<const T> in, Rows<T> out, BoxWork work) {
  extern __shared__ uint4 shared[];
  const BoxMemory<T, Channels> memory(work, shared);
  const std::int64_t tile = blockIdx.x;
  const BoxColumns<Channels>& columns = memory.columns;
  columns.write(work.columns, tile * kBoxPixels<Channels>, kRowScale<T>);
  BoxOutput<T, Channels> output(out, tile, memory.stage);
  const Window window = window_from<Channels>(
      columns.first[0], std::int64_t{columns.first[kBoxPixels<Channels> - 1]} + work.columns.taps,
      work.line_elements);
  for_each_box_row<T, Channels>(work, memory, output, [&](int i, std::int64_t y) {
    mix_few_rows(in, BoxRow<T, false>(work.rows, memory.rows, i, y), window, memory.line);
    __syncwarp();
    BoxSums<Channels> sums;
    start_sums<T, Channels>(sums);
    add_few_columns<Channels>(work.columns.taps, columns, window, memory.line, sums);
    stage_sums<T, Channels>(output, sums);
  });
}

template <class T, int Channels>
void resize_boxes(const char* function, ImageView<const T> in, ImageView<T> out, bool area,
                  Stream stream) {
  if (area && resize_means<T, Channels>(function, in, out, stream)) {
    return;
  }
  const BoxWork work = box_work<T, Channels>(in, out, area);
  const bool few = work.columns.taps <= kFewTaps && work.rows.taps <= kFewTaps;
  if (few && rows_of(in).vectors && in.row_elements() % 4 == 0) {
    launch_boxes<T, Channels>(function, in, out, work, few_kernel<T, Channels>, stream);
  } else {
    resize_any_boxes<T, Channels>(function, in, out, work, stream);
  }
}

}  // namespace gxr::kernels
