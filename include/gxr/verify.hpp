#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/tensor.hpp"

/// For operators with an implementation for the CPU and one for GPUs. In a run with `--verify`,
/// Context::verify(), such an operator works on each input in both ways and hands both results to
/// verify_result(); what it publishes is that of the device it is on.
///
///   if (context().verify()) {
///     verify_result(*this, "image", {cpu_result, gpu_result, gpu_work}, {.absolute = 1e-6});
///   }

namespace gxr {

/// How far elements a and b may lie apart: |a - b| <= absolute + relative * |a|. Both 0: equal.
/// Not-a-number only equals not-a-number. Complex numbers: |.| is their magnitude.
struct Tolerance {
  double absolute = 0;  ///< in the unit of the elements
  double relative = 0;  ///< to the magnitude of a
};

/// Where two tensors of the same shape and element type differ first, in row-major order.
struct TensorDifference {
  std::vector<std::int32_t> position;  ///< one index a dimension; [y, x, c] in a picture
  std::string first;                   ///< the element of the first tensor, as text
  std::string second;                  ///< the element of the second tensor
  std::uint64_t count = 0;             ///< elements that differ
  std::uint64_t total = 0;             ///< elements
};

/// Compares two tensors that the CPU reads; elements of types other than numbers of 8 to 128 bits
/// byte by byte. Throws Error: InvalidArgument when a tensor is in device memory, WrongType when
/// shapes or element types differ.
GXR_API std::optional<TensorDifference> compare_tensors(const Tensor& first, const Tensor& second,
                                                        const Tolerance& tolerance = {});

/// A result of the same input by both implementations. Either tensor may be anywhere.
struct TwoResults {
  const Tensor& cpu;  ///< result of the implementation for the CPU
  const Tensor& gpu;  ///< result of the implementation for GPUs
  DeviceWork work;    ///< that writes `gpu`, and `cpu` if that is in device memory
};

/// Compares both results, waiting for `work`, and counts them for the line at the end of the run.
/// Throws Error(Failure) that names tensor, position, both values, and how many elements differ.
GXR_API void verify_result(const Component& component, std::string_view tensor_name,
                           const TwoResults& results, const Tolerance& tolerance = {});

}  // namespace gxr
