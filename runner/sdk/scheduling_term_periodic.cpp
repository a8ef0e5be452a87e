#include <limits>
#include <string>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/scheduling_term.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// The first time after `now` that lies a whole number of periods behind `next`.
std::int64_t next_on_grid(std::int64_t next, std::int64_t now, std::int64_t period) noexcept {
  if (now < next) {
    return next;
  }
  return saturated_sum(now, period - (now - next) % period);
}

std::string seconds(std::int64_t time) {
  return general_text(static_cast<double>(time) * 1e-9, 9) + " s";
}

}  // namespace

PeriodicSchedulingTerm::~PeriodicSchedulingTerm() = default;

void PeriodicSchedulingTerm::declare(Interface& interface) {
  interface.parameter(recess_period_, "recess_period", "Time from one tick to the next",
                      "A frequency stands for its period: 30Hz is 33.3 ms.");
  interface
      .parameter(policy_, "policy", "What follows a tick that came too late",
                 "CatchUpMissedTicks: ticks follow each other at once until none is missing. "
                 "MinTimeBetweenTicks: the next one comes a whole period after the late one. "
                 "NoCatchUpMissedTicks: missed ticks are left out, later ones keep the beat.")
      .default_value(PeriodicSchedulingPolicy::CatchUpMissedTicks);
  interface.paces_ticks("recess_period");
}

void PeriodicSchedulingTerm::initialize() {
  if (recess_period_->nanoseconds <= 0) {
    throw Error(ErrorCode::InvalidParameter,
                "parameter 'recess_period': must be longer than 0, is " +
                    std::to_string(recess_period_->nanoseconds) + " ns");
  }
  started_ = false;
}

Condition PeriodicSchedulingTerm::check(std::int64_t now) {
  if (!started_) {
    return {ConditionType::Ready, 0};
  }
  return {now >= next_ ? ConditionType::Ready : ConditionType::WaitTime, next_};
}

void PeriodicSchedulingTerm::on_execute(std::int64_t now) {
  const std::int64_t period = recess_period_->nanoseconds;
  if (!started_ || *policy_ == PeriodicSchedulingPolicy::MinTimeBetweenTicks) {
    next_ = saturated_sum(now, period);
  } else if (*policy_ == PeriodicSchedulingPolicy::CatchUpMissedTicks) {
    next_ = saturated_sum(next_, period);
  } else {
    next_ = next_on_grid(next_, now, period);
  }
  started_ = true;
}

void PeriodicSchedulingTerm::events(TermEvents&) {}

std::string PeriodicSchedulingTerm::explain() const {
  return "waits for its next period, at " + seconds(next_);
}

}  // namespace gxr
