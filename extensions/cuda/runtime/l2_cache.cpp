#include "l2_cache.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

/// Of one device.
struct SetAside {
  bool known = false;
  std::size_t before = 0;  ///< without gxr
  std::size_t wanted = 0;  ///< by all reservations
  std::size_t now = 0;
};

std::mutex mutex;  // guards all_set_aside, and is held while CUDA is told
std::map<int, SetAside> all_set_aside;

std::size_t attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cuda_check("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, which, device));
  return static_cast<std::size_t>(std::max(value, 0));
}

std::size_t most_set_aside(int device) {
  return attribute(cudaDevAttrMaxPersistingL2CacheSize, device);
}

/// Tells the device what is wanted by now. It is a wish: work is right without it.
void apply(int device) noexcept {
  try {
    const std::lock_guard lock(mutex);
    SetAside& state = all_set_aside[device];
    const std::size_t bytes = std::min(state.before + state.wanted, most_set_aside(device));
    if (bytes == state.now) {
      return;
    }
    const DeviceGuard guard(device);
    if (state.wanted == 0) {
      static_cast<void>(cudaCtxResetPersistingL2Cache());
    }
    static_cast<void>(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes));
    state.now = bytes;
  } catch (const Error&) {  // the device has failed
  }
  static_cast<void>(cudaGetLastError());
}

void change(int device, std::size_t more, std::size_t less) {
  {
    const std::lock_guard lock(mutex);
    SetAside& state = all_set_aside[device];
    if (!state.known) {
      const DeviceGuard guard(device);
      cuda_check("cudaDeviceGetLimit",
                 cudaDeviceGetLimit(&state.now, cudaLimitPersistingL2CacheSize));
      state.before = state.now;
      state.known = true;
    }
    state.wanted += more;
    state.wanted -= less;
  }
  runtime().in_flight().when_may_wait([device] { apply(device); });
}

}  // namespace

L2Reservation::L2Reservation(int device, std::size_t bytes) : device_(device) {
  if (bytes > 0 && most_set_aside(device) > 0) {
    change(device, bytes, 0);
    bytes_ = bytes;
  }
}

L2Reservation::L2Reservation(L2Reservation&& other) noexcept
    : device_(other.device_), bytes_(std::exchange(other.bytes_, 0)) {}

L2Reservation& L2Reservation::operator=(L2Reservation&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

L2Reservation::~L2Reservation() {
  if (bytes_ > 0) {
    change(device_, 0, bytes_);
  }
}

cudaAccessPolicyWindow l2_window(int device, const DeviceRange& memory) {
  cudaAccessPolicyWindow window{};
  const std::size_t most = most_set_aside(device);
  const std::size_t bytes =
      std::min(memory.bytes, attribute(cudaDevAttrMaxAccessPolicyWindowSize, device));
  if (most == 0 || bytes == 0) {
    return window;
  }
  window.base_ptr = memory.begin;
  window.num_bytes = bytes;
  window.hitRatio =
      static_cast<float>(std::min(1.0, static_cast<double>(most) / static_cast<double>(bytes)));
  window.hitProp = cudaAccessPropertyPersisting;
  window.missProp = cudaAccessPropertyStreaming;
  return window;
}

}  // namespace gxr::cuda
