#pragma once

#include "gxr/allocator.hpp"
#include "gxr/tensor.hpp"

/// Memory for pictures on the side where they are worked on, whatever the application's pool gives.

namespace gxr::image {

/// Gives a tensor memory that the CPU reaches: from `pool`, or from the heap where that is null or
/// gives device memory. Throws what the pool throws, Error(OutOfMemory).
void allocate_on_host(Tensor& tensor, Allocator* pool, const Shape& shape, ElementType type);

/// Gives a tensor memory of GPU number `device` in the order of the present tick's stream: from
/// `pool`, or from memory that this extension keeps for the process where that is null or gives
/// other memory. Throws what the pool throws, Error(OutOfMemory).
void allocate_on_device(Tensor& tensor, Allocator* pool, const Shape& shape, ElementType type,
                        int device);

}  // namespace gxr::image
