#pragma once

#include "device/device_facts.hpp"

namespace gxr::cuda {

/// The facts that CUDA and NVML give about one of `count` devices.
[[nodiscard]] DeviceFacts describe_device(int device, int count);

}  // namespace gxr::cuda
