#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "gxr/allocator.hpp"

namespace gxr {

inline constexpr std::size_t kMemoryAlignment = 64;

/// At least `size` bytes of the heap, aligned to kMemoryAlignment, to be freed with std::free;
/// nullptr when there are none.
void* allocate_system_memory(std::size_t size) noexcept;

struct SystemMemoryDeleter {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
using SystemMemory = std::unique_ptr<std::byte, SystemMemoryDeleter>;

/// Makes sure that system memory will do. Host and device memory: a warning, unless `warned`, with
/// `--compat gxf`; Error(NotSupported) without. Error(InvalidArgument) for unknown storage types.
void require_system_storage(const Component& allocator, MemoryStorageType storage,
                            std::once_flag& warned);
/// Error(InvalidArgument) for free() of what is not in use.
[[noreturn]] void throw_foreign_pointer(const Component& allocator);

}  // namespace gxr
