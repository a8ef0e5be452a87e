#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "gxr/component.hpp"

namespace gxr {

/// Where memory lives. The numbers are GXF's.
enum class MemoryStorageType : std::int32_t {
  Host = 0,    ///< page-locked, reachable by the GPU; needs the CUDA extension
  Device = 1,  ///< on the GPU; needs the CUDA extension
  System = 2,  ///< the heap
};
GXR_API const char* to_string(MemoryStorageType storage) noexcept;

/// Gives memory to tensors. Thread-safe.
class GXR_API Allocator : public Component {
 public:
  ~Allocator() override;

  /// At least `size` bytes, aligned to 64 (system memory). Throws Error: OutOfMemory when there is
  /// none now, InvalidArgument for a size or storage type that this allocator never gives,
  /// NotSupported for host and device memory without the CUDA extension.
  virtual void* allocate(std::size_t size, MemoryStorageType storage) = 0;
  /// Takes back what allocate() gave; nullptr is ignored. Throws Error(InvalidArgument) for any
  /// other pointer.
  virtual void free(void* pointer) = 0;
  /// Would allocate(size) succeed now?
  [[nodiscard]] virtual bool is_available(std::size_t size) const = 0;
  /// Bytes of one block, 1 for allocators without blocks.
  [[nodiscard]] virtual std::size_t block_size() const { return 1; }
};

/// Heap memory, one call each. Large tensors come faster from a BlockMemoryPool, whose memory stays
/// mapped.
class GXR_API UnboundedAllocator final : public Allocator {
 public:
  ~UnboundedAllocator() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] bool is_available(std::size_t size) const override;

 private:
  std::mutex mutex_;
  std::unordered_set<void*> out_;  // what was allocated and not freed
};

/// `num_blocks` blocks of `block_size` bytes, allocated once; a request takes one block. Blocks
/// that are still in use at deinitialize() stay valid until they come back.
class GXR_API BlockMemoryPool final : public Allocator {
 public:
  BlockMemoryPool();
  ~BlockMemoryPool() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] bool is_available(std::size_t size) const override;
  [[nodiscard]] std::size_t block_size() const override;

 private:
  struct Arena;

  Parameter<std::int32_t> storage_type_;
  Parameter<std::uint64_t> block_size_;
  Parameter<std::uint64_t> num_blocks_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace gxr
