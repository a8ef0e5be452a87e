#include "devices.hpp"

#include <algorithm>
#include <string>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

int count_devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw Error(ErrorCode::NotSupported, cuda_error_text("cudaGetDeviceCount", result));
  }
  return count;
}

void open(int from, int to) {
  int possible = 0;
  if (cudaDeviceCanAccessPeer(&possible, from, to) == cudaSuccess && possible != 0) {
    const DeviceGuard guard(from);
    static_cast<void>(cudaDeviceEnablePeerAccess(to, 0));  // or it is already
    static_cast<void>(cudaGetLastError());
  }
}

}  // namespace

Devices::Devices() : count_(count_devices()) {}

void Devices::require(int device) const {
  if (device < 0 || device >= count_) {
    throw Error(ErrorCode::OutOfRange, "there is no GPU " + std::to_string(device) +
                                           "; this machine has " + std::to_string(count_) +
                                           ", counted from 0");
  }
}

void Devices::use(int device) const {
  if (count_ == 1 && device == 0) {
    return;
  }
  require(device);
  // Asking is much cheaper than setting.
  int current = -1;
  cuda_check("cudaGetDevice", cudaGetDevice(&current));
  if (current != device) {
    cuda_check("cudaSetDevice", cudaSetDevice(device));
  }
}

void Devices::open_to_others(int device) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(used_, device) != used_.end()) {
    return;
  }
  for (const int other : used_) {
    open(device, other);
    open(other, device);
  }
  used_.push_back(device);
}

std::vector<int> Devices::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace gxr::cuda
