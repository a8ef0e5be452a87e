#include "media/network.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "media/credentials.hpp"
#include "media/source_text.hpp"

namespace gxr::media {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kUsualLatency{200};
constexpr std::chrono::seconds kUsualTimeout{10};

constexpr Duration kUsualDelay{1'000'000'000};
constexpr Duration kUsualLongestDelay{30'000'000'000};
constexpr std::chrono::milliseconds kShortestDelay{10};
// Longer ones could not be added to a time.
constexpr std::chrono::hours kLongestTime{24 * 365};

nanoseconds value_of(const Parameter<Duration>& parameter) {
  return std::min<nanoseconds>(nanoseconds(parameter.get().nanoseconds), kLongestTime);
}

}  // namespace

Reach reach_of(const std::string& uri) {
  if (!has_scheme(uri) || uri.starts_with("file:") || uri.starts_with("test:") ||
      uri.starts_with("v4l2:") || uri.starts_with("screen:")) {
    return Reach::Local;
  }
  return uri.starts_with("rtsp") ? Reach::Rtsp : Reach::Network;
}

void NetworkParameters::declare(Interface& interface) {
  interface
      .parameter(transport_, "transport", "How the packets of rtsp://… come",
                 "auto: udp, and tcp when nothing comes. tcp gets through firewalls and loses no "
                 "packet.")
      .default_value(Transport::Auto);
  interface
      .parameter(latency_, "latency", "Longest time that rtsp://… waits for packets that are late",
                 "0: 200 ms.")
      .default_value({});
  interface
      .parameter(credentials_, "credentials", "File with one line USER:PASSWORD",
                 "For rtsp://…, http://…, https://… and the elements of 'pipeline'. Only its owner "
                 "may have access to the file.")
      .default_value({});
  interface
      .parameter(timeout_, "timeout", "Longest time without a picture; then the source has failed",
                 "0: 10 s for sources over a network, any time for a 'pipeline'.")
      .default_value({});
  interface
      .parameter(reconnect_, "reconnect", "Connect again when a source over a network fails",
                 "Or when a live one ends. Without it, that ends the run.")
      .default_value(false);
  interface
      .parameter(delay_, "reconnect_delay", "Time from a failure to the first attempt",
                 "It doubles from attempt to attempt, until the source gets on.")
      .default_value(kUsualDelay);
  interface.parameter(longest_delay_, "reconnect_longest_delay", "Longest time between attempts")
      .default_value(kUsualLongestDelay);
  interface
      .parameter(attempts_, "reconnect_attempts",
                 "Attempts in a row after which a failure ends the run",
                 "0: any number. They are counted from the last progress: a picture of a live "
                 "source; of a file, which begins again, one more picture than before.")
      .default_value(0);
}

void NetworkParameters::require_effect(Reach reach) const {
  if (reach != Reach::Rtsp &&
      (transport_.get() != Transport::Auto || latency_.get().nanoseconds > 0)) {
    throw Error(ErrorCode::InvalidParameter,
                "'transport' and 'latency' have an effect only on rtsp://…; for 'pipeline', write "
                "them into its text, for example 'rtspsrc protocols=tcp latency=50 …'");
  }
  if (reach == Reach::Local &&
      (reconnect_.get() || timeout_.get().nanoseconds > 0 || !credentials_.get().path.empty())) {
    throw Error(ErrorCode::InvalidParameter,
                "'credentials', 'timeout' and 'reconnect' have an effect only on sources over a "
                "network");
  }
}

std::string NetworkParameters::without_effect() const {
  const bool is_usual = delay_.get().nanoseconds == kUsualDelay.nanoseconds &&
                        longest_delay_.get().nanoseconds == kUsualLongestDelay.nanoseconds &&
                        attempts_.get() == 0;
  return reconnect_.get() || is_usual ? ""
                                      : "'reconnect_delay', 'reconnect_longest_delay' and "
                                        "'reconnect_attempts' have no effect "
                                        "without 'reconnect: true'";
}

NetworkOptions NetworkParameters::network(Reach reach) const {
  require_effect(reach);
  NetworkOptions options;
  options.transport = transport_.get();
  options.latency = value_of(latency_);
  if (reach == Reach::Rtsp && options.latency.count() == 0) {
    options.latency = kUsualLatency;
  }
  if (!credentials_.get().path.empty()) {
    Credentials read = read_credentials(credentials_.get().path);
    options.user = std::move(read.user);
    options.password = std::move(read.password);
  }
  return options;
}

ConnectionOptions NetworkParameters::connection(Reach reach) const {
  ConnectionOptions options;
  const bool over_network = reach == Reach::Network || reach == Reach::Rtsp;
  options.timeout = value_of(timeout_);
  if (over_network && options.timeout.count() == 0) {
    options.timeout = kUsualTimeout;
  }
  options.reconnects = reconnect_.get();
  options.delay = value_of(delay_);
  options.longest_delay = value_of(longest_delay_);
  options.attempts = attempts_.get();
  if (options.delay < kShortestDelay) {
    throw Error(ErrorCode::InvalidParameter, "'reconnect_delay' is shorter than 10 ms");
  }
  if (options.longest_delay < options.delay) {
    throw Error(ErrorCode::InvalidParameter,
                "'reconnect_longest_delay' is shorter than 'reconnect_delay'");
  }
  return options;
}

}  // namespace gxr::media
