#include "executors/cuda_graph/loop_watchdog.hpp"

namespace gxr {
namespace {

/// How long an iteration may stand before CUDA is asked why.
constexpr std::chrono::nanoseconds kPause = std::chrono::milliseconds(5);

}  // namespace

bool LoopWatchdog::poll(const Progress& progress, bool busy, Clock::time_point now,
                        const std::function<bool()>& waits_for_others) {
  const bool stands = busy && stands_since_ && progress == progress_;
  if (!stands) {
    progress_ = progress;
    stands_since_ = busy ? std::optional(now) : std::nullopt;
    return false;
  }
  if (longest_.count() == 0 || now - *stands_since_ < kPause) {
    return false;
  }
  if (waits_for_others()) {
    stands_since_ = now - kPause;
    return false;
  }
  return now - *stands_since_ >= longest_;
}

}  // namespace gxr
