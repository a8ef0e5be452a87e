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
/// "1, 2, 3, …": at most `most` elements. Element types without a number: bytes in hexadecimal.
std::string values_of(const Tensor& tensor, std::uint64_t most);

}  // namespace gxr::testing
