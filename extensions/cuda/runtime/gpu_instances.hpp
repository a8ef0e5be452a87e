#pragma once

#include "device/device_facts.hpp"

namespace gxr::cuda {

/// The instances (MIG) that a GPU is divided into.
struct GpuInstances {
  InstanceMode mode = InstanceMode::Unknown;
  unsigned count = 0;
};

/// Asks NVML, which comes with the driver, about the GPU at a PCI address. Changes nothing.
[[nodiscard]] GpuInstances find_instances(const char* pci_address);

}  // namespace gxr::cuda
