#include "ping_rx.hpp"

#include <cinttypes>

#include "ping_message.hpp"

namespace acme {
namespace ping {

gxf_result_t PingRx::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(signal_, "signal", "Signal", "The receiver of the pings");
  result &= registrar->parameter(first_, "first", "First number", "The number of the first ping",
                                 int64_t{0});
  result &= registrar->parameter(expected_count_, "expected_count", "Expected count",
                                 "How many pings must have come at the end", uint64_t{0});
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t PingRx::initialize() {
  count_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t PingRx::tick() {
  auto message = signal_->receive();
  if (!message || message.value().is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  auto ping = message.value().get<PingMessage>("ping");
  if (!ping) {
    GXF_LOG_ERROR("The message has no ping: %s", GxfResultStr(ping.error()));
    return ping.error();
  }
  auto sequence = message.value().get<int64_t>("sequence");
  if (!sequence) {
    return sequence.error();
  }
  const int64_t expected = first_ + static_cast<int64_t>(count_);
  if (ping.value()->sequence != expected || **sequence != expected) {
    GXF_LOG_ERROR("Expected ping %" PRId64 ", got %" PRId64, expected, ping.value()->sequence);
    return GXF_FAILURE;
  }
  for (const float value : ping.value()->payload) {
    if (value != static_cast<float>(expected)) {
      GXF_LOG_ERROR("Ping %" PRId64 " carries %f", expected, static_cast<double>(value));
      return GXF_FAILURE;
    }
  }
  ++count_;
  return GXF_SUCCESS;
}

gxf_result_t PingRx::stop() {
  GXF_LOG_INFO("ping: %s received %" PRIu64 " pings", name(), count_);
  return GXF_SUCCESS;
}

gxf_result_t PingRx::deinitialize() {
  if (count_ != expected_count_) {
    GXF_LOG_ERROR("Expected %" PRIu64 " pings, got %" PRIu64, expected_count_.get(), count_);
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

}  // namespace ping
}  // namespace acme
