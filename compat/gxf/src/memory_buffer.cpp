#include "gxf/std/memory_buffer.hpp"

#include <memory>
#include <utility>

#include "parts.hpp"

namespace nvidia::gxf {

MemoryBuffer::MemoryBuffer(MemoryBuffer&& other) noexcept
    : pointer_(std::exchange(other.pointer_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      storage_type_(std::exchange(other.storage_type_, MemoryStorageType::kHost)),
      release_(std::exchange(other.release_, nullptr)) {}

MemoryBuffer& MemoryBuffer::operator=(MemoryBuffer&& other) noexcept {
  if (this != &other) {
    static_cast<void>(freeBuffer());
    pointer_ = std::exchange(other.pointer_, nullptr);
    size_ = std::exchange(other.size_, 0);
    storage_type_ = std::exchange(other.storage_type_, MemoryStorageType::kHost);
    release_ = std::exchange(other.release_, nullptr);
  }
  return *this;
}

MemoryBuffer::~MemoryBuffer() { static_cast<void>(freeBuffer()); }

Expected<void> MemoryBuffer::freeBuffer() {
  const release_function_t release = std::exchange(release_, nullptr);
  if (!release) {
    return Success;
  }
  byte* const memory = std::exchange(pointer_, nullptr);
  size_ = 0;
  return release(memory);
}

Expected<void> MemoryBuffer::resize(Handle<Allocator> allocator, uint64_t size,
                                    MemoryStorageType storage_type) {
  if (allocator.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const Expected<void> freed = freeBuffer();
  if (!freed) {
    return freed;
  }
  Expected<layer::Allocated> memory = layer::allocate_memory(allocator, size, storage_type);
  if (!memory) {
    pointer_ = nullptr;
    size_ = 0;
    return ForwardError(memory);
  }
  layer::Allocated& allocated = memory.value();
  pointer_ = static_cast<byte*>(allocated.pointer);
  size_ = size;
  storage_type_ = layer::from_native(allocated.storage);
  if (allocated.closure->release) {
    release_ = std::move(allocated.closure->release);
  } else {
    release_ = [keeps = std::move(allocated.closure->keeps)](void*) mutable {
      keeps.reset();
      return Success;
    };
  }
  return Success;
}

Expected<void> MemoryBuffer::wrapMemory(void* pointer, uint64_t size,
                                        MemoryStorageType storage_type,
                                        release_function_t release_func) {
  if (pointer != pointer_) {
    const Expected<void> freed = freeBuffer();
    if (!freed) {
      return freed;
    }
  }
  pointer_ = static_cast<byte*>(pointer);
  size_ = size;
  storage_type_ = storage_type;
  release_ = std::move(release_func);
  return Success;
}

}  // namespace nvidia::gxf
