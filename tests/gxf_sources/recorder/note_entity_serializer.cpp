#include "note_entity_serializer.hpp"

#include <string>

#include "gxf/core/expected_macro.hpp"

namespace acme {
namespace recorder {

using nvidia::FixedVector;
using nvidia::gxf::ComponentSerializer;
using nvidia::gxf::Endpoint;
using nvidia::gxf::Entity;
using nvidia::gxf::Expected;
using nvidia::gxf::ForwardError;
using nvidia::gxf::Handle;
using nvidia::gxf::Success;
using nvidia::gxf::ToResultCode;
using nvidia::gxf::Unexpected;
using nvidia::gxf::UntypedHandle;

gxf_result_t NoteEntitySerializer::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(component_serializers_, "component_serializers", "Serializers",
                                 "Write the parts; the first one that knows a type is taken");
  return ToResultCode(result);
}

gxf_result_t NoteEntitySerializer::initialize() {
  known_.clear();
  header_.reset();
  sequence_ = 0;
  // Each serializer must be one: handles to other components are refused here, with their type.
  gxf_tid_t base = GxfTidNull();
  gxf_result_t code = GxfComponentTypeId(context(), "nvidia::gxf::ComponentSerializer", &base);
  if (code != GXF_SUCCESS) {
    return code;
  }
  for (size_t i = 0; i < component_serializers_.get().size(); ++i) {
    const auto serializer = component_serializers_.get().at(i).value();
    gxf_tid_t tid = GxfTidNull();
    code = GxfComponentType(context(), serializer.cid(), &tid);
    if (code != GXF_SUCCESS) {
      return code;
    }
    const char* type = nullptr;
    bool is_base = false;
    if (GxfComponentTypeName(context(), tid, &type) != GXF_SUCCESS ||
        GxfComponentIsBase(context(), tid, base, &is_base) != GXF_SUCCESS || !is_base) {
      GXF_LOG_ERROR("'%s' is no serializer", serializer.name());
      return GXF_ARGUMENT_INVALID;
    }
    GXF_LOG_DEBUG("Parts are written by %s", type);
  }
  return GXF_SUCCESS;
}

Expected<Handle<ComponentSerializer>> NoteEntitySerializer::findSerializer(gxf_tid_t tid) {
  const auto known = known_.find(tid);
  if (known != known_.end()) {
    return known->second;
  }
  for (size_t i = 0; i < component_serializers_.get().size(); ++i) {
    const auto serializer = component_serializers_.get().at(i).value();
    if (serializer->isSupported(tid)) {
      known_[tid] = serializer;
      return serializer;
    }
  }
  return Unexpected{GXF_QUERY_NOT_FOUND};
}

Expected<size_t> NoteEntitySerializer::serializeComponent(UntypedHandle component,
                                                          Endpoint* endpoint) {
  const auto serializer = findSerializer(component.tid());
  if (!serializer) {
    return ForwardError(serializer);
  }
  const char* name = nullptr;
  const gxf_result_t code = GxfComponentName(context(), component.cid(), &name);
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  const std::string text = name;
  ComponentHeader header{component.tid(), text.size()};
  size_t size = 0;
  size += UNWRAP_OR_RETURN(endpoint->writeTrivialType<ComponentHeader>(&header));
  size += UNWRAP_OR_RETURN(endpoint->write(text.data(), text.size()));
  size += UNWRAP_OR_RETURN(serializer.value()->serializeComponent(component, endpoint), "part '%s'",
                           name);
  return size;
}

gxf_result_t NoteEntitySerializer::serialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint,
                                                        uint64_t* size) {
  if (endpoint == nullptr || size == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  auto entity = Entity::Shared(context(), eid);
  if (!entity) {
    return entity.error();
  }
  // Handles to all parts; the form that appends to a vector is that of older versions.
  FixedVector<UntypedHandle, kMaxComponents> components;
  const auto found = entity.value().findAll(components);
  if (!found) {
    return found.error();
  }
  EntityHeader header{sequence_++, 0};
  for (size_t i = 0; i < components.size(); ++i) {
    if (findSerializer(components.at(i).value().tid())) {
      ++header.component_count;
    } else {
      GXF_LOG_WARNING("A part '%s' is not recorded", components.at(i).value().name());
    }
  }
  *size = UNWRAP_OR_RETURN(endpoint->writeTrivialType<EntityHeader>(&header));
  for (size_t i = 0; i < components.size(); ++i) {
    if (findSerializer(components.at(i).value().tid())) {
      *size += UNWRAP_OR_RETURN(serializeComponent(components.at(i).value(), endpoint));
    }
  }
  return GXF_SUCCESS;
}

Expected<Entity> NoteEntitySerializer::deserialize_entity_header_abi(Endpoint* endpoint) {
  EntityHeader header{};
  const auto read = endpoint->readTrivialType<EntityHeader>(&header);
  if (!read) {
    return ForwardError(read);
  }
  header_ = header;
  return Entity::New(context());
}

Expected<void> NoteEntitySerializer::deserializeComponent(Entity& entity, Endpoint* endpoint) {
  ComponentHeader header{};
  RETURN_IF_ERROR(endpoint->readTrivialType<ComponentHeader>(&header));
  if (header.name_size >= kMaxComponentNameSize) {
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  std::string name(header.name_size, ' ');
  RETURN_IF_ERROR(endpoint->read(name.data(), name.size()), "the name of a part");
  auto component = UNWRAP_OR_RETURN(entity.add(header.tid, name.c_str()));
  const auto serializer = UNWRAP_OR_RETURN(findSerializer(header.tid));
  RETURN_IF_ERROR(serializer->deserializeComponent(component, endpoint));
  return Success;
}

gxf_result_t NoteEntitySerializer::deserialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint) {
  if (endpoint == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  auto entity = Entity::Shared(context(), eid);
  if (!entity) {
    return ToResultCode(entity);
  }
  if (!header_.has_value()) {
    EntityHeader header{};
    RETURN_IF_ERROR(endpoint->readTrivialType<EntityHeader>(&header));
    header_ = header;
  }
  const EntityHeader header = header_.value();
  header_.reset();
  for (uint64_t i = 0; i < header.component_count; ++i) {
    RETURN_IF_ERROR(deserializeComponent(entity.value(), endpoint));
  }
  return GXF_SUCCESS;
}

}  // namespace recorder
}  // namespace acme
