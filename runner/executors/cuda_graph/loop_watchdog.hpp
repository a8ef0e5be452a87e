#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace gxr {

/// Does a loop that has work come on? Its user polls now and then, and says what time it is.
class LoopWatchdog {
 public:
  using Clock = std::chrono::steady_clock;
  /// Any difference is progress.
  struct Progress {
    std::uint64_t finished = 0;   ///< iterations
    std::uint64_t heartbeat = 0;  ///< of a loop that polls: a poll that finds nothing is progress
    bool operator==(const Progress&) const = default;
  };

  LoopWatchdog() = default;
  /// 0: it never trips.
  explicit LoopWatchdog(std::chrono::nanoseconds longest) : longest_(longest) {}

  /// True when a loop that is busy has stood for too long, from one poll to another, at each of
  /// which `waits_for_others` was false: whether work of others that it needs is not done. That is
  /// asked only about a loop that has stood for some ms.
  [[nodiscard]] bool poll(const Progress& progress, bool busy, Clock::time_point now,
                          const std::function<bool()>& waits_for_others);
  /// Later calls are about another loop.
  void restart() noexcept { stands_since_.reset(); }

 private:
  std::chrono::nanoseconds longest_{0};
  Progress progress_;
  std::optional<Clock::time_point> stands_since_;  // at progress_, while busy
};

}  // namespace gxr
