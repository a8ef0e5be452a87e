#pragma once

#include <cstdint>
#include <optional>

#include "gxr/gxr.hpp"
#include "serialization/playback.hpp"
#include "serialization/playback_parameters.hpp"

namespace gxr {

/// Publishes the messages of a recording as fast as its entity ticks. The tick that finds the end
/// of the recording switches the entity off.
class EntityReplayer final : public Codelet, public KnownLength {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void deinitialize() override;
  [[nodiscard]] std::optional<std::uint64_t> ticks_in_run() const override;

 private:
  serialization::PlaybackParameters parameters_;
  serialization::Playback playback_{*this};
};

}  // namespace gxr
