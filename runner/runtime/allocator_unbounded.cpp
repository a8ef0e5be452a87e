#include <string>

#include "gxr/allocator.hpp"
#include "gxr/error.hpp"
#include "runtime/allocator_memory.hpp"

namespace gxr {

UnboundedAllocator::~UnboundedAllocator() = default;

void* UnboundedAllocator::allocate(std::size_t size, MemoryStorageType storage) {
  require_system_storage(*this, storage, warned_);
  void* memory = allocate_system_memory(size);
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "': the system has no " + std::to_string(size) + " bytes");
  }
  try {
    const std::lock_guard lock(mutex_);
    out_.insert(memory);
  } catch (...) {
    std::free(memory);
    throw;
  }
  return memory;
}

void UnboundedAllocator::free(void* pointer) {
  if (pointer == nullptr) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (out_.erase(pointer) == 0) {
      throw_foreign_pointer(*this);
    }
  }
  std::free(pointer);
  announce_free();
}

bool UnboundedAllocator::is_available(std::size_t) const { return true; }

}  // namespace gxr
