#include "device/device_facts.hpp"

namespace gxr {

std::string explain_no_device(const NoDeviceFacts& facts) {
  if (facts.driver_missing) {
    return "no driver for NVIDIA's GPUs is installed";
  }
  if (facts.driver_too_old) {
    return "the driver of the GPU is too old: it knows CUDA up to " + facts.driver +
           ", and gxr was built with CUDA " + facts.runtime;
  }
  if (facts.visible) {
    return facts.visible->empty()
               ? "CUDA_VISIBLE_DEVICES is empty, which hides all GPUs"
               : "CUDA_VISIBLE_DEVICES is '" + *facts.visible + "', which shows no GPU";
  }
  return "the driver sees no GPU";
}

}  // namespace gxr
