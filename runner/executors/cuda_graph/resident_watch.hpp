#pragma once

#include <chrono>
#include <cstdint>

#include "executors/cuda_graph/loop_watchdog.hpp"
#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// Polls the loop at each reminder, which takes too long for each tick.
class ResidentRunner::Watch {
 public:
  explicit Watch(ResidentRunner& runner);

  /// There is a loop.
  void open();
  /// Its time begins.
  void launch();
  /// It goes on: the time of an iteration begins anew.
  void go_on() noexcept { watchdog_.restart(); }
  /// From its launch; 0: none.
  void set_timeout(std::chrono::nanoseconds timeout) noexcept;
  [[nodiscard]] bool has_timeout() const noexcept { return timeout_.count() > 0; }

  /// Has it ended? Is its time over? Then it is told to end. Throws Error(Device) when the device
  /// has failed, or when the loop has stood for too long.
  void poll();

 private:
  void end_in_time();
  void require_progress();
  [[nodiscard]] bool waits_for_others(std::uint64_t finished);

  ResidentRunner& runner_;
  LoopWatchdog watchdog_;
  std::chrono::nanoseconds timeout_{0};
  std::chrono::steady_clock::time_point began_;
  std::uint64_t polled_at_ = 0;  // iterations that were done then
};

}  // namespace gxr
