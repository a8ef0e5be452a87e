#pragma once

#include <string>

#include "gxr/queue.hpp"

namespace gxr {

/// A message for `receiver` had no room, for the reason `why`: ends the run (throws
/// ComponentFailure), or with `compat_gxf` is a warning, as in GXF; the first one only, when
/// `is_counted` keeps it in mind, because the report says at the end how many there were.
void report_lost_message(const Transmitter& transmitter, const Receiver& receiver,
                         const std::string& why, bool compat_gxf, bool* is_counted);
/// "it is full (capacity 1, policy 2 = fault)"
std::string full_queue_text(std::size_t capacity);

}  // namespace gxr
