#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gxr/device_work.hpp"

namespace gxr {

/// Does work of GPUs go on? Some is under way, and for too long none of it has ended: it hangs.
class EndProgress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit EndProgress(std::chrono::nanoseconds longest) : longest_(longest) {}

  /// Does it hang? `unfinished`: of each stream the oldest work that is not done. To be called now
  /// and then, with a time that grows.
  [[nodiscard]] bool hangs(const std::vector<DeviceWork>& unfinished, Clock::time_point now);

 private:
  std::chrono::nanoseconds longest_;
  std::vector<DeviceWork> seen_;
  Clock::time_point stands_since_;  // at that
};

/// A thread that, while a run ends, looks for work on GPUs that does not: it is given up then, so
/// that nobody waits for it any more. Until then whoever ends a run waits for all work, as long as
/// it takes.
class EndWatch {
 public:
  /// What is asked of the GPUs. Thread-safe.
  struct Actions {
    std::function<std::vector<DeviceWork>()> unfinished;
    std::function<std::string()> users;  ///< whose work that may be; empty: nobody's
    std::function<void(const DeviceWork&, const std::string& why)> give_up;
  };

  /// 0: nothing is ever given up.
  explicit EndWatch(std::chrono::nanoseconds longest) : longest_(longest) {}
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;
  ~EndWatch() { end(); }

  /// The run is to end before all its work is done. Only the first call counts, and none behind
  /// end(). Any thread.
  void begin(Actions actions) noexcept;
  /// If it has begun, returns when all work of the process is done, or has been given up.
  void settle() const noexcept;
  /// Nothing is given up any more when this returns. Any thread.
  void end() noexcept;
  /// How the work hangs that was given up; empty: none was.
  [[nodiscard]] std::string hang() const;

 private:
  void run();
  bool look(EndProgress& progress);

  std::chrono::nanoseconds longest_;
  std::atomic<bool> has_begun_{false};
  mutable std::mutex mutex_;  // guards the members below
  Actions actions_;           // set once
  std::condition_variable changed_;
  bool ending_ = false;
  std::string hang_;
  std::thread thread_;
};

}  // namespace gxr
