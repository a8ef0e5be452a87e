#pragma once

#include "gxf/serialization/component_serializer.hpp"
#include "gxf/serialization/endpoint.hpp"
#include "gxf/std/timestamp.hpp"
#include "note.hpp"

namespace acme {
namespace recorder {

// Writes and reads Note, Timestamp and int64_t.
class NoteSerializer : public nvidia::gxf::ComponentSerializer {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t deinitialize() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Expected<void> configureSerializers();
  nvidia::gxf::Expected<void> configureDeserializers();

  nvidia::gxf::Expected<size_t> serializeNote(const Note& note, nvidia::gxf::Endpoint* endpoint);
  nvidia::gxf::Expected<void> deserializeNote(Note& note, nvidia::gxf::Endpoint* endpoint);
  nvidia::gxf::Expected<size_t> serializeTimestamp(const nvidia::gxf::Timestamp& timestamp,
                                                   nvidia::gxf::Endpoint* endpoint);
  nvidia::gxf::Expected<void> deserializeTimestamp(nvidia::gxf::Timestamp& timestamp,
                                                   nvidia::gxf::Endpoint* endpoint);
};

}  // namespace recorder
}  // namespace acme
