#include "gxr/multimedia/owned_memory.hpp"

#include <exception>
#include <utility>

#include "device/memory_copy.hpp"

namespace gxr {
OwnedMemory::OwnedMemory(OwnedMemory&& other) noexcept { *this = std::move(other); }

OwnedMemory& OwnedMemory::operator=(OwnedMemory&& other) noexcept {
  if (this != &other) {
    reset();
    pointer_ = std::exchange(other.pointer_, nullptr);
    size_ = std::exchange(other.size_, 0);
    storage_ = std::exchange(other.storage_, MemoryStorageType::System);
    owner_ = std::exchange(other.owner_, nullptr);
    release_ = std::exchange(other.release_, nullptr);
    allocated_ = std::exchange(other.allocated_, false);
    users_ = std::move(other.users_);
  }
  return *this;
}

OwnedMemory::~OwnedMemory() { reset(); }

void OwnedMemory::allocate(Allocator& allocator, std::uint64_t size, MemoryStorageType storage) {
  reset();
  wrap(allocator.allocate(size, storage), size, allocator.real_storage(storage), &allocator,
       Allocator::release);
  allocated_ = true;
  if (DeviceStream* const stream = current_device_stream(); stream != nullptr) {
    add_device_user(*stream);
  }
}

void OwnedMemory::wrap(void* pointer, std::uint64_t size, MemoryStorageType storage, void* owner,
                       ReleaseFunction release) noexcept {
  reset();
  pointer_ = pointer;
  size_ = size;
  storage_ = storage;
  owner_ = owner;
  release_ = release;
}

bool OwnedMemory::add_device_user(DeviceStream& stream) const {
  if (storage_ == MemoryStorageType::System) {
    return false;
  }
  users_.add(stream);
  return true;
}

OwnedMemory OwnedMemory::copy(DeviceWork& work) const {
  OwnedMemory copy;
  if (size_ == 0) {
    return copy;
  }
  DeviceStream* const stream = current_device_stream();
  if (stream != nullptr) {
    add_device_user(*stream);  // before the copy is given to it
  }
  Allocator* const allocator = allocated_ ? static_cast<Allocator*>(owner_) : nullptr;
  const CopiedMemory memory = copy_memory({pointer_, size_, storage_, allocator, storage_}, work);
  copy.wrap(memory.pointer, size_, storage_, memory.owner, memory.release);
  copy.allocated_ = allocator != nullptr;
  if (stream != nullptr) {
    copy.add_device_user(*stream);
  }
  return copy;
}

void OwnedMemory::before_write() const { order_behind(users_); }

void OwnedMemory::give_back() noexcept {
  const ReleaseFunction release = std::exchange(release_, nullptr);
  if (release == nullptr) {
    return;
  }
  if (allocated_ && !users_.empty()) {
    Allocator::release_after(*static_cast<Allocator*>(owner_), pointer_, users_);
    return;
  }
  if (users_.finish_on_host()) {
    release(owner_, pointer_);
  }
}

void OwnedMemory::reset() noexcept {
  give_back();
  users_.clear();
  allocated_ = false;
  owner_ = nullptr;
  pointer_ = nullptr;
  size_ = 0;
  storage_ = MemoryStorageType::System;
}

}  // namespace gxr
