#pragma once

#include <cstddef>

#include "poisson/grid.hpp"

struct CUstream_st;

namespace gxr::poisson {

/// The functions of poisson_cuda.so, in the order of `stream`, on grids in device memory.
struct DeviceKernels {
  /// See sweep(). May follow others by programmatic dependent launch.
  void (*sweep)(const Grid& grid, const float* last, const float* heat, float* out,
                CUstream_st* stream);
  /// Writes 1 when the residual is above `tolerance`, else 0. `scratch`: kResidualScratch bytes of
  /// device memory.
  void (*residual)(const Grid& grid, const float* field, const float* heat, float tolerance,
                   std::int32_t* above, void* scratch, CUstream_st* stream);
};

inline constexpr std::size_t kResidualScratch = 8;

/// Name and type of the function by which poisson_cuda.so gives them.
inline constexpr const char* kGetDeviceKernels = "gxr_poisson_device_kernels";
using GetDeviceKernels = const DeviceKernels* (*)();

/// Loads poisson_cuda.so the first time. Throws Error(NotSupported), which says why, without a GPU.
const DeviceKernels& device_kernels();

}  // namespace gxr::poisson
