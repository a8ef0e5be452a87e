#pragma once

#include <cstddef>
#include <type_traits>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {

/// A T in the memory of a GPU, made of one of the host.
template <class T>
class DeviceValue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Throws Error: OutOfMemory, Device, NotSupported without a GPU.
  DeviceValue(const T& value, int device) : device_(device) {
    DeviceRuntime& runtime = DeviceRuntime::get();
    memory_ = static_cast<T*>(runtime.allocate(sizeof(T), MemoryStorageType::Device, device, {}));
    if (memory_ == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "no device memory is left for the state of a ring's end");
    }
    copy(memory_, &value);
  }
  DeviceValue(const DeviceValue&) = delete;
  DeviceValue& operator=(const DeviceValue&) = delete;
  ~DeviceValue() { DeviceRuntime::get().free(memory_, MemoryStorageType::Device); }

  [[nodiscard]] T* get() const noexcept { return memory_; }
  /// The present value. Precondition: no kernel changes it.
  [[nodiscard]] T read() const {
    T value;
    copy(&value, memory_);
    return value;
  }

 private:
  void copy(void* to, const void* from) const {
    const LeasedStream stream({.device = device_});
    DeviceRuntime::get().copy(to, from, sizeof(T), stream.get());
    stream.finish();
  }

  int device_;
  T* memory_ = nullptr;
};

}  // namespace gxr::cuda
