#pragma once

#include <string>

#include "gxr/queue.hpp"

namespace gxr {

/// A message for `receiver` had no room, for the reason `why`: ends the run (throws
/// ComponentFailure), or with `compat_gxf` is a warning, as in GXF.
void report_lost_message(const Transmitter& transmitter, const Receiver& receiver,
                         const std::string& why, bool compat_gxf);
/// "it is full (capacity 1, policy 2 = fault)"
std::string full_queue_text(std::size_t capacity);

}  // namespace gxr
