#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr {

enum class BroadcastMode : std::uint8_t { Broadcast, RoundRobin };
template <>
struct EnumNames<BroadcastMode> {
  static constexpr std::pair<BroadcastMode, const char*> values[] = {
      {BroadcastMode::Broadcast, "Broadcast"},
      {BroadcastMode::RoundRobin, "RoundRobin"},
  };
};

/// Gives each message to all transmitters of its entity, or to one after the other.
class Broadcast final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void publish_to_all(Message message);
  void publish_to_next(Message message);

  Input<> source_;
  Parameter<BroadcastMode> mode_;
  std::vector<Transmitter*> sinks_;  // in the order of the YAML, at least one
  std::size_t next_ = 0;
};

}  // namespace gxr
