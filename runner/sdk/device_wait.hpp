#pragma once

#include <cstdint>

namespace gxr {

/// When this thread last had the data of a message from Receiver::receive() that the GPU was still
/// to make, by the steady clock, ns; 0: never.
[[nodiscard]] std::int64_t last_device_wait() noexcept;

}  // namespace gxr
