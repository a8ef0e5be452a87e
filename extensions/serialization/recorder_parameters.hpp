#pragma once

#include "gxr/gxr.hpp"
#include "gxr/serialization/recording.hpp"

namespace gxr::serialization {

/// The parameter `log_time` of recorders.
inline void declare_log_time(Interface& interface, Parameter<LogTime>& log_time) {
  interface
      .parameter(log_time, "log_time", "Which time the index says of an entity",
                 "now: the wall clock after the entity was written, as in GXF. source: the source "
                 "time of the message (for replayed messages the time in their recording's index), "
                 "or the wall clock when it is unknown.")
      .default_value(LogTime::Now);
}

}  // namespace gxr::serialization
