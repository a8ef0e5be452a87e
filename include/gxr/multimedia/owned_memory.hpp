#pragma once

#include <cstdint>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"
#include "gxr/export.hpp"

namespace gxr {

/// Memory of a picture or a sound: from an allocator, or of somebody else with a function that
/// gives it back. Move-only.
class GXR_API OwnedMemory {
 public:
  /// Called once with the owner and the pointer when the memory is no longer needed.
  using ReleaseFunction = void (*)(void* owner, void* pointer) noexcept;

  OwnedMemory() = default;
  /// The other object has no memory afterwards.
  OwnedMemory(OwnedMemory&& other) noexcept;
  /// Likewise; the memory that this object had is given back.
  OwnedMemory& operator=(OwnedMemory&& other) noexcept;
  ~OwnedMemory();

  /// Content undefined. The allocator must outlive the memory. Throws what the allocator throws;
  /// then the memory before is gone.
  void allocate(Allocator& allocator, std::uint64_t size, MemoryStorageType storage);
  /// `release` may be null: then the memory must outlive this.
  void wrap(void* pointer, std::uint64_t size, MemoryStorageType storage, void* owner,
            ReleaseFunction release) noexcept;
  /// Gives the memory back now. An allocator uses it again after the device work of its users; for
  /// memory of others the call waits for that.
  void reset() noexcept;
  /// Says that work which `stream` has, or is given while this lives, uses the memory. False for
  /// system memory, which devices do not reach.
  bool add_device_user(DeviceStream& stream) const;
  /// As copy_part() of a Tensor.
  [[nodiscard]] OwnedMemory copy(DeviceWork& work) const;
  /// Orders what the caller writes next behind the device work of its users.
  void before_write() const;

  /// Where it begins; nullptr for none.
  [[nodiscard]] void* pointer() noexcept { return pointer_; }
  /// The same, to be read.
  [[nodiscard]] const void* pointer() const noexcept { return pointer_; }
  /// Bytes.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Where the memory is.
  [[nodiscard]] MemoryStorageType storage_type() const noexcept { return storage_; }
  /// The owner that wrap() was told, if `release` gives the memory back; else nullptr.
  [[nodiscard]] void* owner_for(ReleaseFunction release) const noexcept {
    return release_ == release ? owner_ : nullptr;
  }

 private:
  void give_back() noexcept;

  void* pointer_ = nullptr;
  std::uint64_t size_ = 0;
  MemoryStorageType storage_ = MemoryStorageType::System;
  void* owner_ = nullptr;
  ReleaseFunction release_ = nullptr;
  bool allocated_ = false;     // owner_ is an Allocator
  mutable DeviceUsers users_;  // those who read are users, too
};

}  // namespace gxr
