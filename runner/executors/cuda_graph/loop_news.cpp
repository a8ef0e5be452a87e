#include "executors/cuda_graph/loop_news.hpp"

#include "observe/chaos.hpp"

namespace gxr {

void LoopNews::launched(bool is_unasked) noexcept {
  is_unasked_.store(is_unasked, std::memory_order_release);
  seen_.store(0, std::memory_order_release);
}

void LoopNews::expect_until(std::uint64_t iterations) noexcept {
  expected_until_.store(iterations, std::memory_order_release);
}

void LoopNews::concern_from(std::uint64_t iterations) noexcept {
  concerns_from_.store(iterations, std::memory_order_release);
}

void LoopNews::set_deadline(bool is_there) noexcept {
  has_deadline_.store(is_there, std::memory_order_release);
}

bool LoopNews::remind_at(Clock::time_point time) noexcept {
  return remind_at_.exchange(time, std::memory_order_acq_rel) > time;
}

bool LoopNews::take_reminder() noexcept {
  return reminded_.exchange(false, std::memory_order_acq_rel);
}

void LoopNews::wake() noexcept {
  reminded_.store(true, std::memory_order_release);
  chaos();
  component_.context().notify(component_);
}

/// News that were not told yet are expected, too: the last iteration may finish at any moment, also
/// between has_news() and this.
bool LoopNews::expects_news() const noexcept {
  const std::uint64_t finished = finished_();
  return finished < expected_until_.load(std::memory_order_acquire) ||
         (finished >= concerns_from() && finished != seen_.load(std::memory_order_acquire));
}

bool LoopNews::has_news() noexcept {
  const std::uint64_t finished = finished_();
  if (finished < concerns_from()) {
    return false;
  }
  std::uint64_t seen = seen_.load(std::memory_order_seq_cst);
  chaos();
  return finished != seen && seen_.compare_exchange_strong(seen, finished);
}

void LoopNews::remind() noexcept {
  auto time = remind_at_.load(std::memory_order_acquire);
  // Said once: the tick sets another time.
  const bool is_due =
      Clock::now() >= time &&
      remind_at_.compare_exchange_strong(time, Clock::time_point::max(), std::memory_order_acq_rel);
  if (is_due || expects_news() || has_deadline_.load(std::memory_order_acquire) ||
      is_unasked_.load(std::memory_order_acquire)) {
    wake();
  }  // else it is idle, and keeps no scheduler from being done
}

}  // namespace gxr
