#pragma once

#include "gxf/std/allocator.hpp"

namespace nvidia {
namespace gxf {

class GXR_GXF_API BlockMemoryPool : public NativeAllocator {
 public:
  using NativeAllocator::NativeAllocator;
  ~BlockMemoryPool() override;
  MemoryStorageType storage_type() const;
  std::uint64_t num_blocks() const;
};

}  // namespace gxf
}  // namespace nvidia
