#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// While it lives, keeps what CUDA says about calls of this thread that fail. One per thread.
class CaptureLog {
 public:
  CaptureLog();
  CaptureLog(const CaptureLog&) = delete;
  CaptureLog& operator=(const CaptureLog&) = delete;
  ~CaptureLog();

  /// Of the first one: why, and which call; empty: none failed, or the driver keeps no log.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }

 private:
  static void CUDART_CB note(void* log, cudaLogLevel level, char* message, std::size_t length);

  std::string first_;
  bool names_call_ = false;
  cudaLogsCallbackHandle handle_ = nullptr;
};

}  // namespace gxr::cuda
