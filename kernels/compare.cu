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
  __device__ void add(const SquaredError& more) { sum += more.sum; }
  __device__ SquaredError from_lane(int offset) const {
    return {__shfl_down_sync(0xffffffffU, sum, offset)};
  }
};

template <class T>
struct LargestDifference {
  using Element = T;
  double largest;

  __device__ void compare(T a, T b) { largest = larger(largest, absolute_difference(a, b)); }
  __device__ void add(const LargestDifference& more) { largest = larger(largest, more.largest); }
  __device__ LargestDifference from_lane(int offset) const {
    return {__shfl_down_sync(0xffffffffU, largest, offset)};
  }
};

/// What becomes of the sum over all elements.
enum class Outcome : std::uint8_t { kMean, kDecibels, kAsIs };

template <class Partial>
__global__ void __launch_bounds__(kWarpSize* kWarpsPerBlock)
    compare_kernel(Rows<const typename Partial::Element> a, Rows<const typename Partial::Element> b,
                   Tiling tiling, Partial* partials) {
  using T = typename Partial::Element;
  __shared__ Stage<1> stages[kWarpsPerBlock];
  __shared__ Partial warp_sums[kWarpsPerBlock];
  uint4* stage = stages[warp_in_block()].chunks;
  Partial partial{};
  for_each_tile_of(tiling, reducing_warp(), kReducingWarps, [&](std::int64_t y, std::int64_t tile) {
    Run<T, 1> run_a;
    Run<T, 1> run_b;
    load_tile(a, y, tile, stage, run_a);
    load_tile(b, y, tile, stage, run_b);
    const std::int64_t left = a.elements - (tile * kWarpSize + threadIdx.x) * run_a.kCount;
#pragma unroll
    for (int i = 0; i < run_a.kCount; ++i) {
      if (i < left) {
        partial.compare(run_a.get(i), run_b.get(i));
      }
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
  return difference.largest;
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
