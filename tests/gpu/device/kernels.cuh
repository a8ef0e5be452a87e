#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime.h>

#include "device/device_loop.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::test {

/// Writes `value` everywhere, `ns` nanoseconds after the kernel began.
void fill(std::int32_t* out, std::int64_t count, std::int32_t value, std::int64_t ns,
          cudaStream_t stream);
inline void fill(std::int32_t* out, std::int64_t count, std::int32_t value, std::int64_t ns,
                 DeviceStream& stream) {
  fill(out, count, value, ns, stream.handle());
}
/// out = in + value, `ns` nanoseconds after the kernel began.
void add(const std::int32_t* in, std::int32_t* out, std::int64_t count, std::int32_t value,
         std::int64_t ns, cudaStream_t stream);
/// Writes the number of the SM that runs each of `blocks` blocks.
void note_sms(std::uint32_t* out, unsigned blocks, cudaStream_t stream);
/// Of each of some pages of 4096 bytes, cycles for 64 atomic operations there, one behind the
/// other, by two small blocks: out[2 * page + block]. `memory` is full of zeros, and stays so.
void measure_pages(std::uint32_t* memory, unsigned pages, std::uint32_t* out, cudaStream_t stream);
/// Adds an Every to a loop, in each second iteration, whose list is so long that a loop that may
/// launch itself launches it. Returns the number of the branch.
std::size_t add_long_branch(DeviceLoop& loop, const std::vector<std::size_t>& after);
/// Runs until `*flag`, in memory that the CPU writes, is not 0.
void wait_for_flag(const volatile int* flag, cudaStream_t stream);

}  // namespace gxr::test
