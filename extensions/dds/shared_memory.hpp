#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "dds/sample_bytes.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"

namespace gxr::dds {

/// A tensor over memory within a sample, which it keeps. `strides` nullptr: without gaps. Throws
/// what Tensor::wrap() throws.
[[nodiscard]] Tensor tensor_within(const SharedBytes& sample, const std::byte* first,
                                   const Shape& shape, ElementType type,
                                   std::uint64_t bytes_per_element = 0,
                                   const Strides* strides = nullptr);
/// Likewise. Throws what VideoBuffer::wrap() throws.
[[nodiscard]] VideoBuffer picture_within(const SharedBytes& sample, const std::byte* first,
                                         std::uint64_t size, const VideoBufferInfo& info);

}  // namespace gxr::dds
