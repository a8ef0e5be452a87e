#pragma once

#include <cstdint>
#include <optional>

#include "gxr/scheduler.hpp"

namespace gxr {

/// When a run is ended although its entities may go on, as a scheduler's parameters say.
struct RunLimits {
  std::optional<std::int64_t> max_duration_ms;
  bool stop_on_deadlock = true;
  double patience_ms = 0;              ///< how long all entities must wait; negative: for ever
  bool duration_in_real_time = false;  ///< max_duration_ms does not count on the clock
};

/// Limits of a scheduler of any kind; the defaults for null.
RunLimits limits_of(const Scheduler* scheduler);

}  // namespace gxr
