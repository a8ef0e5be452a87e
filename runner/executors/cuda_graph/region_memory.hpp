#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/device_engine.hpp"
#include "gxr/allocator.hpp"

namespace gxr {

/// Device memory of a region's GPU, in the order of streams: for the messages that the region
/// makes, which may outlive the run, and for itself.
class RegionMemory final : public Allocator {
 public:
  explicit RegionMemory(int device);

  void* allocate(std::size_t size, MemoryStorageType storage) override;
  /// For work of this stream. Throws Error(OutOfMemory).
  void* allocate_for(std::size_t size, DeviceStream* stream);
  void free(void* pointer) override { free_after(pointer, {}); }
  void free_after(void* pointer, const DeviceUsers& users) override { pool_->free(pointer, users); }
  [[nodiscard]] bool is_available(std::size_t /*size*/) const override { return true; }
  [[nodiscard]] std::size_t device_bytes() const override { return pool_->reserved(); }

  [[nodiscard]] int device() const noexcept { return device_; }
  /// For the region itself, until give_back(). Throws Error(OutOfMemory).
  void* take(std::size_t bytes);
  /// Blocks of so many bytes each, aligned to 256. If they are small together, they lie together,
  /// the first where small kernels on the SMs of `partition` reach it soonest. nullptr: all SMs.
  std::vector<void*> take(const std::vector<std::uint64_t>& sizes,
                          const DevicePartition* partition);
  [[nodiscard]] std::uint64_t taken_bytes() const noexcept { return taken_bytes_; }
  /// All that was taken. Nothing uses it any more.
  void give_back();

 private:
  int device_;
  std::unique_ptr<DeviceMemoryPool> pool_;
  DeviceMemoryHolder holder_;
  std::vector<void*> taken_;
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace gxr
