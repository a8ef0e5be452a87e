#pragma once

#include <cstddef>

#include "gxr/allocator.hpp"

namespace gxr::cuda {

/// Memory that other objects of CUDA share with the host or the GPU, given back by the Runtime,
/// which waits with that until no loop runs.
class RuntimeMemory {
 public:
  RuntimeMemory() = default;
  RuntimeMemory(std::size_t bytes, MemoryStorageType storage, int device);
  RuntimeMemory(RuntimeMemory&& other) noexcept;
  RuntimeMemory& operator=(RuntimeMemory&& other) noexcept;
  ~RuntimeMemory();
  [[nodiscard]] std::byte* get() const noexcept { return memory_; }

 private:
  std::byte* memory_ = nullptr;
  MemoryStorageType storage_ = MemoryStorageType::Device;
};

}  // namespace gxr::cuda
