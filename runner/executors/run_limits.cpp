#include "executors/run_limits.hpp"

#include <algorithm>

namespace gxr {
namespace {

RunLimits greedy_limits(const GreedyScheduler& scheduler) {
  const auto timeout = static_cast<double>(scheduler.stop_on_deadlock_timeout());
  return {scheduler.max_duration_ms(), scheduler.stop_on_deadlock(),
          timeout < 0 ? timeout : std::max(timeout, scheduler.check_recession_period_ms())};
}

// GXF polls in its recession period and ends no earlier; here nothing polls, but what comes from
// outside gets the same time.
RunLimits multi_thread_limits(const MultiThreadScheduler& scheduler) {
  return {scheduler.max_duration_ms(), scheduler.stop_on_deadlock(),
          static_cast<double>(scheduler.stop_on_deadlock_timeout()) +
              scheduler.check_recession_period_ms()};
}

RunLimits event_based_limits(const EventBasedScheduler& scheduler) {
  const std::int64_t timeout = std::max<std::int64_t>(scheduler.stop_on_deadlock_timeout(), 0);
  return {scheduler.max_duration_ms(), scheduler.stop_on_deadlock(), static_cast<double>(timeout),
          true};
}

}  // namespace

RunLimits limits_of(const Scheduler* scheduler) {
  if (const auto* greedy = dynamic_cast<const GreedyScheduler*>(scheduler)) {
    return greedy_limits(*greedy);
  }
  if (const auto* multi = dynamic_cast<const MultiThreadScheduler*>(scheduler)) {
    return multi_thread_limits(*multi);
  }
  if (const auto* events = dynamic_cast<const EventBasedScheduler*>(scheduler)) {
    return event_based_limits(*events);
  }
  return {};
}

}  // namespace gxr
