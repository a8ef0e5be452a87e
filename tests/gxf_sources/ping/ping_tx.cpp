#include "ping_tx.hpp"

#include <utility>

#include "ping_message.hpp"

namespace acme {
namespace ping {

gxf_result_t PingTx::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(signal_, "signal", "Signal", "The transmitter of the pings");
  result &= registrar->parameter(clock_, "clock", "Clock", "Gives the time of sending",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &=
      registrar->parameter(first_, "first", "First number", "The number of the first ping", 0L);
  result &= registrar->parameter(payload_size_, "payload_size", "Size of the payload",
                                 "How many numbers a ping carries", static_cast<size_t>(4));
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t PingTx::start() {
  sequence_ = first_.get();
  return GXF_SUCCESS;
}

gxf_result_t PingTx::tick() {
  auto message = nvidia::gxf::Entity::New(context());
  if (!message) {
    GXF_LOG_ERROR("Failed to create a message: %s", GxfResultStr(message.error()));
    return message.error();
  }
  auto ping = message.value().add<PingMessage>("ping");
  if (!ping) {
    return nvidia::gxf::ToResultCode(ping);
  }
  ping.value()->sequence = sequence_;
  ping.value()->payload.assign(payload_size_.get(), static_cast<float>(sequence_));

  const auto clock = clock_.try_get();
  if (clock) {
    ping.value()->sent_at = clock.value()->timestamp();
  }
  auto sequence = message.value().add<int64_t>("sequence");
  if (!sequence) {
    return sequence.error();
  }
  **sequence = sequence_++;
  return nvidia::gxf::ToResultCode(signal_->publish(message.value()));
}

}  // namespace ping
}  // namespace acme
