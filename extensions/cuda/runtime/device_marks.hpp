#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <cuda.h>

#include "owned.hpp"

namespace gxr::cuda {

/// Marks behind all work of a GPU's primary context, also on streams that other libraries made.
/// Thread-safe. Do not use it while a loop runs: no mark would be passed before its end; nor while
/// anything is captured in the process: CUDA ends the capture.
class DeviceMarks {
 public:
  /// The first mark that has not been passed; none: all work is done, or CUDA cannot tell.
  [[nodiscard]] std::optional<std::uint64_t> unpassed(int device);
  /// Has all work in front of a mark ended? Also true when the device has failed.
  [[nodiscard]] bool is_passed(int device, std::uint64_t mark) noexcept;

 private:
  struct Marks {
    CUcontext context = nullptr;
    Event event;
    std::uint64_t last = 0;  // counted from 1
    bool is_passed = true;   // the last one
  };
  [[nodiscard]] Marks& marks_of(int device);
  static bool poll(Marks& marks);

  std::mutex mutex_;
  std::map<int, Marks> marks_;  // by device
};

}  // namespace gxr::cuda
