#pragma once

#include "cuda_call.hpp"

namespace gxr::cuda {

/// Makes a device the thread's current one, and the one before again in the end.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    cuda_check("cudaGetDevice", cudaGetDevice(&before_));
    if (device != before_) {
      cuda_check("cudaSetDevice", cudaSetDevice(device));
    }
    changed_ = device != before_;
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (changed_) {
      static_cast<void>(cudaSetDevice(before_));
    }
  }

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace gxr::cuda
