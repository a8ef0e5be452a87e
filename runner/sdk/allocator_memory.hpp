#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "gxr/allocator.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr {

inline constexpr std::size_t kMemoryAlignment = 64;

/// At least `size` bytes of the heap, aligned to kMemoryAlignment, to be freed with std::free;
/// nullptr when there are none.
void* allocate_system_memory(std::size_t size) noexcept;

/// Where memory lives that `allocator` gives when it is asked for `storage`: there if there is a
/// GPU. Without one system memory and a warning, unless `warned`, with `--compat gxf`;
/// Error(NotSupported) without. Error(InvalidArgument) for unknown storage types.
MemoryStorageType usable_storage(const Component& allocator, MemoryStorageType storage,
                                 std::atomic<bool>& warned);
/// Where memory would live, without a warning or an error.
MemoryStorageType expected_storage(const Component& allocator, MemoryStorageType storage) noexcept;

/// The parameter `do_not_use_cuda_malloc_host` of GXF's older files.
void declare_plain_host_memory(Interface& interface, Parameter<bool>& parameter);
/// `storage`, or system memory in the place of host memory when the parameter says so.
MemoryStorageType host_storage(MemoryStorageType storage, const Parameter<bool>& parameter);

/// Error(OutOfMemory) for page-locked memory.
[[noreturn]] void throw_out_of_host_memory(const Allocator& allocator, std::size_t bytes);

/// Error(InvalidArgument) for free() of what is not in use.
[[noreturn]] void throw_foreign_pointer(const Component& allocator);

}  // namespace gxr
