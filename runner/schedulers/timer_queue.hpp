#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gxr {

/// For each of a fixed number of jobs the time at which to look at it again, earliest first; one
/// time a job.
class TimerQueue {
 public:
  static constexpr std::int64_t kNever = INT64_MAX;

  explicit TimerQueue(std::size_t jobs) : target_(jobs, kNever) {}

  /// Sets or replaces the time of a job.
  void set(std::uint32_t job, std::int64_t target) {
    if (target_[job] == target) {
      return;
    }
    target_[job] = target;
    heap_.push_back({target, job});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void cancel(std::uint32_t job) noexcept { target_[job] = kNever; }
  /// Earliest time, or kNever.
  [[nodiscard]] std::int64_t earliest() {
    drop_stale();
    return heap_.empty() ? kNever : heap_.front().target;
  }
  /// Removes and returns a job whose time is at or before `now`; `none` when there is none.
  [[nodiscard]] std::uint32_t pop_due(std::int64_t now, std::uint32_t none) {
    if (heap_.empty()) {
      return none;
    }
    drop_stale();
    if (heap_.empty() || heap_.front().target > now) {
      return none;
    }
    const std::uint32_t job = heap_.front().job;
    target_[job] = kNever;
    pop();
    return job;
  }

 private:
  struct Entry {
    std::int64_t target;
    std::uint32_t job;
  };
  static bool later(const Entry& a, const Entry& b) noexcept {
    return a.target != b.target ? a.target > b.target : a.job > b.job;
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }
  /// Replaced and cancelled entries stay in the heap until they come up.
  void drop_stale() {
    while (!heap_.empty() && target_[heap_.front().job] != heap_.front().target) {
      pop();
    }
  }

  std::vector<Entry> heap_;
  std::vector<std::int64_t> target_;
};

}  // namespace gxr
