#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

#include "device/device_graph.hpp"
#include "gxr/cuda/check.hpp"

namespace gxr::test {

/// Device memory, full of zeros.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    cuda::check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    clear();
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] DeviceRange range() const { return {data_, count_ * sizeof(T)}; }
  void clear() const { fill(0); }
  /// With bytes.
  void fill(int byte) const {
    cuda::check(cudaMemset(data_, byte, count_ * sizeof(T)), "cudaMemset");
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(count_);
    cuda::check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace gxr::test
