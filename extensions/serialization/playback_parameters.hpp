#pragma once

#include <string>

#include "gxr/gxr.hpp"
#include "gxr/serialization/entity_serializer.hpp"

namespace gxr::serialization {

/// The parameters that all replayers have.
struct PlaybackParameters {
  Output<> transmitter;
  Parameter<Handle<EntitySerializer>> entity_serializer;
  Parameter<Handle<BooleanSchedulingTerm>> boolean_scheduling_term;
  Parameter<FilePath> directory;
  Parameter<std::string> basename;
  Parameter<std::size_t> batch_size;
  Parameter<bool> ignore_corrupted_entities;

  void declare(Interface& interface);
};

}  // namespace gxr::serialization
