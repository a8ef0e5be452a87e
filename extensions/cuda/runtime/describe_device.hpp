#pragma once

#include "device/device_facts.hpp"

namespace gxr::cuda {

/// What CUDA and NVML say of one of `count` devices.
[[nodiscard]] DeviceFacts describe_device(int device, int count);

}  // namespace gxr::cuda
