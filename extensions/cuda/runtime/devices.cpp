#include "devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cuda_call.hpp"
#include "device/device_facts.hpp"
#include "device_guard.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

/// "13.0" of the number 13000.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_none(cudaError_t error) {
  int driver = 0;
  int runtime = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));  // 0 without a driver
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  NoDeviceFacts facts;
  facts.driver_missing = driver == 0;
  facts.driver_too_old = error == cudaErrorInsufficientDriver;
  facts.driver = version_text(driver);
  facts.runtime = version_text(runtime);
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    facts.visible = visible;
  }
  const bool is_known = facts.driver_missing || error == cudaErrorInsufficientDriver ||
                        error == cudaErrorNoDevice || error == cudaErrorInvalidDevice;
  const std::string text = cuda_error_text("cudaGetDeviceCount", error);
  return is_known ? explain_no_device(facts) + " (" + text + ")" : text;
}

int count_devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw Error(ErrorCode::NotSupported, why_none(result));
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
