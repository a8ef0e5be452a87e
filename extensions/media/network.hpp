#pragma once

#include <cstdint>
#include <string>

#include "gxr/parameter.hpp"
#include "media/connection.hpp"
#include "media/gstreamer.hpp"

namespace gxr {

class Interface;

namespace media {

/// How a source is reached.
enum class Reach : std::uint8_t { Local, Network, Rtsp, Pipeline };

/// The parameters of sources that are reached over a network.
class NetworkParameters {
 public:
  void declare(Interface& interface);
  /// The options of such a source. Throw Error when they have no effect on it, or cannot work.
  [[nodiscard]] NetworkOptions network(Reach reach) const;
  [[nodiscard]] ConnectionOptions connection(Reach reach) const;
  /// A warning about parameters that are set and have no effect; empty: there are none.
  [[nodiscard]] std::string without_effect() const;

 private:
  void require_effect(Reach reach) const;

  Parameter<Transport> transport_;
  Parameter<Duration> latency_;
  Parameter<FilePath> credentials_;
  Parameter<Duration> timeout_;
  Parameter<bool> reconnect_;
  Parameter<Duration> delay_;
  Parameter<Duration> longest_delay_;
  Parameter<std::uint64_t> attempts_;
};

/// Of a `uri` of Source.
Reach reach_of(const std::string& uri);

}  // namespace media
}  // namespace gxr
