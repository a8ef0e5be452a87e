#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>

#include "gxf/core/handle.hpp"
#include "gxf/std/allocator.hpp"
#include "gxr/allocator.hpp"
#include "gxr/error.hpp"

namespace layer_test {

/// An allocator of gxr that counts. It has system memory, and `limit` bytes at most.
class NativeHeap final : public gxr::Allocator {
 public:
  void* allocate(std::size_t size, gxr::MemoryStorageType storage) override {
    if (storage != gxr::MemoryStorageType::System) {
      throw gxr::Error(gxr::ErrorCode::NotSupported, "this machine has no GPU");
    }
    if (size > limit) {
      throw gxr::Error(gxr::ErrorCode::OutOfMemory, "nothing is left");
    }
    ++allocated;
    last_size = size;
    return std::malloc(size == 0 ? 1 : size);
  }
  void free(void* pointer) override {
    ++freed;
    std::free(pointer);
  }
  [[nodiscard]] bool is_available(std::size_t size) const override { return size <= limit; }
  [[nodiscard]] std::size_t block_size() const override { return block; }

  int allocated = 0;
  int freed = 0;
  std::size_t last_size = 0;
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  std::size_t block = 1;
};

/// An allocator that a GXF source wrote.
class SourceHeap final : public nvidia::gxf::Allocator {
 public:
  gxf_result_t is_available_abi(uint64_t size) override {
    return size <= limit ? GXF_SUCCESS : GXF_FAILURE;
  }
  gxf_result_t allocate_abi(uint64_t size, int32_t type, void** pointer) override {
    if (size > limit) {
      return GXF_EXCEEDING_PREALLOCATED_SIZE;
    }
    ++allocated;
    last_type = type;
    *pointer = std::malloc(size == 0 ? 1 : size);
    return GXF_SUCCESS;
  }
  gxf_result_t free_abi(void* pointer) override {
    ++freed;
    std::free(pointer);
    return GXF_SUCCESS;
  }

  int allocated = 0;
  int freed = 0;
  int32_t last_type = -1;
  uint64_t limit = std::numeric_limits<uint64_t>::max();
};

/// A handle as a parameter of a source would be.
template <typename T>
nvidia::gxf::Handle<T> handle_to(T& object) {
  static int context = 0;
  return nvidia::gxf::Handle<T>(&context, 1, GxfTidNull(), &object);
}
inline nvidia::gxf::Handle<nvidia::gxf::Allocator> handle_of(nvidia::gxf::Allocator& allocator) {
  return handle_to(allocator);
}

}  // namespace layer_test
