#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <cuda_runtime.h>

#include "gxr/kernels/image_view.hpp"

/// Times of work on a CUDA stream.

namespace gxr::bench {

/// Ends the program with CUDA's words if the call failed.
void require_success(cudaError_t error);

/// Device memory of its own.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data_); }

  unsigned char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  unsigned char* data_ = nullptr;
};

/// Places in a memory that is much larger than the L2 cache, one after the other, so that what a
/// kernel reads was not used for at least kBetween bytes.
class Rotation {
 public:
  static constexpr std::size_t kBetween = std::size_t{512} << 20U;

  explicit Rotation(const DeviceMemory& memory) : memory_(memory) {}

  /// The next `bytes` bytes, from a multiple of 256 on.
  unsigned char* next(std::size_t bytes);

 private:
  const DeviceMemory& memory_;
  std::size_t begin_ = 0;
};

/// Microseconds of one call, the median of several groups of calls with an event before and behind.
double microseconds(cudaStream_t stream, const std::function<void()>& call);

/// Measures kernels against a copy that moves as many bytes, and prints a table.
class Table {
 public:
  explicit Table(cudaStream_t stream);

  void title(const std::string& text) const;

  /// What an input holds: random bytes, or random float numbers from 0 to 1.
  enum class Input : std::uint8_t { kBytes, kFloats };

  /// `bytes`: read once plus written once.
  void row(const std::string& kernel, const std::string& type, std::size_t bytes, Input input,
           const std::function<void(Rotation& in, Rotation& out)>& call);

 private:
  double copy_time(std::size_t bytes);

  cudaStream_t stream_;
  DeviceMemory bytes_;
  DeviceMemory floats_;
  DeviceMemory out_;
};

}  // namespace gxr::bench
