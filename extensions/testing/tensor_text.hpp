#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"

namespace gxr::testing {

/// The tensors of a message with their names, in the order they were added.
struct NamedTensor {
  std::string_view name;
  const Tensor* tensor;
};
std::vector<NamedTensor> tensors_of(const Message& message);

/// Address of element `index` in row-major order; strides are followed.
const std::byte* element_at(const Tensor& tensor, const HostView& content,
                            std::uint64_t index) noexcept;

/// "float32 [2, 3] in system memory"
std::string describe(const Tensor& tensor);
/// One element as a number with `digits` digits, or with as few as read back as the same number
/// when that is 0. Custom elements: their bytes in hexadecimal.
std::string element_text(const Tensor& tensor, const std::byte* address, int digits);
/// "0x0000c07f": the bytes of an element in the order in which they lie in memory.
std::string element_bytes(const Tensor& tensor, const std::byte* address);
/// "1, 2, 3, …": at most `most` elements. Custom elements: bytes in hexadecimal.
std::string values_of(const Tensor& tensor, std::uint64_t most);

}  // namespace gxr::testing
