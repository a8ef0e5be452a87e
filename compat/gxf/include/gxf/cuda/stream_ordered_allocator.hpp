#pragma once

#include "gxf/cuda/cuda_allocator.hpp"

namespace nvidia {
namespace gxf {

/// Device memory from the driver's pool.
class GXR_GXF_API StreamOrderedAllocator : public NativeCudaAllocator {
 public:
  using NativeCudaAllocator::NativeCudaAllocator;
  ~StreamOrderedAllocator() override;
};

}  // namespace gxf
}  // namespace nvidia
