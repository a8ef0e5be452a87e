#pragma once

#include <cstdint>
#include <functional>

#include "common/byte.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/memory_storage.hpp"

namespace nvidia {
namespace gxf {

/// Memory from an allocator, or of somebody else with a function that gives it back.
///
/// Unlike in GXF, a buffer that another one is moved into gives back the memory that it had.
class GXR_GXF_API MemoryBuffer {
 public:
  /// Called once with the memory that nobody needs any more.
  using release_function_t = std::function<Expected<void>(void* pointer)>;

  MemoryBuffer() = default;
  MemoryBuffer(MemoryBuffer&& other) noexcept;
  MemoryBuffer& operator=(MemoryBuffer&& other) noexcept;
  MemoryBuffer(const MemoryBuffer&) = delete;
  MemoryBuffer& operator=(const MemoryBuffer&) = delete;
  virtual ~MemoryBuffer();

  /// Other memory, from an allocator that outlives the buffer.
  Expected<void> resize(Handle<Allocator> allocator, uint64_t size, MemoryStorageType storage_type);
  /// Memory of somebody else. Nobody gives it back without a function. The memory that the buffer
  /// had is given back before, unless it is the same.
  Expected<void> wrapMemory(void* pointer, uint64_t size, MemoryStorageType storage_type,
                            release_function_t release_func);
  /// Gives the memory back now.
  Expected<void> freeBuffer();

  [[nodiscard]] MemoryStorageType storage_type() const { return storage_type_; }
  [[nodiscard]] byte* pointer() const { return pointer_; }
  [[nodiscard]] uint64_t size() const { return size_; }

 private:
  byte* pointer_ = nullptr;
  uint64_t size_ = 0;
  MemoryStorageType storage_type_ = MemoryStorageType::kHost;
  release_function_t release_;
};

}  // namespace gxf
}  // namespace nvidia
