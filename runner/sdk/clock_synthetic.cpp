#include <chrono>

#include "gxr/clock.hpp"
#include "sdk/clock_waits.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {

SyntheticClock::~SyntheticClock() = default;

void SyntheticClock::declare(Interface& interface) {
  interface.parameter(initial_timestamp_, "initial_timestamp", "Time at the start")
      .default_value(0)
      .unit("ns");
}

void SyntheticClock::initialize() {
  const std::lock_guard lock(mutex_);
  now_.store(*initial_timestamp_, std::memory_order_release);
  closed_ = false;
  cut_ = false;
}

void SyntheticClock::deinitialize() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void SyntheticClock::sleep_until(std::int64_t target) {
  const std::int64_t begin = steady_now();
  std::unique_lock lock(mutex_);
  while (!closed_ && timestamp() < target) {
    if (!cut_) {
      changed_.wait(lock);
      continue;
    }
    const std::int64_t left = cut_sleep_left(begin);
    if (left <= 0) {
      return;
    }
    changed_.wait_for(lock, std::chrono::nanoseconds(left));
  }
}

/// Nobody needs to look: changes are announced.
std::int64_t SyntheticClock::real_time_until(std::int64_t target) const {
  return target <= timestamp() ? 0 : kLongestClockWait;
}

void SyntheticClock::cut_sleeps(bool on) noexcept {
  {
    const std::lock_guard lock(mutex_);
    cut_ = on;
  }
  changed_.notify_all();
}

void SyntheticClock::advance_to(std::int64_t time) {
  {
    const std::lock_guard lock(mutex_);
    now_.store(time, std::memory_order_release);
  }
  changed_.notify_all();
  announce_change();
}

void SyntheticClock::advance_by(std::int64_t duration) {
  {
    const std::lock_guard lock(mutex_);
    now_.store(saturated_sum(timestamp(), duration), std::memory_order_release);
  }
  changed_.notify_all();
  announce_change();
}

}  // namespace gxr
