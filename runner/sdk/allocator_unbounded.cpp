#include <algorithm>
#include <string>

#include "gxr/allocator.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "sdk/allocator_memory.hpp"
#include "sdk/kept_memory.hpp"

namespace gxr {
namespace {

/// Unused device memory that is kept, so that the next tick does not ask the system for it again.
constexpr std::size_t kKept = std::size_t{256} << 20U;

}  // namespace

UnboundedAllocator::UnboundedAllocator() : kept_(std::make_unique<KeptMemory>()) {}
UnboundedAllocator::~UnboundedAllocator() = default;

void UnboundedAllocator::declare(Interface& interface) {
  declare_plain_host_memory(interface, do_not_use_cuda_malloc_host_);
}

/// Where memory is to live that is asked for as `storage`.
MemoryStorageType UnboundedAllocator::chosen_storage(MemoryStorageType storage) const {
  return host_storage(storage, do_not_use_cuda_malloc_host_);
}

void UnboundedAllocator::initialize() {
  const std::lock_guard lock(mutex_);
  use_.peak_bytes = use_.bytes;
  if (out_.empty()) {
    holder_.reset();
    device_pool_.reset();
  }
}

void UnboundedAllocator::deinitialize() {
  const std::lock_guard lock(mutex_);
  kept_->clear();
}

/// Call with the mutex held.
DeviceMemoryPool& UnboundedAllocator::device_pool() {
  if (device_pool_ == nullptr) {
    device_pool_ = DeviceRuntime::get().make_memory_pool(
        {.device = context().device_id(*this), .release_threshold = kKept});
    holder_ = std::make_unique<DeviceMemoryHolder>(*this);
  }
  return *device_pool_;
}

void* UnboundedAllocator::allocate(std::size_t size, MemoryStorageType storage) {
  const MemoryStorageType real = usable_storage(*this, chosen_storage(storage), warned_);
  void* memory = nullptr;
  switch (real) {
    case MemoryStorageType::System:
      memory = allocate_in_system(size);
      break;
    case MemoryStorageType::Host:
      memory = DeviceRuntime::get().allocate_pinned(size);
      if (memory == nullptr) {
        throw_out_of_host_memory(*this, size);
      }
      break;
    case MemoryStorageType::Device:
      memory = allocate_on_device(size);
      break;
  }
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "': the system has no " + std::to_string(size) + " bytes");
  }
  try {
    const std::lock_guard lock(mutex_);
    out_.emplace(memory, Piece{real, size});
    use_.bytes += size;
    use_.peak_bytes = std::max(use_.peak_bytes, use_.bytes);
  } catch (...) {
    give_back(memory, real, size, {});
    throw;
  }
  return memory;
}

void* UnboundedAllocator::allocate_in_system(std::size_t size) {
  if (!KeptMemory::keeps(size)) {
    return allocate_system_memory(size);
  }
  {
    const std::lock_guard lock(mutex_);
    if (void* const memory = kept_->take(size)) {
      return memory;
    }
  }
  void* const memory = allocate_system_memory(KeptMemory::rounded(size));
  if (memory != nullptr) {
    return memory;
  }
  {
    const std::lock_guard lock(mutex_);
    kept_->clear();  // what is kept may be what is missing
  }
  return allocate_system_memory(KeptMemory::rounded(size));
}

void* UnboundedAllocator::allocate_on_device(std::size_t size) {
  DeviceMemoryPool* pool = nullptr;
  {
    const std::lock_guard lock(mutex_);
    pool = &device_pool();
  }
  void* memory = pool->allocate(size, current_device_stream());
  if (memory == nullptr) {
    throw_out_of_device_memory(*this, size, context().device_id(*this));
  }
  return memory;
}

void UnboundedAllocator::give_back(void* pointer, MemoryStorageType storage, std::size_t size,
                                   const DeviceUsers& users) {
  switch (storage) {
    case MemoryStorageType::System:
      users.wait_on_host();
      if (KeptMemory::keeps(size)) {
        const std::lock_guard lock(mutex_);
        kept_->keep(pointer, size, KeptMemory::rounded(use_.peak_bytes));
      } else {
        std::free(pointer);
      }
      break;
    case MemoryStorageType::Host:
      DeviceRuntime::get().free_pinned(pointer, users);
      break;
    case MemoryStorageType::Device:
      device_pool_->free(pointer, users);
      break;
  }
}

void UnboundedAllocator::free(void* pointer) { free_after(pointer, {}); }

void UnboundedAllocator::free_after(void* pointer, const DeviceUsers& users) {
  if (pointer == nullptr) {
    return;
  }
  Piece piece{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = out_.find(pointer);
    if (found == out_.end()) {
      throw_foreign_pointer(*this);
    }
    piece = found->second;
    use_.bytes -= piece.size;
    out_.erase(found);
  }
  give_back(pointer, piece.storage, piece.size, users);
  announce_free();
}

MemoryStorageType UnboundedAllocator::real_storage(MemoryStorageType storage) const {
  return expected_storage(*this, chosen_storage(storage));
}

std::size_t UnboundedAllocator::device_bytes() const {
  return device_pool_ == nullptr ? 0 : device_pool_->reserved();
}

std::optional<MemoryUse> UnboundedAllocator::memory_use() const {
  const std::lock_guard lock(mutex_);
  return use_;
}

bool UnboundedAllocator::is_available(std::size_t) const { return true; }

}  // namespace gxr
