#include "runtime_memory.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "runtime.hpp"

namespace gxr::cuda {

RuntimeMemory::RuntimeMemory(std::size_t bytes, MemoryStorageType storage, int device)
    : memory_(static_cast<std::byte*>(
          runtime().allocate(bytes, storage, device, {.mapped = true, .write_combining = false}))),
      storage_(storage) {
  if (memory_ == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                (storage == MemoryStorageType::Device ? "GPU " + std::to_string(device) + " has"
                                                      : std::string("there are")) +
                    " no " + std::to_string(bytes) + " bytes" +
                    (storage == MemoryStorageType::Device ? "" : " of page-locked memory") +
                    " left for what a CUDA graph shares with the host");
  }
  if (storage == MemoryStorageType::Host) {
    std::memset(memory_, 0, bytes);
  }
}

RuntimeMemory::RuntimeMemory(RuntimeMemory&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), storage_(other.storage_) {}

RuntimeMemory& RuntimeMemory::operator=(RuntimeMemory&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(storage_, other.storage_);
  return *this;
}

RuntimeMemory::~RuntimeMemory() {
  if (memory_ != nullptr) {
    runtime().free(memory_, storage_);
  }
}

}  // namespace gxr::cuda
