#pragma once

#include "gxf/cuda/cuda_allocator.hpp"

namespace nvidia {
namespace gxf {

/// Device and page-locked memory from growing pools.
class GXR_GXF_API RMMAllocator : public NativeCudaAllocator {
 public:
  using NativeCudaAllocator::NativeCudaAllocator;
  ~RMMAllocator() override;
};

}  // namespace gxf
}  // namespace nvidia
