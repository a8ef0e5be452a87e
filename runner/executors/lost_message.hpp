#pragma once

#include <string>

#include "gxr/queue.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A message for `receiver` had no room, for the reason `why`: ends the run (throws
/// ComponentFailure), or with `compat_gxf` is a warning, as in GXF; the first one only, which
/// `is_known` keeps in mind, because the report says at the end how many there were. The caller
/// counts it (EngineAccess::count_lost) when the run goes on. The text advises what `instance` does
/// not have yet.
void report_lost_message(const Instance& instance, const Transmitter& transmitter,
                         const Receiver& receiver, const std::string& why, bool compat_gxf,
                         bool& is_known);
/// "it is full (capacity 1, policy 2 = fault)"
std::string full_queue_text(std::size_t capacity);

}  // namespace gxr
