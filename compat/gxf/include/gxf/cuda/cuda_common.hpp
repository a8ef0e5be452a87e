#pragma once

#include "common/logger.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/cuda/cuda_types.hpp"

namespace nvidia {
namespace gxf {
namespace layer {

/// Logs a call that failed, with CUDA's name and text of the error.
GXR_GXF_API void LogCudaError(const char* file, int line, const char* call, int error) noexcept;

}  // namespace layer
}  // namespace gxf
}  // namespace nvidia

// Of the layer: logs the text and CUDA's error, then does the statement.
#define GXR_GXF_ON_CUDA_ERROR(statement, call, ...)                             \
  do {                                                                          \
    const cudaError_t gxr_gxf_cuda_error = (call);                              \
    if (gxr_gxf_cuda_error != cudaSuccess) {                                    \
      GXF_LOG_ERROR(__VA_ARGS__);                                               \
      ::nvidia::gxf::layer::LogCudaError(__FILE__, __LINE__, #call,             \
                                         static_cast<int>(gxr_gxf_cuda_error)); \
      statement;                                                                \
    }                                                                           \
  } while (0)

/// Logs a printf text and the error of a call, and returns GXF_FAILURE from a function that answers
/// an Expected.
#define CHECK_CUDA_ERROR(call, ...) \
  GXR_GXF_ON_CUDA_ERROR(return ::nvidia::gxf::Unexpected{GXF_FAILURE}, call, __VA_ARGS__)
/// The same in a function that answers a code.
#define CHECK_CUDA_ERROR_RESULT(call, ...) \
  GXR_GXF_ON_CUDA_ERROR(return GXF_FAILURE, call, __VA_ARGS__)
/// Logs only.
#define CONTINUE_CUDA_ERROR(call, ...) \
  GXR_GXF_ON_CUDA_ERROR(static_cast<void>(0), call, __VA_ARGS__)
