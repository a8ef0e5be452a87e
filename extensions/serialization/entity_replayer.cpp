#include "serialization/entity_replayer.hpp"

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

void EntityReplayer::deinitialize() { playback_.close(); }

}  // namespace gxr
