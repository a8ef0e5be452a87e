#pragma once

#include <mutex>
#include <vector>

namespace gxr::cuda {

/// The GPUs of the process. Thread-safe.
class Devices {
 public:
  /// Throws Error(NotSupported) without a driver or a GPU.
  Devices();

  [[nodiscard]] int count() const noexcept { return count_; }
  /// Throws Error(OutOfRange) when there is no such GPU.
  void require(int device) const;
  /// Makes it the current one.
  void use(int device) const;
  /// Lets this device and all others that are in use reach each other's memory, where they can. Two
  /// devices that cannot are joined by copies through the host, which CUDA makes.
  void open_to_others(int device);
  /// Those that open_to_others() has been called with.
  [[nodiscard]] std::vector<int> used() const;

 private:
  int count_;
  mutable std::mutex mutex_;  // guards used_; held while CUDA is asked
  std::vector<int> used_;
};

}  // namespace gxr::cuda
