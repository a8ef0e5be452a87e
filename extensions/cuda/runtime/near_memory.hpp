#pragma once

#include <cstddef>

#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

/// See DeviceRuntime::nearest().
std::size_t nearest_place(void* memory, std::size_t bytes, int device,
                          const DevicePartition* partition);

}  // namespace gxr::cuda
