#pragma once

#include "gxr/gxr.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/entity_serializer.hpp"

namespace gxr::testing {

/// Serialises each message into memory, reads it back as a new message, and publishes that.
class SerializationTester final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> input_;
  Output<> output_;
  Parameter<Handle<EntitySerializer>> entity_serializer_;
  Parameter<Handle<SerializationBuffer>> serialization_buffer_;
};

}  // namespace gxr::testing
