#include <algorithm>

#include "arguments.hpp"
#include "element.hpp"
#include "gxr/kernels/resize.hpp"
#include "resize_taps.hpp"
#include "tile.cuh"

namespace gxr::kernels {
namespace {

enum class Filter : std::uint8_t { kNearest, kBilinear, kArea };

/// One axis, like AxisTaps, in the workspace: weights of tap t from weight + t * out_length on.
struct DeviceTaps {
  std::int64_t in_length;
  std::int64_t out_length;
  std::int64_t count;
  Filter filter;
  std::int32_t* first;
  float* weight;
};

/// An axis that does not shrink is interpolated.
Filter filter_of_axis(Filter filter, std::int64_t in_length, std::int64_t out_length) {
  return filter == Filter::kArea && out_length >= in_length ? Filter::kBilinear : filter;
}

std::int64_t tap_count(Filter filter, std::int64_t in_length, std::int64_t out_length) {
  switch (filter_of_axis(filter, in_length, out_length)) {
    case Filter::kNearest:
      return 1;
    case Filter::kBilinear:
      return bilinear_tap_count(in_length);
    case Filter::kArea:
      break;
  }
  return area_tap_count(in_length, out_length);
}

std::int64_t padded(std::int64_t numbers) { return (numbers + 3) / 4 * 4; }

/// Numbers of four bytes that an axis needs.
std::int64_t axis_numbers(std::int64_t count, std::int64_t out_length) {
  return padded(out_length) + padded(count * out_length);
}

DeviceTaps axis_taps(Filter filter, std::int64_t in_length, std::int64_t out_length,
                     std::int32_t* numbers) {
  return {in_length,
          out_length,
          tap_count(filter, in_length, out_length),
          filter_of_axis(filter, in_length, out_length),
          numbers,
          reinterpret_cast<float*>(numbers + padded(out_length))};
}

__device__ void write_taps(const DeviceTaps& taps, std::int64_t i) {
  if (taps.filter == Filter::kNearest) {
    taps.first[i] = static_cast<std::int32_t>(nearest_index(i, taps.in_length, taps.out_length));
  } else if (taps.filter == Filter::kBilinear) {
    const BilinearTap tap = bilinear_tap(i, taps.in_length, taps.out_length);
    taps.first[i] = tap.first;
    taps.weight[i] = 1.0F - tap.second;
    if (taps.count == 2) {
      taps.weight[taps.out_length + i] = tap.second;
    }
  } else {
    const std::int64_t first = area_first(i, taps.in_length, taps.out_length, taps.count);
    taps.first[i] = static_cast<std::int32_t>(first);
    for (std::int64_t t = 0; t < taps.count; ++t) {
      taps.weight[t * taps.out_length + i] =
          area_weight(i, first + t, taps.in_length, taps.out_length);
    }
  }
}

__global__ void taps_kernel(DeviceTaps columns, DeviceTaps rows) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < columns.out_length) {
    write_taps(columns, i);
  } else if (i - columns.out_length < rows.out_length) {
    write_taps(rows, i - columns.out_length);
  }
}

/// How a pixel is made. `x` and `y` are the output's.
template <class T, int Channels>
struct NearestPixel {
  __device__ static void make(const Rows<const T>& in, const DeviceTaps& columns,
                              const DeviceTaps& rows, std::int64_t x, std::int64_t y,
                              T (&pixel)[Channels]) {
    const T* from = in.row(rows.first[y]) + std::int64_t{columns.first[x]} * Channels;
#pragma unroll
    for (int c = 0; c < Channels; ++c) {
      pixel[c] = from[c];
    }
  }
};

/// Two taps in both directions; rows are mixed before columns, in the host's order.
template <class T, int Channels>
struct FourTapPixel {
  __device__ static void make(const Rows<const T>& in, const DeviceTaps& columns,
                              const DeviceTaps& rows, std::int64_t x, std::int64_t y,
                              T (&pixel)[Channels]) {
    const std::int64_t first = rows.first[y];
    const T* lines[2] = {in.row(first), in.row(first + 1)};
    const float row_weights[2] = {rows.weight[y], rows.weight[rows.out_length + y]};
    const std::int64_t offset = std::int64_t{columns.first[x]} * Channels;
    const float left = columns.weight[x];
    const float right = columns.weight[columns.out_length + x];
#pragma unroll
    for (int c = 0; c < Channels; ++c) {
      const float first_sum = left * mix(lines, row_weights, offset + c);
      pixel[c] = quantize<T>(first_sum + right * mix(lines, row_weights, offset + Channels + c));
    }
  }

 private:
  /// A row of weight 0 counts only if it is the first, as on the host.
  __device__ static float mix(const T* const (&lines)[2], const float (&weights)[2],
                              std::int64_t element) {
    const float upper = weights[0] * static_cast<float>(lines[0][element]);
    const float lower = weights[1] * static_cast<float>(lines[1][element]);
    return weights[1] != 0.0F ? upper + lower : upper;
  }
};

/// Any number of taps.
template <class T, int Channels>
struct WeightedPixel {
  __device__ static void make(const Rows<const T>& in, const DeviceTaps& columns,
                              const DeviceTaps& rows, std::int64_t x, std::int64_t y,
                              T (&pixel)[Channels]) {
    const auto count = static_cast<int>(columns.count);
    std::int64_t offset = std::int64_t{columns.first[x]} * Channels;
    float sums[Channels];
    for (int t = 0; t < count; ++t, offset += Channels) {
      const float weight = columns.weight[t * columns.out_length + x];
      float tall[Channels];
      mix_rows(in, rows, y, offset, tall);
#pragma unroll
      for (int c = 0; c < Channels; ++c) {
        sums[c] = t == 0 ? weight * tall[c] : sums[c] + weight * tall[c];
      }
    }
#pragma unroll
    for (int c = 0; c < Channels; ++c) {
      pixel[c] = quantize<T>(sums[c]);
    }
  }

 private:
  __device__ static void mix_rows(const Rows<const T>& in, const DeviceTaps& rows, std::int64_t y,
                                  std::int64_t offset, float (&tall)[Channels]) {
    const auto count = static_cast<int>(rows.count);
    const std::int64_t first = rows.first[y];
#pragma unroll 2
    for (int t = 0; t < count; ++t) {
      const float weight = rows.weight[t * rows.out_length + y];
      const T* from = in.row(first + t) + offset;
      if (t == 0 || weight != 0.0F) {
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
          const float part = weight * static_cast<float>(from[c]);
          tall[c] = t == 0 ? part : tall[c] + part;
        }
      }
    }
  }
};

/// Neighbouring threads make neighbouring pixels, so that they read close to each other.
template <template <class, int> class Pixel, class T, int Channels>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, 4)
    resize_kernel(Rows<const T> in, Rows<T> out, Tiling tiling, DeviceTaps columns,
                  DeviceTaps rows) {
  using Part = TilePart<T, Channels>;
  __shared__ Stage<Channels> stages[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  constexpr int tile_pixels = Part::kTile / Channels;
  for_each_tile(tiling, [&](std::int64_t y, std::int64_t tile) {
    const Part part(out, y, tile);
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < tile_pixels; i += kWarpSize) {
      const std::int64_t x = tile * tile_pixels + i;
      if (x < columns.out_length) {
        T pixel[Channels];
        Pixel<T, Channels>::make(in, columns, rows, x, y, pixel);
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
          part.template in_stage<T>(stage, i * Channels + c) = pixel[c];
        }
      }
    }
    flush_tile(part, out.vectors, stage);
  });
}

template <template <class, int> class Pixel, class T, int Channels>
void launch_resize(const char* function, ImageView<const T> in, ImageView<T> out,
                   const DeviceTaps& columns, const DeviceTaps& rows, Stream stream) {
  const Tiling tiling = tiling_of(out.width, out.height, static_cast<int>(16 / sizeof(T)));
  launch(function, shape_of(tiling), stream, resize_kernel<Pixel, T, Channels>, rows_of(in),
         rows_of(out), tiling, columns, rows);
}

template <template <class, int> class Pixel, class T>
void resize_by(const char* function, ImageView<const T> in, ImageView<T> out,
               const DeviceTaps& columns, const DeviceTaps& rows, Stream stream) {
  constexpr decltype(&launch_resize<Pixel, T, 1>) by_channels[] = {
      launch_resize<Pixel, T, 1>, launch_resize<Pixel, T, 2>, launch_resize<Pixel, T, 3>,
      launch_resize<Pixel, T, 4>};
  by_channels[in.channels - 1](function, in, out, columns, rows, stream);
}

template <class T>
void resize(const char* function, Filter filter, ImageView<const T> in, ImageView<T> out,
            void* workspace, Stream stream) {
  constexpr std::int64_t threads = 128;
  require_resizable(in, out);
  require_workspace(workspace);
  require_stream(stream);
  auto* numbers = static_cast<std::int32_t*>(workspace);
  const DeviceTaps columns = axis_taps(filter, in.width, out.width, numbers);
  const DeviceTaps rows =
      axis_taps(filter, in.height, out.height, numbers + axis_numbers(columns.count, out.width));
  const std::int64_t blocks = (out.width + out.height + threads - 1) / threads;
  launch(function, {dim3(static_cast<unsigned>(blocks)), dim3(threads)}, stream, taps_kernel,
         columns, rows);
  if (filter == Filter::kNearest) {
    resize_by<NearestPixel>(function, in, out, columns, rows, stream);
  } else if (columns.count == 2 && rows.count == 2) {
    resize_by<FourTapPixel>(function, in, out, columns, rows, stream);
  } else {
    resize_by<WeightedPixel>(function, in, out, columns, rows, stream);
  }
}

}  // namespace

std::size_t resize_workspace_bytes(std::int64_t in_width, std::int64_t in_height,
                                   std::int64_t out_width, std::int64_t out_height) {
  if (std::min({in_width, in_height, out_width, out_height}) < 1) {
    return 0;
  }
  const std::int64_t columns =
      axis_numbers(tap_count(Filter::kArea, in_width, out_width), out_width);
  const std::int64_t rows =
      axis_numbers(tap_count(Filter::kArea, in_height, out_height), out_height);
  return static_cast<std::size_t>(columns + rows) * 4;
}

template <class T>
void resize_nearest(ImageInput<T> in, ImageView<T> out, void* workspace, Stream stream) {
  resize<T>("resize_nearest", Filter::kNearest, in, out, workspace, stream);
}

template <class T>
void resize_bilinear(ImageInput<T> in, ImageView<T> out, void* workspace, Stream stream) {
  resize<T>("resize_bilinear", Filter::kBilinear, in, out, workspace, stream);
}

template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out, void* workspace, Stream stream) {
  resize<T>("resize_area", Filter::kArea, in, out, workspace, stream);
}

template void resize_nearest(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, void*, Stream);
template void resize_nearest(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, void*,
                             Stream);
template void resize_nearest(ImageView<const float>, ImageView<float>, void*, Stream);
template void resize_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, void*,
                              Stream);
template void resize_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, void*,
                              Stream);
template void resize_bilinear(ImageView<const float>, ImageView<float>, void*, Stream);
template void resize_area(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, void*, Stream);
template void resize_area(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, void*, Stream);
template void resize_area(ImageView<const float>, ImageView<float>, void*, Stream);

}  // namespace gxr::kernels
