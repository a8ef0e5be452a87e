#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Asks an application to stop when some real time has passed, on a thread of its own.
class InterruptTimer {
 public:
  InterruptTimer() = default;
  InterruptTimer(const InterruptTimer&) = delete;
  InterruptTimer& operator=(const InterruptTimer&) = delete;
  ~InterruptTimer() { cancel(); }

  /// The time counts from the first call. The context must outlive the timer.
  void start(Context& context, std::int64_t milliseconds);
  /// Afterwards the application is not asked any more.
  void cancel();

 private:
  void run(Context& context, std::int64_t milliseconds);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace gxr::sample
