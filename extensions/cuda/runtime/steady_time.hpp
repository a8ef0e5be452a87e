#pragma once

#include <chrono>
#include <cstdint>

namespace gxr::cuda {

/// The machine's steady clock, ns.
inline std::int64_t steady_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace gxr::cuda
