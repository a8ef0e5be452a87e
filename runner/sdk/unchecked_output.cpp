#include "gxr/unchecked_output.hpp"

#include <string>
#include <utility>

#include "document/number_text.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

void UncheckedOutput::publish(const Codelet& codelet, Transmitter& transmitter, Message message) {
  try {
    transmitter.publish(std::move(message));
  } catch (const Error& error) {
    lose(codelet, transmitter, error);
  }
}

void UncheckedOutput::publish(const Codelet& codelet, Transmitter& transmitter, Message message,
                              std::int64_t acqtime) {
  try {
    transmitter.publish(std::move(message), acqtime);
  } catch (const Error& error) {
    lose(codelet, transmitter, error);
  }
}

/// Call in a catch block.
void UncheckedOutput::lose(const Codelet& codelet, Transmitter& transmitter, const Error& error) {
  if (!codelet.context().compat_gxf()) {
    throw;
  }
  StagedRing* const ring = EngineAccess::ring(transmitter);
  if (ring != nullptr && error.code() == ErrorCode::Overflow) {
    ring->count_drop();
  } else {
    ++lost_;
  }
  if (!std::exchange(warned_, true)) {
    codelet.context().log(LogLevel::Warn, codelet, "the message is lost: " + error.message());
  }
}

void UncheckedOutput::finish(const Codelet& codelet) {
  if (const std::uint64_t lost = std::exchange(lost_, 0); lost > 0) {
    codelet.context().log(LogLevel::Warn, codelet,
                          counted(lost, "message was", "messages were") +
                              " lost, because the transmitter did not take " +
                              (lost == 1 ? "it" : "them"));
  }
  warned_ = false;
}

}  // namespace gxr
