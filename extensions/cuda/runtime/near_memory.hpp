#pragma once

#include <cstddef>

#include "device/device_engine.hpp"

namespace gxr::cuda {

/// See DeviceMemoryAccess::nearest().
std::size_t nearest_place(void* memory, std::size_t bytes, int device,
                          const DevicePartition* partition);

}  // namespace gxr::cuda
