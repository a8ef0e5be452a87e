#include "gxr/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "sdk/clock_listener.hpp"
#include "sdk/clock_waits.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr double kSecond = 1e9;
std::int64_t nanoseconds_since_epoch() noexcept {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

void require_scale(double scale) {
  if (!(scale > 0.0) || !std::isfinite(scale)) {
    throw Error(ErrorCode::InvalidArgument,
                "the time scale must be greater than 0, is " + shortest_text(scale));
  }
}

/// Real time until `target`, at most kLongestClockWait. Long double holds every nanosecond exactly.
std::int64_t real_wait(std::int64_t now, std::int64_t target, double scale) noexcept {
  const long double wait =
      (static_cast<long double>(target) - static_cast<long double>(now)) / scale;
  return static_cast<std::int64_t>(
      std::min(std::ceil(wait), static_cast<long double>(kLongestClockWait)));
}

}  // namespace

Clock::~Clock() = default;
ManualClock::~ManualClock() = default;
RealtimeClock::RealtimeClock() : pace_start_(steady_now()) {}
RealtimeClock::~RealtimeClock() = default;

void Clock::sleep_for(std::int64_t duration) {
  if (duration < 0) {
    throw Error(ErrorCode::InvalidArgument,
                "cannot sleep for " + std::to_string(duration) + " ns: the duration is negative");
  }
  sleep_until(saturated_sum(timestamp(), duration));
}

std::int64_t Clock::real_time_until(std::int64_t target) const {
  constexpr std::int64_t kMillisecond = 1'000'000;
  const std::int64_t now = timestamp();
  return target <= now ? 0 : std::min(target - now, kMillisecond);
}

void Clock::cut_sleeps(bool /*on*/) noexcept {}

void Clock::announce_change() noexcept {
  const std::lock_guard lock(listener_mutex_);
  if (listener_ != nullptr) {
    listener_->clock_changed();
  }
}

std::int64_t RealtimeClock::real_time_until(std::int64_t target) const {
  const std::int64_t now = timestamp();
  return target <= now ? 0 : real_wait(now, target, pace().scale);
}

void RealtimeClock::declare(Interface& interface) {
  interface.parameter(initial_time_offset_, "initial_time_offset", "Time at the start")
      .default_value(0.0)
      .range(-9e9, 9e9)
      .unit("s");
  interface
      .parameter(initial_time_scale_, "initial_time_scale",
                 "Speed: seconds of this clock in one real second")
      .default_value(1.0)
      .range(1e-9, 1e9);
  interface
      .parameter(use_time_since_epoch_, "use_time_since_epoch",
                 "Start at the time since 1970-01-01 UTC instead of at 0",
                 "initial_time_offset is added to it.")
      .default_value(false);
}

void RealtimeClock::initialize() {
  require_scale(*initial_time_scale_);
  const auto offset = static_cast<std::int64_t>(std::llround(*initial_time_offset_ * kSecond));
  const std::int64_t base = *use_time_since_epoch_ ? nanoseconds_since_epoch() : 0;
  {
    const std::lock_guard lock(mutex_);
    cut_ = false;
    set_pace({steady_now(), saturated_sum(base, offset), *initial_time_scale_});
  }
  changed_.notify_all();
  announce_change();
}

RealtimeClock::Pace RealtimeClock::pace() const noexcept {
  for (;;) {
    const std::uint32_t version = pace_version_.load(std::memory_order_acquire);
    const Pace pace{pace_start_.load(std::memory_order_acquire),
                    pace_time_.load(std::memory_order_acquire),
                    pace_scale_.load(std::memory_order_acquire)};
    // Who sees a new value also sees the odd version stored before it.
    if (version % 2 == 0 && version == pace_version_.load(std::memory_order_acquire)) {
      return pace;
    }
  }
}

void RealtimeClock::set_pace(const Pace& pace) noexcept {
  pace_version_.fetch_add(1, std::memory_order_acq_rel);
  pace_start_.store(pace.start, std::memory_order_release);
  pace_time_.store(pace.time, std::memory_order_release);
  pace_scale_.store(pace.scale, std::memory_order_release);
  pace_version_.fetch_add(1, std::memory_order_acq_rel);
}

std::int64_t RealtimeClock::timestamp() const {
  const Pace current = pace();
  const std::int64_t elapsed = steady_now() - current.start;
  if (current.scale == 1.0) {
    return current.time + elapsed;
  }
  const long double scaled = static_cast<long double>(elapsed) * current.scale;
  return current.time + static_cast<std::int64_t>(scaled);
}

void RealtimeClock::set_time_scale(double scale) {
  require_scale(scale);
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t time = timestamp();
    set_pace({steady_now(), time, scale});
  }
  changed_.notify_all();
  announce_change();
}

void RealtimeClock::sleep_until(std::int64_t target) {
  const std::int64_t begin = steady_now();
  std::unique_lock lock(mutex_);
  for (std::int64_t now = timestamp(); now < target; now = timestamp()) {
    std::int64_t wait = real_wait(now, target, pace().scale);
    if (cut_) {
      wait = std::min(wait, cut_sleep_left(begin));
    }
    if (wait <= 0) {
      return;
    }
    changed_.wait_until(lock, std::chrono::steady_clock::now() + std::chrono::nanoseconds(wait));
  }
}

void RealtimeClock::cut_sleeps(bool on) noexcept {
  {
    const std::lock_guard lock(mutex_);
    cut_ = on;
  }
  changed_.notify_all();
}

void ManualClock::declare(Interface& interface) {
  interface.parameter(initial_timestamp_, "initial_timestamp", "Time at the start")
      .default_value(0)
      .unit("ns");
}

void ManualClock::initialize() { now_.store(*initial_timestamp_, std::memory_order_release); }

void ManualClock::sleep_until(std::int64_t target) {
  std::int64_t now = now_.load(std::memory_order_acquire);
  while (now < target && !now_.compare_exchange_weak(now, target, std::memory_order_acq_rel)) {
  }
}

}  // namespace gxr
