#pragma once

#include <cstdint>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"

namespace gxr {

/// Memory of a part, and where it came from.
struct PartMemory {
  const void* pointer;
  std::uint64_t bytes;
  MemoryStorageType storage;
  Allocator* allocator;     ///< nullptr: memory of somebody else
  MemoryStorageType asked;  ///< what the allocator was asked for
};

/// A copy of such memory: from the allocator if there was one, else from the heap or the driver.
struct CopiedMemory {
  void* pointer;
  void* owner;
  void (*release)(void* owner, void* pointer) noexcept;
  DeviceStream* user;  ///< whose work writes it, after the call
};

/// `work` may still write `from`; afterwards it is what writes the copy. Device memory is copied by
/// the stream of the tick that runs, else of `work`; without either the call waits.
/// Throws what the allocator throws, and Error: OutOfMemory, Device.
CopiedMemory copy_memory(const PartMemory& from, DeviceWork& work);

}  // namespace gxr
