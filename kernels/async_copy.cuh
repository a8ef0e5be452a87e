#pragma once

#include <cstdint>

/// Copies from global to shared memory that take place while the thread goes on.

namespace gxr::kernels {

/// Copies the first `bytes` of 16 bytes and fills up with 0; both addresses are multiples of 16.
__device__ inline void begin_copy(void* shared, const void* global, int bytes) {
  const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(bytes)
               : "memory");
}

/// Makes a group, perhaps an empty one, of this thread's copies since the last.
__device__ inline void close_copy_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until all of this thread's groups but the last `Others` have arrived.
template <int Others>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Others) : "memory");
}

}  // namespace gxr::kernels
