#include "terms.hpp"

#include <limits>

namespace gxr::testing {

void PeriodicSchedulingTermWithDelay::declare(Interface& interface) {
  interface.parameter(recess_period_, "recess_period", "Least time from one tick to the next",
                      "A frequency stands for its period: 30Hz is 33.3 ms.");
  interface
      .parameter(policy_, "policy", "Makes no difference here",
                 "The next tick always follows the one before by a period and a random delay.")
      .default_value(PeriodicSchedulingPolicy::CatchUpMissedTicks);
}

void PeriodicSchedulingTermWithDelay::initialize() {
  random_.seed(component_id() + 1);
  started_ = false;
}

Condition PeriodicSchedulingTermWithDelay::check(std::int64_t now) {
  if (!started_) {
    return {ConditionType::Ready, 0};
  }
  return {now >= next_ ? ConditionType::Ready : ConditionType::WaitTime, next_};
}

void PeriodicSchedulingTermWithDelay::on_execute(std::int64_t now) {
  constexpr std::int64_t kDelays = 100;  // 0 to 99 ns
  const std::int64_t delay = static_cast<std::int64_t>(random_()) % kDelays;
  const std::int64_t wait = recess_period_->nanoseconds;
  if (__builtin_add_overflow(now, wait, &next_) || __builtin_add_overflow(next_, delay, &next_)) {
    next_ = std::numeric_limits<std::int64_t>::max();
  }
  started_ = true;
}

std::string PeriodicSchedulingTermWithDelay::explain() const {
  return "waits for its next period, at " + std::to_string(next_) + " ns";
}

std::string WaitSchedulingTerm::explain() const { return "waits for ever"; }

}  // namespace gxr::testing
