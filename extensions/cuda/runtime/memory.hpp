#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "gxr/device_runtime.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// A cudaMemPool_t of one device.
class RuntimeMemoryPool final : public DeviceMemoryPool {
 public:
  explicit RuntimeMemoryPool(const DeviceMemoryPoolOptions& options);
  ~RuntimeMemoryPool() override;
  void* allocate(std::size_t size, DeviceStream* stream) override;
  void free(void* pointer, const DeviceUsers& users) override;
  [[nodiscard]] std::size_t reserved() const override;

 private:
  int device_;
  MemoryPoolHandle pool_;
  DeviceUsers freed_on_;     ///< streams in whose order memory came back
  LeasedStream own_stream_;  ///< for memory that no stream's work has to do with
};

/// Page-locked memory in sizes of powers of two, kept when it comes back: locking pages costs
/// milliseconds, and unlocking waits for the device.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* allocate(std::size_t size);
  void free(void* pointer, const DeviceUsers& users);
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Block {
    void* pointer;
    std::vector<DeviceWork> pending;
  };
  static bool is_done(const Block& block);

  mutable std::mutex mutex_;                        // guards the members below
  std::size_t bytes_ = 0;                           // of all blocks
  std::map<std::size_t, std::vector<Block>> free_;  // by size
  std::map<void*, std::size_t> sizes_;              // of blocks that are out
};

}  // namespace gxr::cuda
