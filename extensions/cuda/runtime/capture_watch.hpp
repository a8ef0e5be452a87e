#pragma once

#include <string>

namespace gxr::cuda {

/// While it lives, notes on which streams the calls of this thread put work: kernels, copies, fills
/// and graphs. CUDA itself cannot tell of work that is put on other streams than the captured one.
/// By CUPTI, which one tool of a process can have at a time.
class CaptureWatch {
 public:
  CaptureWatch();
  CaptureWatch(const CaptureWatch&) = delete;
  CaptureWatch& operator=(const CaptureWatch&) = delete;
  ~CaptureWatch();

  /// False: there is no CUPTI, or another tool has it.
  [[nodiscard]] bool works() const noexcept { return works_; }
  /// Name of the first call that put work on a stream that is not being captured; empty: none did.
  /// Call before the capture ends.
  [[nodiscard]] std::string call_elsewhere() const;

 private:
  bool works_;
};

}  // namespace gxr::cuda
