// poisson_cuda.so: the kernels for poisson.so.

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

#include "gxr/cuda/check.hpp"
#include "poisson/device_kernels.hpp"

namespace gxr::poisson {
namespace {

constexpr unsigned kWidth = 32;
constexpr unsigned kHeight = 8;
constexpr unsigned kWarp = 32;

/// What the blocks of a residual share.
struct Found {
  unsigned largest;  // the bits of a float that is not negative grow with it
  unsigned done;     // blocks
};
static_assert(sizeof(Found) == kResidualScratch);

/// Lets the next kernel come up, and waits for those in front.
__device__ void depend() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// As on the CPU: the same operations in the same order, none of them fused.
__device__ float neighbours(Grid grid, const float* field, int y, int x) {
  const float* const at = field + static_cast<std::ptrdiff_t>(y) * grid.width + x;
  const float above = y > 0 ? at[-grid.width] : 0.0F;
  const float below = y + 1 < grid.height ? at[grid.width] : 0.0F;
  const float left = x > 0 ? at[-1] : 0.0F;
  const float right = x + 1 < grid.width ? at[1] : 0.0F;
  return __fadd_rn(__fadd_rn(above, below), __fadd_rn(left, right));
}

__global__ void sweep_grid(Grid grid, const float* last, const float* heat, float* out) {
  depend();
  const auto x = static_cast<int>(blockIdx.x * kWidth + threadIdx.x);
  const auto y = static_cast<int>(blockIdx.y * kHeight + threadIdx.y);
  if (x < grid.width && y < grid.height) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * grid.width + x;
    out[at] = __fmul_rn(__fadd_rn(neighbours(grid, last, y, x), heat[at]), 0.25F);
  }
}

/// The last block decides.
__global__ void compare_residual(Grid grid, const float* field, const float* heat, float tolerance,
                                 std::int32_t* above, Found* found) {
  __shared__ unsigned largest;
  const unsigned thread = threadIdx.y * kWidth + threadIdx.x;
  if (thread == 0) {
    largest = 0;
  }
  __syncthreads();
  const auto x = static_cast<int>(blockIdx.x * kWidth + threadIdx.x);
  const auto y = static_cast<int>(blockIdx.y * kHeight + threadIdx.y);
  float mine = 0.0F;
  if (x < grid.width && y < grid.height) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * grid.width + x;
    const float sum = __fadd_rn(neighbours(grid, field, y, x), heat[at]);
    mine = fabsf(__fsub_rn(sum, __fmul_rn(4.0F, field[at])));
  }
  const unsigned of_warp = __reduce_max_sync(0xffffffffU, __float_as_uint(mine));
  if (thread % kWarp == 0) {
    atomicMax(&largest, of_warp);
  }
  __syncthreads();
  if (thread == 0) {
    atomicMax(&found->largest, largest);
    __threadfence();
    if (atomicAdd(&found->done, 1U) + 1 == gridDim.x * gridDim.y) {
      *above = __uint_as_float(atomicMax(&found->largest, 0U)) > tolerance ? 1 : 0;
    }
  }
}

dim3 blocks(const Grid& grid) {
  return {(static_cast<unsigned>(grid.width) + kWidth - 1) / kWidth,
          (static_cast<unsigned>(grid.height) + kHeight - 1) / kHeight};
}

void sweep_on_gpu(const Grid& grid, const float* last, const float* heat, float* out,
                  CUstream_st* stream) {
  sweep_grid<<<blocks(grid), dim3(kWidth, kHeight), 0, stream>>>(grid, last, heat, out);
  cuda::check_launch("sweep");
}

void residual_on_gpu(const Grid& grid, const float* field, const float* heat, float tolerance,
                     std::int32_t* above, void* scratch, CUstream_st* stream) {
  cuda::check(cudaMemsetAsync(scratch, 0, sizeof(Found), stream), "cudaMemsetAsync");
  compare_residual<<<blocks(grid), dim3(kWidth, kHeight), 0, stream>>>(
      grid, field, heat, tolerance, above, static_cast<Found*>(scratch));
  cuda::check_launch("residual");
}

}  // namespace
}  // namespace gxr::poisson

extern "C" __attribute__((visibility("default"))) const gxr::poisson::DeviceKernels*
gxr_poisson_device_kernels() {
  static const gxr::poisson::DeviceKernels once{gxr::poisson::sweep_on_gpu,
                                                gxr::poisson::residual_on_gpu};
  return &once;
}
