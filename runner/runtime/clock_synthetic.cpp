#include "gxr/clock.hpp"
#include "runtime/nanoseconds.hpp"

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
}

void SyntheticClock::deinitialize() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void SyntheticClock::sleep_until(std::int64_t target) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wakes = wakes_;
  ++sleepers_;
  changed_.wait(lock,
                [&] { return closed_ || woken_ || wakes_ != wakes || timestamp() >= target; });
  --sleepers_;
  woken_ = false;
}

void SyntheticClock::wake() {
  const std::lock_guard lock(mutex_);
  if (sleepers_ > 0) {
    ++wakes_;
  } else {
    woken_ = true;
  }
  changed_.notify_all();
}

void SyntheticClock::advance_to(std::int64_t time) {
  const std::lock_guard lock(mutex_);
  now_.store(time, std::memory_order_release);
  changed_.notify_all();
}

void SyntheticClock::advance_by(std::int64_t duration) {
  const std::lock_guard lock(mutex_);
  now_.store(saturated_sum(timestamp(), duration), std::memory_order_release);
  changed_.notify_all();
}

}  // namespace gxr
