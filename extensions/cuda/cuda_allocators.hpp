#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "gxr/cuda/cuda_allocator.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Memory from a pool of the driver.
class PooledAllocator : public CudaAllocator {
 public:
  void initialize() override;
  void deinitialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  void free_after(void* pointer, const DeviceUsers& users) override;
  [[nodiscard]] bool is_available(std::size_t size) const override;
  [[nodiscard]] std::size_t device_bytes() const override;
  [[nodiscard]] bool announces_free() const noexcept override { return true; }
  void* allocate_async(std::size_t size, CUstream_st* stream) override;
  void free_async(void* pointer, CUstream_st* stream) override;

 protected:
  /// Device memory; the device is filled in by the caller.
  [[nodiscard]] virtual DeviceMemoryPoolOptions device_options() const = 0;
  /// Device memory at most, in bytes. Kept here and not by the driver, so that it ends in an error
  /// that says so.
  [[nodiscard]] virtual std::uint64_t device_memory_max_size() const = 0;
  /// Page-locked memory at most, in bytes; 0: none is given.
  [[nodiscard]] virtual std::uint64_t host_memory_max_size() const { return 0; }
  /// Page-locked memory that is made at the start, in bytes.
  [[nodiscard]] virtual std::uint64_t host_memory_initial_size() const { return 0; }

 private:
  struct Piece {
    MemoryStorageType storage;
    std::size_t size;
  };
  void* allocate_for(std::size_t size, MemoryStorageType storage, DeviceStream* stream);
  void require_room(std::size_t size, MemoryStorageType storage) const;
  [[nodiscard]] static DeviceStream& find(CUstream_st* stream);

  std::unique_ptr<DeviceMemoryPool> pool_;
  std::unique_ptr<DeviceMemoryHolder> holder_;
  std::uint64_t device_max_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::unordered_map<void*, Piece> out_;
  std::uint64_t device_out_ = 0;
  std::uint64_t host_out_ = 0;
};

/// Device memory from the driver's pool.
class StreamOrderedAllocator final : public PooledAllocator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] DeviceMemoryPoolOptions device_options() const override;
  [[nodiscard]] std::uint64_t device_memory_max_size() const override;

  Parameter<ByteSize> release_threshold_;
  Parameter<ByteSize> device_memory_initial_size_;
  Parameter<ByteSize> device_memory_max_size_;
};

/// Device and page-locked host memory from growing pools.
class RMMAllocator final : public PooledAllocator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] DeviceMemoryPoolOptions device_options() const override;
  [[nodiscard]] std::uint64_t device_memory_max_size() const override;
  [[nodiscard]] std::uint64_t host_memory_max_size() const override;
  [[nodiscard]] std::uint64_t host_memory_initial_size() const override;

  Parameter<ByteSize> device_memory_initial_size_;
  Parameter<ByteSize> device_memory_max_size_;
  Parameter<ByteSize> host_memory_initial_size_;
  Parameter<ByteSize> host_memory_max_size_;
};

}  // namespace gxr::cuda
