#include <cuda_runtime.h>

#include "filter_kernel.hpp"

namespace acme {
namespace filter {

namespace {

__global__ void Convolve(FilterArguments arguments, const float* in, float* out) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= arguments.columns) {
    return;
  }
  const float* source = in + static_cast<size_t>(row) * arguments.columns;
  float sum = 0.0f;
  for (int tap = 0; tap < arguments.tap_count; ++tap) {
    const int at = column + tap - arguments.tap_count / 2;
    const bool outside = at < 0 || at >= arguments.columns;
    const float value = outside && !arguments.repeat_edges
                            ? arguments.fill
                            : source[min(max(at, 0), arguments.columns - 1)];
    sum += arguments.taps[tap] * value;
  }
  out[static_cast<size_t>(row) * arguments.columns + column] =
      fminf(sum * arguments.gain + arguments.offset, arguments.highest);
}

}  // namespace

nvidia::gxf::Expected<void> FilterOnDevice(const FilterArguments& arguments, const float* in,
                                           float* out, cudaStream_t stream) {
  constexpr int kThreads = 128;
  const dim3 blocks((arguments.columns + kThreads - 1) / kThreads, arguments.rows);
  Convolve<<<blocks, kThreads, 0, stream>>>(arguments, in, out);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    GXF_LOG_ERROR("The kernel was not started: %s", cudaGetErrorString(error));
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  return nvidia::gxf::Success;
}

}  // namespace filter
}  // namespace acme
