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
  Allocator* allocator;     ///< nullptr: memory of another owner
  MemoryStorageType asked;  ///< what the allocator was asked for
};

/// A copy of such memory: from the allocator if there was one, else from the heap or the driver.
struct CopiedMemory {
  void* pointer;
  void* owner;
  void (*release)(void* owner, void* pointer) noexcept;
};

/// `work`: in, work that may still write `from`; out, work that writes the copy. In a tick with
/// device work, its stream copies host and device memory; elsewhere the copy is there on return.
/// Throws what the allocator throws, and Error: OutOfMemory, Device.
CopiedMemory copy_memory(const PartMemory& from, DeviceWork& work);

/// The next writer of the memory writes behind the work of its users: the stream of the tick waits
/// for that, else the caller.
void order_behind(const DeviceUsers& users);

}  // namespace gxr
