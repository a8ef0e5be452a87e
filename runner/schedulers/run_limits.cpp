#include "schedulers/run_limits.hpp"

#include <algorithm>

namespace gxr {
namespace {

RunLimits greedy_limits(const GreedyScheduler& scheduler) {
  const auto timeout = static_cast<double>(scheduler.stop_on_deadlock_timeout());
  return {scheduler.max_duration_ms(), scheduler.stop_on_deadlock(),
          timeout < 0 ? timeout : std::max(timeout, scheduler.check_recession_period_ms())};
}

RunLimits threaded_limits(const ThreadedScheduler& scheduler) {
  auto timeout = static_cast<double>(scheduler.stop_on_deadlock_timeout());
  // To GXF's scheduler with events a negative timeout is none, so its files rely on an end.
  const bool has_events = dynamic_cast<const EventBasedScheduler*>(&scheduler) != nullptr;
  if (timeout < 0 && has_events && scheduler.context().compat_gxf()) {
    timeout = 0;
  }
  // GXF polls in this rhythm and ends no earlier; here nothing polls, but what comes from outside
  // gets the same time.
  const auto* multi = dynamic_cast<const MultiThreadScheduler*>(&scheduler);
  return {scheduler.max_duration_ms(), scheduler.stop_on_deadlock(),
          timeout + (multi != nullptr ? multi->check_recession_period_ms() : 0)};
}

}  // namespace

RunLimits limits_of(const Scheduler* scheduler) {
  if (const auto* greedy = dynamic_cast<const GreedyScheduler*>(scheduler)) {
    return greedy_limits(*greedy);
  }
  if (const auto* threaded = dynamic_cast<const ThreadedScheduler*>(scheduler)) {
    return threaded_limits(*threaded);
  }
  return {};
}

}  // namespace gxr
