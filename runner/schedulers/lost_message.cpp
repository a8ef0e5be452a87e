#include "schedulers/lost_message.hpp"

#include <utility>

#include "gxr/error.hpp"
#include "runtime/instance.hpp"

namespace gxr {

void report_lost_message(const Transmitter& transmitter, const Receiver& receiver,
                         const std::string& why, bool compat_gxf, bool* is_counted) {
  if (compat_gxf && is_counted != nullptr && std::exchange(*is_counted, true)) {
    return;
  }
  const std::string text = "a message from '" + transmitter.full_name() + "' to '" +
                           receiver.full_name() + "' has no room: " + why +
                           "; a DownstreamReceptiveSchedulingTerm on the transmitter makes its "
                           "entity wait, policy 0 or 1 of the "
                           "receiver drops messages on purpose";
  if (!compat_gxf) {
    throw ComponentFailure({transmitter.entity_name(), transmitter.name(), transmitter.type(),
                            "publish", text, ErrorCode::Overflow});
  }
  transmitter.context().log(LogLevel::Warn, transmitter, text);
}

std::string full_queue_text(std::size_t capacity) {
  return "it is full (capacity " + std::to_string(capacity) + ", policy 2 = fault)";
}

}  // namespace gxr
