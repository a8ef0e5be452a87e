#pragma once

#include "gxf/std/allocator.hpp"

namespace nvidia {
namespace gxf {

class GXR_GXF_API UnboundedAllocator : public NativeAllocator {
 public:
  using NativeAllocator::NativeAllocator;
  ~UnboundedAllocator() override;
};

}  // namespace gxf
}  // namespace nvidia
