#pragma once

#include <cstdint>

#include "gxr/graph_operator.hpp"

struct CUstream_st;

namespace gxr::arithmetic {

/// The functions of arithmetic_cuda.so. All work on `count` elements in device memory, in the order
/// of `stream`, and wrap around on overflow. scale() and sum() can follow each other by
/// programmatic dependent launch.
struct DeviceKernels {
  /// out = in * factor + offset
  void (*scale)(const std::int32_t* in, std::int32_t* out, std::int64_t count, std::int32_t factor,
                std::int32_t offset, CUstream_st* stream);
  /// out = sum of the first `inputs` of `in`, 1 to 4
  void (*sum)(const std::int32_t* const in[4], int inputs, std::int32_t* out, std::int64_t count,
              CUstream_st* stream);
  /// Fills `out` with the number of the tensor, from 1, and rings, when the last was taken and the
  /// GPU's clock shows `due` or more; then the next is due `period_ns` later. `due` begins with 0:
  /// at once.
  void (*look)(std::int32_t* out, std::int64_t count, const Doorbell& bell, std::uint64_t* due,
               std::uint64_t period_ns, CUstream_st* stream);
};

/// Name and type of the function by which arithmetic_cuda.so gives them.
inline constexpr const char* kGetDeviceKernels = "gxr_arithmetic_device_kernels";
using GetDeviceKernels = const DeviceKernels* (*)();

/// Loads arithmetic_cuda.so the first time. Throws Error(NotSupported), which says why, without a
/// GPU.
const DeviceKernels& device_kernels();

}  // namespace gxr::arithmetic
