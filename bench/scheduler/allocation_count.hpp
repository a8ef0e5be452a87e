#pragma once

#include <cstdint>

namespace gxr::bench {

/// Calls of operator new by the whole process (libgxr.so and extensions included) so far.
std::uint64_t allocation_count() noexcept;

}  // namespace gxr::bench
