#pragma once

#include <cstddef>
#include <cstdint>

#include "gxf/core/component.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/serialization/endpoint.hpp"

namespace gxr {

class EntitySerializer;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Writes messages to an endpoint and reads them back. Sources may derive from it.
class GXR_GXF_API EntitySerializer : public Component {
 public:
  ~EntitySerializer() override;

  /// A message for what comes next at the endpoint. gxr does not call it.
  virtual Expected<Entity> deserialize_entity_header_abi(Endpoint* endpoint) = 0;
  virtual gxf_result_t serialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint, uint64_t* size) = 0;
  /// Adds what it reads to an empty message.
  virtual gxf_result_t deserialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint) = 0;

  /// Returns the bytes that were written.
  Expected<size_t> serializeEntity(Entity entity, Endpoint* endpoint);
  Expected<void> deserializeEntity(Entity entity, Endpoint* endpoint);
  /// A new message.
  Expected<Entity> deserializeEntity(gxf_context_t context, Endpoint* endpoint);

  // Of the layer.
  gxr::Component* make_adapter() override;

 private:
  virtual gxf_result_t write(const Entity& entity, Endpoint* endpoint, uint64_t* size);
  virtual Expected<Entity> read(gxf_context_t context, Endpoint* endpoint);
};

/// An entity serializer that gxr has itself.
class GXR_GXF_API NativeEntitySerializer : public EntitySerializer {
 public:
  explicit NativeEntitySerializer(gxr::EntitySerializer& serializer) noexcept
      : serializer_(serializer) {}
  ~NativeEntitySerializer() override;

  /// GXF_NOT_IMPLEMENTED: gxr's serializers read a message in one step.
  Expected<Entity> deserialize_entity_header_abi(Endpoint* endpoint) override;
  gxf_result_t serialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint, uint64_t* size) override;
  gxf_result_t deserialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint) override;

 private:
  gxf_result_t write(const Entity& entity, Endpoint* endpoint, uint64_t* size) override;
  Expected<Entity> read(gxf_context_t context, Endpoint* endpoint) override;

  gxr::EntitySerializer& serializer_;
};

}  // namespace gxf
}  // namespace nvidia
