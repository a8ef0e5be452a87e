#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// An allocator with limits that fails the run when memory was not given back. Host and device
/// memory are counted apart, but all of it is system memory.
class MockAllocator final : public Allocator {
 public:
  ~MockAllocator() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void* allocate(std::size_t size, MemoryStorageType storage) override;
  void free(void* pointer) override;
  [[nodiscard]] MemoryStorageType real_storage(MemoryStorageType) const override {
    return MemoryStorageType::System;
  }
  [[nodiscard]] bool is_available(std::size_t size) const override;
  [[nodiscard]] bool announces_free() const noexcept override { return true; }

 private:
  struct Piece {
    std::size_t size;
    std::size_t storage;
  };
  static constexpr std::size_t kTypes = 3;

  [[nodiscard]] const Parameter<std::size_t>& limit(std::size_t storage) const noexcept;
  /// Bytes that may still be taken; with the lock held.
  [[nodiscard]] std::size_t left(std::size_t storage) const;

  Parameter<bool> ignore_memory_leak_;
  Parameter<bool> fail_on_free_;
  Parameter<std::size_t> max_block_size_;
  Parameter<std::size_t> max_host_allocation_;
  Parameter<std::size_t> max_device_allocation_;
  Parameter<std::size_t> max_system_allocation_;

  mutable std::mutex mutex_;  // guards the members below
  std::unordered_map<void*, Piece> out_;
  std::array<std::size_t, kTypes> taken_{};
};

}  // namespace gxr::testing
