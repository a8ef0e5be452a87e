#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

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

/// Throws Error(NotSupported) for host and device memory and Error(InvalidArgument) for unknown
/// storage types.
void require_system_storage(const Component& allocator, MemoryStorageType storage);
/// Error(InvalidArgument) for free() of what is not in use.
[[noreturn]] void throw_foreign_pointer(const Component& allocator);

}  // namespace gxr
