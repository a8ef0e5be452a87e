#include "serialization/entity_replayer.hpp"

#include <algorithm>
#include <utility>

namespace gxr {

void EntityReplayer::declare(Interface& interface) { parameters_.declare(interface); }

void EntityReplayer::initialize() {
  playback_.open(parameters_.directory->path, parameters_.basename.try_get());
  parameters_.boolean_scheduling_term->enable_tick();
}

void EntityReplayer::tick() {
  EntitySerializer& serializer = *parameters_.entity_serializer.get().get();
  for (std::size_t i = 0; i < *parameters_.batch_size; ++i) {
    if (playback_.at_end()) {
      playback_.finish();
      parameters_.boolean_scheduling_term->disable_tick();
      return;
    }
    if (Message message = playback_.read(serializer, *parameters_.ignore_corrupted_entities)) {
      parameters_.transmitter.publish(std::move(message));
    }
  }
}

/// The last one finds the end.
std::optional<std::uint64_t> EntityReplayer::ticks_in_run() const {
  return playback_.size() / std::max<std::uint64_t>(*parameters_.batch_size, 1) + 1;
}

void EntityReplayer::deinitialize() { playback_.close(); }

}  // namespace gxr
