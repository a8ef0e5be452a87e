#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"

namespace tiny {

/// Numbers of an operator in device memory, at one address for as long as it lives.
template <class T>
class DeviceArray {
 public:
  DeviceArray(int device, std::size_t count) : device_(device), count_(count) {
    gxr::DeviceRuntime::get().use_device(device);
    gxr::cuda::check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  [[nodiscard]] T* data() const noexcept { return data_; }

  /// All 0 when it returns.
  void clear() const {
    const gxr::LeasedStream stream(options());
    gxr::cuda::check(cudaMemsetAsync(data_, 0, count_ * sizeof(T), stream.get().handle()),
                     "cudaMemsetAsync");
    stream.finish();
  }
  /// What the numbers are now. Nothing may be writing them.
  [[nodiscard]] std::vector<T> read() const {
    const gxr::LeasedStream stream(options());
    std::vector<T> numbers(count_);
    gxr::cuda::check(cudaMemcpyAsync(numbers.data(), data_, count_ * sizeof(T),
                                     cudaMemcpyDeviceToHost, stream.get().handle()),
                     "cudaMemcpyAsync");
    stream.finish();
    return numbers;
  }

 private:
  [[nodiscard]] gxr::StreamOptions options() const {
    gxr::StreamOptions options;
    options.device = device_;
    return options;
  }

  int device_;
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace tiny
