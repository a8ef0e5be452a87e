#pragma once

#include <cstdint>

#include "gxr/allocator.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/record_format.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// What a recording says of the tensor.
TensorHeader header_of(const Tensor& tensor);
/// Header and elements; returns their bytes. Elements with gaps between them are written without
/// the gaps. Throws Error(NotSupported) for memory that the CPU cannot read.
std::uint64_t write_tensor(const Tensor& tensor, Endpoint& endpoint);

/// A header whose fields make sense together.
struct CheckedTensor {
  Shape shape;
  ElementType type = ElementType::Custom;
  MemoryStorageType storage = MemoryStorageType::System;
  std::uint64_t bytes_per_element = 0;
  Strides strides{};
  std::uint64_t bytes = 0;  ///< of all elements
};
/// Throws Error(InvalidData) that says what is wrong; `readable` is how many bytes of elements
/// there can be.
CheckedTensor check(const TensorHeader& header, std::uint64_t readable);
TensorHeader read_tensor_header(Endpoint& endpoint);

/// Reads the elements of `checked` into system memory of the allocator; `begun` bytes at `start`
/// were read before. The tensor keeps its recorded storage type.
void read_elements(const CheckedTensor& checked, Allocator& allocator, Endpoint& endpoint,
                   Tensor& tensor, const std::byte* start = nullptr, std::uint64_t begun = 0);

}  // namespace gxr
