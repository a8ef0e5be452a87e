#pragma once

#include <cstdint>

#include "common/span.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/cuda/cuda_stream.hpp"

namespace acme {
namespace filter {

constexpr int kMaxTaps = 15;

// Everything that a filter needs except for memory: small enough to be an argument of a kernel.
struct FilterArguments {
  int32_t rows = 0;
  int32_t columns = 0;
  int32_t tap_count = 0;
  float taps[kMaxTaps] = {};
  bool repeat_edges = true;  // else what lies outside of a row is `fill`
  float fill = 0.0f;
  float gain = 1.0f;
  float offset = 0.0f;
  float highest = 0.0f;
};

// filter_host.cpp
nvidia::gxf::Expected<void> FilterOnHost(const FilterArguments& arguments,
                                         nvidia::Span<const float> in, nvidia::Span<float> out);

// filter_kernel.cu, in builds with CUDA
nvidia::gxf::Expected<void> FilterOnDevice(const FilterArguments& arguments, const float* in,
                                           float* out, cudaStream_t stream);

}  // namespace filter
}  // namespace acme
