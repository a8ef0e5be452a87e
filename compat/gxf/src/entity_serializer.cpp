#include "gxf/serialization/entity_serializer.hpp"

#include <string>

#include "adapters.hpp"
#include "gxf/serialization/std_entity_id_serializer.hpp"
#include "gxf/serialization/std_entity_serializer.hpp"
#include "gxr/serialization/entity_serializer.hpp"
#include "native.hpp"
#include "serialization.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

/// A serializer that a source wrote.
class EntitySerializerAdapter final : public AdapterOf<gxr::EntitySerializer> {
 public:
  explicit EntitySerializerAdapter(gxf::EntitySerializer& serializer) noexcept
      : AdapterOf(serializer), serializer_(serializer) {}

  std::uint64_t serialize(const gxr::Message& message, gxr::Endpoint& endpoint) override {
    EndpointForSource to(endpoint);
    const Expected<size_t> size = serializer_.serializeEntity(
        to_entity(serializer_.context(), gxr::Message(message)), to.get());
    if (!size) {
      throw gxr::Error(std::string("serialize_entity_abi() returned ") +
                       GxfResultStr(size.error()));
    }
    return size.value();
  }

  gxr::Message deserialize(gxr::Endpoint& endpoint) override {
    EndpointForSource from(endpoint);
    Expected<Entity> entity = serializer_.deserializeEntity(serializer_.context(), from.get());
    if (!entity) {
      throw gxr::Error(
          gxr::ErrorCode::InvalidData,
          std::string("deserialize_entity_abi() returned ") + GxfResultStr(entity.error()));
    }
    return std::move(as_message(entity.value().message()));
  }

 private:
  gxf::EntitySerializer& serializer_;
};

}  // namespace
}  // namespace layer

EntitySerializer::~EntitySerializer() = default;
gxr::Component* EntitySerializer::make_adapter() {
  return new layer::EntitySerializerAdapter(*this);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
Expected<size_t> EntitySerializer::serializeEntity(Entity entity, Endpoint* endpoint) {
  if (entity.is_null() || endpoint == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  uint64_t size = 0;
  const gxf_result_t code = write(entity, endpoint, &size);
  return ExpectedOrCode(code, static_cast<size_t>(size));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
Expected<void> EntitySerializer::deserializeEntity(Entity entity, Endpoint* endpoint) {
  if (entity.is_null() || endpoint == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return ExpectedOrCode(deserialize_entity_abi(entity.eid(), endpoint));
}

Expected<Entity> EntitySerializer::deserializeEntity(gxf_context_t context, Endpoint* endpoint) {
  if (endpoint == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return read(context, endpoint);
}

gxf_result_t EntitySerializer::write(const Entity& entity, Endpoint* endpoint, uint64_t* size) {
  return serialize_entity_abi(entity.eid(), endpoint, size);
}

Expected<Entity> EntitySerializer::read(gxf_context_t context, Endpoint* endpoint) {
  Expected<Entity> entity = Entity::New(context);
  if (entity) {
    const gxf_result_t code = deserialize_entity_abi(entity.value().eid(), endpoint);
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
  }
  return entity;
}

// --- serializers of gxr

NativeEntitySerializer::~NativeEntitySerializer() = default;
StdEntitySerializer::~StdEntitySerializer() = default;
StdEntityIdSerializer::~StdEntityIdSerializer() = default;

Expected<Entity> NativeEntitySerializer::deserialize_entity_header_abi(Endpoint*) {
  return Unexpected{GXF_NOT_IMPLEMENTED};
}

gxf_result_t NativeEntitySerializer::serialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint,
                                                          uint64_t* size) {
  if (endpoint == nullptr || size == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const Expected<Entity> entity = Entity::Shared(context(), eid);
  return entity ? write(entity.value(), endpoint, size) : entity.error();
}

gxf_result_t NativeEntitySerializer::deserialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint) {
  if (endpoint == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  Expected<Entity> entity = Entity::Shared(context(), eid);
  if (!entity) {
    return entity.error();
  }
  return layer::guarded([&] {
    layer::EndpointForGxr from(*endpoint);
    const gxr::Message message = serializer_.deserialize(from.get());
    for (std::size_t i = 0; i < message.size(); ++i) {
      layer::as_message(entity.value().message()).share_part(message, i);
    }
    return GXF_SUCCESS;
  });
}

gxf_result_t NativeEntitySerializer::write(const Entity& entity, Endpoint* endpoint,
                                           uint64_t* size) {
  return layer::guarded([&] {
    layer::EndpointForGxr to(*endpoint);
    *size = serializer_.serialize(layer::as_message(entity.message()), to.get());
    return GXF_SUCCESS;
  });
}

Expected<Entity> NativeEntitySerializer::read(gxf_context_t context, Endpoint* endpoint) {
  gxr::Message message;
  const gxf_result_t code = layer::guarded([&] {
    layer::EndpointForGxr from(*endpoint);
    message = serializer_.deserialize(from.get());
    message.share_writable();
    return GXF_SUCCESS;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return layer::to_entity(context, std::move(message));
}

}  // namespace nvidia::gxf
