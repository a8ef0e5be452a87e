#include "difference.hpp"
#include "gxr/kernels/compare.hpp"
#include "reduce.cuh"

namespace gxr::kernels {
namespace {

/// Sum of squared differences; exact for integers.
template <class T>
struct SquaredError {
  using Element = T;
  std::conditional_t<std::is_same_v<T, float>, double, unsigned long long> sum;

  __device__ void compare(T a, T b) { sum += squared_difference(a, b); }

  __device__ void compare(const Run<T, 1>& a, const Run<T, 1>& b) {
    if constexpr (sizeof(T) == 1) {  // four at a time
      std::uint32_t sum_of_run = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t differences = __vabsdiffu4(a.words[i], b.words[i]);
        sum_of_run = __dp4a(differences, differences, sum_of_run);
      }
      sum += sum_of_run;
    } else {
#pragma unroll
      for (int i = 0; i < a.kCount; ++i) {
        compare(a.get(i), b.get(i));
      }
    }
  }

  __device__ void add(const SquaredError& more) { sum += more.sum; }
  __device__ SquaredError from_lane(int offset) const {
    return {__shfl_down_sync(0xffffffffU, sum, offset)};
  }
};

/// Of integers as such, of float in double.
template <class T>
struct LargestDifference {
  using Element = T;
  std::conditional_t<std::is_same_v<T, float>, double, std::uint32_t> largest;

  __device__ void compare(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
      largest = larger(largest, absolute_difference(a, b));
    } else {
      const std::uint32_t difference = distance_between(a, b);
      largest = difference > largest ? difference : largest;
    }
  }

  __device__ void compare(const Run<T, 1>& a, const Run<T, 1>& b) {
    if constexpr (sizeof(T) == 1) {  // four differences at a time, maxima of two
      std::uint32_t maxima = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t differences = __vabsdiffu4(a.words[i], b.words[i]);
        maxima = __vmaxu2(maxima, differences & 0x00ff00ffU);
        maxima = __vmaxu2(maxima, __byte_perm(differences, 0, 0x4341));
      }
      add({__vmaxu2(maxima, maxima >> 16) & 0xffffU});
    } else {
#pragma unroll
      for (int i = 0; i < a.kCount; ++i) {
        compare(a.get(i), b.get(i));
      }
    }
  }

  __device__ void add(const LargestDifference& more) {
    if constexpr (std::is_same_v<T, float>) {
      largest = larger(largest, more.largest);
    } else {
      largest = more.largest > largest ? more.largest : largest;
    }
  }

  __device__ LargestDifference from_lane(int offset) const {
    return {__shfl_down_sync(0xffffffffU, largest, offset)};
  }
};

/// What becomes of the sum over all elements.
enum class Outcome : std::uint8_t { kMean, kDecibels, kAsIs };

/// Compares this thread's runs of a tile as far as they lie in the row.
template <class Partial, class T>
__device__ void compare_runs(const Run<T, 1>& a, const Run<T, 1>& b, std::int64_t elements,
                             std::int64_t tile, Partial& partial) {
  const std::int64_t left = elements - (tile * kWarpSize + threadIdx.x) * a.kCount;
  if (left >= a.kCount) {
    partial.compare(a, b);
    return;
  }
#pragma unroll
  for (int i = 0; i < a.kCount; ++i) {
    if (i < left) {
      partial.compare(a.get(i), b.get(i));
    }
  }
}

/// Every warp takes two neighbouring tiles at a time, so that more bytes are on their way.
template <class Partial>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock, 4)
    compare_kernel(Rows<const typename Partial::Element> a, Rows<const typename Partial::Element> b,
                   Tiling tiling, Partial* partials) {
  using T = typename Partial::Element;
  __shared__ Stage<1> stages[kWarpsPerBlock];
  __shared__ Partial warp_sums[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  Partial partial{};
  const Tiling pairs{(tiling.per_row + 1) / 2, tiling.rows};
  for_each_tile_of(pairs, reducing_warp(), kReducingWarps, [&](std::int64_t y, std::int64_t pair) {
    Run<T, 1> runs_a[2];
    Run<T, 1> runs_b[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (2 * pair + i < tiling.per_row) {
        load_tile(a, y, 2 * pair + i, stage, runs_a[i]);
        load_tile(b, y, 2 * pair + i, stage, runs_b[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      compare_runs(runs_a[i], runs_b[i], a.elements, 2 * pair + i, partial);
    }
  });
  write_block_sum(partial, warp_sums, partials);
}

template <class T>
__device__ double outcome_of(const SquaredError<T>& error, Outcome outcome, std::int64_t count) {
  const double mean = static_cast<double>(error.sum) / static_cast<double>(count);
  if (outcome == Outcome::kMean) {
    return mean;
  }
  constexpr double peak = static_cast<double>(full_scale<T>());
  return mean == 0.0 ? __longlong_as_double(0x7ff0000000000000LL)
                     : 10.0 * log10(peak * peak / mean);
}

template <class T>
__device__ double outcome_of(const LargestDifference<T>& difference, Outcome, std::int64_t) {
  return static_cast<double>(difference.largest);
}

template <class Partial>
__global__ void __launch_bounds__(kReducingBlocks)
    outcome_kernel(const Partial* partials, Outcome outcome, std::int64_t count, double* result) {
  __shared__ Partial warp_sums[kReducingBlocks / kWarpSize];
  const Partial sum = sum_of_block(partials[threadIdx.x], warp_sums);
  if (threadIdx.x == 0) {
    *result = outcome_of(sum, outcome, count);
  }
}

template <class Partial, class T>
void compare(const char* function, ImageView<const T> a, ImageView<const T> b, std::int64_t border,
             Outcome outcome, double* result, void* workspace, Stream stream) {
  require_same_shape(a, b);
  ImageView<const T> inner_a = inner_part(a, border);
  ImageView<const T> inner_b = inner_part(b, border);
  require(result != nullptr, "result must not be null");
  require_workspace(workspace);
  require_stream(stream);
  const std::int64_t count = inner_a.row_elements() * inner_a.height;
  join_rows(inner_a, inner_b);
  const Tiling tiling =
      tiling_of(inner_a.row_elements(), inner_a.height, static_cast<int>(16 / sizeof(T)));
  auto* partials = static_cast<Partial*>(workspace);
  launch(function, reducing_shape(), stream, compare_kernel<Partial>, rows_of(inner_a),
         rows_of(inner_b), tiling, partials);
  launch(function, {dim3(1), dim3(kReducingBlocks)}, stream, outcome_kernel<Partial>, partials,
         outcome, count, result);
}

}  // namespace

std::size_t compare_workspace_bytes() { return kReducingBlocks * sizeof(double); }

void mean_squared_error(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream) {
  compare<SquaredError<std::uint8_t>>("mean_squared_error", a, b, border, Outcome::kMean, result,
                                      workspace, stream);
}

void mean_squared_error(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream) {
  compare<SquaredError<std::uint16_t>>("mean_squared_error", a, b, border, Outcome::kMean, result,
                                       workspace, stream);
}

void mean_squared_error(ImageView<const float> a, ImageView<const float> b, std::int64_t border,
                        double* result, void* workspace, Stream stream) {
  compare<SquaredError<float>>("mean_squared_error", a, b, border, Outcome::kMean, result,
                               workspace, stream);
}

void psnr(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b, std::int64_t border,
          double* result, void* workspace, Stream stream) {
  compare<SquaredError<std::uint8_t>>("psnr", a, b, border, Outcome::kDecibels, result, workspace,
                                      stream);
}

void psnr(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b, std::int64_t border,
          double* result, void* workspace, Stream stream) {
  compare<SquaredError<std::uint16_t>>("psnr", a, b, border, Outcome::kDecibels, result, workspace,
                                       stream);
}

void psnr(ImageView<const float> a, ImageView<const float> b, std::int64_t border, double* result,
          void* workspace, Stream stream) {
  compare<SquaredError<float>>("psnr", a, b, border, Outcome::kDecibels, result, workspace, stream);
}

void max_abs_difference(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream) {
  compare<LargestDifference<std::uint8_t>>("max_abs_difference", a, b, border, Outcome::kAsIs,
                                           result, workspace, stream);
}

void max_abs_difference(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream) {
  compare<LargestDifference<std::uint16_t>>("max_abs_difference", a, b, border, Outcome::kAsIs,
                                            result, workspace, stream);
}

void max_abs_difference(ImageView<const float> a, ImageView<const float> b, std::int64_t border,
                        double* result, void* workspace, Stream stream) {
  compare<LargestDifference<float>>("max_abs_difference", a, b, border, Outcome::kAsIs, result,
                                    workspace, stream);
}

}  // namespace gxr::kernels
