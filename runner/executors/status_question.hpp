#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "gxr/run_status.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {

/// A question about all entities, which one thread asks and the executor's thread answers when it
/// gets round to it: in pieces, between which the run goes on.
class StatusQuestion {
 public:
  /// Real ns that a piece takes, but for the entity that is asked last.
  static constexpr std::int64_t kLongestPiece = 40'000;

  /// `pauses`: the run stands still for each piece, and goes on half as long before the next.
  explicit StatusQuestion(bool pauses) noexcept : pauses_(pauses) {}

  /// Asks, calls `wake`, which is to make the executor's thread look here, and waits until all
  /// entities of `frame` have their answers. It names them, so that the executor's thread need not.
  /// Nothing when they have not in time, or the run has ended. One thread after the other.
  template <class Wake>
  std::optional<RunStatus> ask(RunStatus frame, std::chrono::milliseconds patience,
                               const Wake& wake) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    if (ended_) {
      return std::nullopt;
    }
    answer_ = std::move(frame);
    next_ = 0;
    asked_.store(true, std::memory_order_release);
    lock.unlock();
    wake();
    lock.lock();
    answered_.wait_for(lock, patience, [this] { return ended_ || !is_asked(); });
    const bool whole = !asked_.exchange(false, std::memory_order_relaxed);
    return whole ? std::optional(std::exchange(answer_, {})) : std::nullopt;
  }

  // Of the executor's thread:

  /// Is there a question? Costs a load.
  [[nodiscard]] bool is_asked() const noexcept { return asked_.load(std::memory_order_acquire); }
  /// Goes on with the answer: `fill(entity, index)` writes what the entity of this index does.
  template <class Fill>
  void go_on(const Fill& fill) {
    const std::int64_t begin = steady_now();
    std::unique_lock lock(mutex_, std::defer_lock);
    if (begin < not_before_ || !lock.try_lock() || !is_asked()) {
      return;
    }
    std::int64_t now = begin;
    for (; next_ < answer_.entities.size() && now < begin + kLongestPiece; now = steady_now()) {
      fill(answer_.entities[next_], next_);
      ++next_;
    }
    not_before_ = pauses_ ? now + (now - begin) / 2 : 0;
    if (next_ == answer_.entities.size()) {
      asked_.store(false, std::memory_order_relaxed);
      answered_.notify_one();
    }
  }
  /// Nobody answers any more.
  void end() noexcept {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    answered_.notify_one();
  }

 private:
  const bool pauses_;
  std::mutex turn_;  // of those who ask
  std::atomic<bool> asked_{false};
  std::int64_t not_before_ = 0;  // steady ns; of the executor's thread

  std::mutex mutex_;  // guards the members below
  std::condition_variable answered_;
  RunStatus answer_;
  std::size_t next_ = 0;  // entity to be asked
  bool ended_ = false;
};

}  // namespace gxr
