#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gxr {

/// For each of a fixed number of jobs the time at which to look at it again, earliest first; one
/// time a job. A heap that knows where each job is, so that it holds only times that count, and
/// nothing is allocated after the constructor.
class TimerQueue {
 public:
  static constexpr std::int64_t kNever = INT64_MAX;

  explicit TimerQueue(std::size_t jobs) : place_(jobs, kNowhere) { heap_.reserve(jobs); }

  /// Sets or replaces the time of a job.
  void set(std::uint32_t job, std::int64_t target) noexcept {
    if (target == kNever) {
      cancel(job);
      return;
    }
    if (place_[job] == kNowhere) {
      heap_.push_back({target, job});
      place_[job] = static_cast<std::uint32_t>(heap_.size() - 1);
    }
    const std::uint32_t place = place_[job];
    heap_[place].target = target;
    sink(rise(place));
  }
  void cancel(std::uint32_t job) noexcept {
    const std::uint32_t place = place_[job];
    if (place == kNowhere) {
      return;
    }
    place_[job] = kNowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) {
      put(place, last);
      sink(rise(place));
    }
  }
  /// Earliest time, or kNever.
  [[nodiscard]] std::int64_t earliest() const noexcept {
    return heap_.empty() ? kNever : heap_.front().target;
  }
  /// Removes and returns a job whose time is at or before `now`; `none` when there is none.
  [[nodiscard]] std::uint32_t pop_due(std::int64_t now, std::uint32_t none) noexcept {
    if (heap_.empty() || heap_.front().target > now) {
      return none;
    }
    const std::uint32_t job = heap_.front().job;
    cancel(job);
    return job;
  }
  /// Jobs that have a time.
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

 private:
  struct Entry {
    std::int64_t target;
    std::uint32_t job;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  static bool earlier(const Entry& a, const Entry& b) noexcept {
    return a.target != b.target ? a.target < b.target : a.job < b.job;
  }
  void put(std::uint32_t place, const Entry& entry) noexcept {
    heap_[place] = entry;
    place_[entry.job] = place;
  }
  void swap(std::uint32_t a, std::uint32_t b) noexcept {
    const Entry entry = heap_[a];
    put(a, heap_[b]);
    put(b, entry);
  }
  /// Moves an entry up as far as it belongs; its new place.
  std::uint32_t rise(std::uint32_t place) noexcept {
    while (place > 0 && earlier(heap_[place], heap_[(place - 1) / 2])) {
      swap(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
    return place;
  }
  void sink(std::uint32_t place) noexcept {
    for (;;) {
      std::uint32_t first = place;
      for (const std::uint32_t child : {2 * place + 1, 2 * place + 2}) {
        if (child < heap_.size() && earlier(heap_[child], heap_[first])) {
          first = child;
        }
      }
      if (first == place) {
        return;
      }
      swap(place, first);
      place = first;
    }
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;  // in heap_, by job
};

}  // namespace gxr
