#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "gxr/run_status.hpp"

namespace gxr {

/// A question that one thread asks and the executor's thread answers when it gets round to it.
class StatusQuestion {
 public:
  /// Asks, calls `wake`, which is to make the executor's thread look here, and waits for the
  /// answer. Nothing when there is none in time.
  template <class Wake>
  std::optional<RunStatus> ask(std::chrono::milliseconds patience, const Wake& wake) {
    asked_.store(true, std::memory_order_release);
    wake();
    std::unique_lock lock(mutex_);
    answered_.wait_for(lock, patience, [this] { return answer_.has_value(); });
    asked_.store(false, std::memory_order_relaxed);
    return std::exchange(answer_, std::nullopt);
  }
  /// Of the executor's thread: is there a question? Costs a load.
  [[nodiscard]] bool is_asked() const noexcept { return asked_.load(std::memory_order_acquire); }
  void answer(RunStatus status) {
    {
      const std::lock_guard lock(mutex_);
      if (!asked_.exchange(false, std::memory_order_relaxed)) {
        return;  // it came too late
      }
      answer_ = std::move(status);
    }
    answered_.notify_one();
  }

 private:
  std::atomic<bool> asked_{false};
  std::mutex mutex_;  // guards answer_
  std::condition_variable answered_;
  std::optional<RunStatus> answer_;
};

}  // namespace gxr
