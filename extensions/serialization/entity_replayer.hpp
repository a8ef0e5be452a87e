#pragma once

#include "gxr/gxr.hpp"
#include "serialization/playback.hpp"
#include "serialization/playback_parameters.hpp"

namespace gxr {

/// Publishes the messages of a recording as fast as its entity ticks. The tick that finds the end
/// of the recording switches the entity off.
class EntityReplayer final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void deinitialize() override;

 private:
  serialization::PlaybackParameters parameters_;
  serialization::Playback playback_{*this};
};

}  // namespace gxr
