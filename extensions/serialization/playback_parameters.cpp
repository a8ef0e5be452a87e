#include "serialization/playback_parameters.hpp"

namespace gxr::serialization {

void PlaybackParameters::declare(Interface& interface) {
  interface.output(transmitter, "transmitter", "The recorded messages");
  interface.parameter(entity_serializer, "entity_serializer", "Reads the messages");
  interface.parameter(boolean_scheduling_term, "boolean_scheduling_term",
                      "Term of the same entity, which ends it behind the last message");
  interface.parameter(directory, "directory", "Folder of the recording");
  interface
      .parameter(basename, "basename", "Name of the recording's files without their ending",
                 "Left out: the name of this component.")
      .optional();
  interface.parameter(batch_size, "batch_size", "Messages to publish per tick")
      .default_value(1)
      .minimum(1)
      .unit("messages");
  interface.publishes("transmitter", "batch_size");
  interface
      .parameter(ignore_corrupted_entities, "ignore_corrupted_entities",
                 "Leave out damaged entities with a warning",
                 "The index says where the next one begins. Switched off, a damaged entity is an "
                 "error.")
      .default_value(true);
}

}  // namespace gxr::serialization
