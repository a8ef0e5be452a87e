#include "gxr/scheduler.hpp"

namespace gxr {

System::~System() = default;
Scheduler::~Scheduler() = default;
GreedyScheduler::~GreedyScheduler() = default;

void GreedyScheduler::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock that the application runs by").optional();
  interface
      .parameter(realtime_, "realtime", "Makes a clock when none is given (deprecated: name one)",
                 "true: a RealtimeClock, false: a ManualClock.")
      .optional();
  interface
      .parameter(max_duration_ms_, "max_duration_ms", "Time after which the run is ended",
                 "Measured with the clock. Left out: no limit.")
      .optional()
      .minimum(0)
      .unit("ms");
  interface
      .parameter(stop_on_deadlock_, "stop_on_deadlock",
                 "End the run when every entity waits for another one",
                 "false: go on waiting for something from outside.")
      .default_value(true);
  interface
      .parameter(check_recession_period_ms_, "check_recession_period_ms",
                 "Pause before entities that all wait are looked at again")
      .default_value(0.0)
      .minimum(0)
      .unit("ms");
  interface
      .parameter(stop_on_deadlock_timeout_, "stop_on_deadlock_timeout",
                 "How long all entities must wait before stop_on_deadlock ends the run",
                 "Negative: never.")
      .default_value(0)
      .unit("ms");
}

Clock* GreedyScheduler::clock() const { return clock_.has_value() ? clock_.get().get() : nullptr; }

}  // namespace gxr
