#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Gives device memory in the order of a stream's work.
class CudaAllocator : public Allocator {
 public:
  /// Like allocate() and free(), but the memory may be used, and is given back, when the work that
  /// `stream` (a cudaStream_t) has so far is done. Without a device both throw
  /// Error(NotSupported).
  virtual void* allocate_async(std::size_t size, void* stream) = 0;
  virtual void free_async(void* pointer, void* stream) = 0;
};

/// The parts of a CudaAllocator that need a device; here every one fails.
class DeviceAllocator : public CudaAllocator {
 public:
  void initialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] bool is_available(std::size_t) const override { return false; }
  void* allocate_async(std::size_t size, void* stream) override;
  void free_async(void* pointer, void* stream) override;
};

/// Device memory from the driver's pool.
class StreamOrderedAllocator final : public DeviceAllocator {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<ByteSize> release_threshold_;
  Parameter<ByteSize> device_memory_initial_size_;
  Parameter<ByteSize> device_memory_max_size_;
};

/// Device and page-locked host memory from growing pools.
class RMMAllocator final : public DeviceAllocator {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<ByteSize> device_memory_initial_size_;
  Parameter<ByteSize> device_memory_max_size_;
  Parameter<ByteSize> host_memory_initial_size_;
  Parameter<ByteSize> host_memory_max_size_;
};

/// Hands out CUDA streams.
class CudaStreamPool final : public Allocator {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] bool is_available(std::size_t) const override { return false; }

 private:
  Parameter<std::uint32_t> stream_flags_;
  Parameter<std::int32_t> stream_priority_;
  Parameter<std::uint32_t> reserved_size_;
  Parameter<std::uint32_t> max_size_;
};

}  // namespace gxr::cuda
