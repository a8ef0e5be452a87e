#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "common/fixed_vector.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/serialization/component_serializer.hpp"
#include "gxf/serialization/entity_serializer.hpp"
#include "gxf/serialization/tid_hash.hpp"

namespace acme {
namespace recorder {

// Writes messages as a header and their parts, each with its type and its name. Parts of unknown
// types are left out.
class NoteEntitySerializer : public nvidia::gxf::EntitySerializer {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t deinitialize() override { return GXF_SUCCESS; }

  gxf_result_t serialize_entity_abi(gxf_uid_t eid, nvidia::gxf::Endpoint* endpoint,
                                    uint64_t* size) override;
  gxf_result_t deserialize_entity_abi(gxf_uid_t eid, nvidia::gxf::Endpoint* endpoint) override;
  nvidia::gxf::Expected<nvidia::gxf::Entity> deserialize_entity_header_abi(
      nvidia::gxf::Endpoint* endpoint) override;

 private:
  struct EntityHeader {
    uint64_t sequence;
    uint64_t component_count;
  };
  struct ComponentHeader {
    gxf_tid_t tid;
    uint64_t name_size;
  };

  nvidia::gxf::Expected<nvidia::gxf::Handle<nvidia::gxf::ComponentSerializer>> findSerializer(
      gxf_tid_t tid);
  nvidia::gxf::Expected<size_t> serializeComponent(nvidia::gxf::UntypedHandle component,
                                                   nvidia::gxf::Endpoint* endpoint);
  nvidia::gxf::Expected<void> deserializeComponent(nvidia::gxf::Entity& entity,
                                                   nvidia::gxf::Endpoint* endpoint);

  nvidia::gxf::Parameter<
      nvidia::FixedVector<nvidia::gxf::Handle<nvidia::gxf::ComponentSerializer>, kMaxComponents>>
      component_serializers_;

  std::unordered_map<gxf_tid_t, nvidia::gxf::Handle<nvidia::gxf::ComponentSerializer>,
                     nvidia::gxf::TidHash>
      known_;
  std::optional<EntityHeader> header_;
  uint64_t sequence_ = 0;
};

}  // namespace recorder
}  // namespace acme
