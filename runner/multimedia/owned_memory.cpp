#include "gxr/multimedia/owned_memory.hpp"

#include <exception>
#include <utility>

namespace gxr {
OwnedMemory::OwnedMemory(OwnedMemory&& other) noexcept { *this = std::move(other); }

OwnedMemory& OwnedMemory::operator=(OwnedMemory&& other) noexcept {
  if (this != &other) {
    reset();
    pointer_ = other.pointer_;
    size_ = other.size_;
    storage_ = other.storage_;
    const Duty duty = other.hand_over();
    owner_ = duty.owner;
    release_ = duty.release;
  }
  return *this;
}

OwnedMemory::~OwnedMemory() { reset(); }

void OwnedMemory::allocate(Allocator& allocator, std::uint64_t size, MemoryStorageType storage) {
  reset();
  wrap(allocator.allocate(size, storage), size, storage, &allocator, Allocator::release);
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

void OwnedMemory::reset() noexcept {
  void* const pointer = pointer_;
  const Duty duty = hand_over();
  if (duty.release != nullptr) {
    duty.release(duty.owner, pointer);
  }
}

OwnedMemory::Duty OwnedMemory::hand_over() noexcept {
  const Duty duty{std::exchange(owner_, nullptr), std::exchange(release_, nullptr)};
  pointer_ = nullptr;
  size_ = 0;
  storage_ = MemoryStorageType::System;
  return duty;
}

}  // namespace gxr
