#include "gxf/serialization/component_serializer.hpp"

#include <string>

#include "adapters.hpp"
#include "common/logger.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/serialization/std_component_serializer.hpp"
#include "gxr/serialization/component_serializer.hpp"
#include "gxr/tensor.hpp"
#include "native.hpp"
#include "serialization.hpp"
#include "types.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

/// A serializer that a source wrote.
class ComponentSerializerAdapter final : public AdapterOf<gxr::ComponentSerializer> {
 public:
  explicit ComponentSerializerAdapter(gxf::ComponentSerializer& serializer) noexcept
      : AdapterOf(serializer), serializer_(serializer) {}

  [[nodiscard]] bool supports(gxr::TypeId type) const override {
    return serializer_.isSupported(to_tid(type));
  }

  std::uint64_t serialize(const gxr::detail::Part& part, gxr::Endpoint& endpoint) override {
    const char* const name = part.name.empty() ? "" : part.name.data();
    const UntypedHandle handle(serializer_.context(), {const_cast<void*>(part.data), kNullUid,
                                                       FindType(to_tid(part.id)), name});
    EndpointForSource to(endpoint);
    const Expected<size_t> size = serializer_.serializeComponent(handle, to.get());
    if (!size) {
      throw gxr::Error("serialize_component_abi() of part '" + std::string(name) + "' returned " +
                       GxfResultStr(size.error()));
    }
    return size.value();
  }

  void deserialize(gxr::TypeId type, std::string_view name, gxr::Message& message,
                   gxr::Endpoint& endpoint) override {
    const std::string text(name);
    Entity entity = to_entity(serializer_.context(), std::move(message));
    const Expected<UntypedHandle> part = entity.add(to_tid(type), text.c_str());
    message = std::move(as_message(entity.message()));
    gxf_result_t code = ToResultCode(part);
    if (part) {
      EndpointForSource from(endpoint);
      code = ToResultCode(serializer_.deserializeComponent(part.value(), from.get()));
    }
    if (code != GXF_SUCCESS) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "deserialize_component_abi() of part '" + text +
                                                        "' returned " + GxfResultStr(code));
    }
  }

 private:
  gxf::ComponentSerializer& serializer_;
};

/// Moves the part that was read into the one that a source has added.
gxf_result_t move_part(const gxr::detail::Part& from, const Target& to) {
  if (from.id == gxr::TypeIdOf<gxr::Tensor>::value) {
    *static_cast<gxr::Tensor*>(to.pointer) =
        std::move(*static_cast<gxr::Tensor*>(const_cast<void*>(from.data)));
    return GXF_SUCCESS;
  }
  if (from.operations->copy == nullptr) {
    GXF_LOG_ERROR("a part of type '%s' cannot be read into one that is there", to.type->name);
    return GXF_NOT_IMPLEMENTED;
  }
  from.operations->destroy(to.pointer);
  gxr::DeviceWork work;
  try {
    from.operations->copy(from.data, to.pointer, work);
  } catch (...) {
    to.type->construct(to.pointer);
    throw;
  }
  return GXF_SUCCESS;
}

/// The part of that number.
gxf_result_t find_part(gxf_context_t context, gxf_uid_t cid, Endpoint* endpoint, Target& target) {
  if (endpoint == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const gxf_result_t code = FindTarget(context, cid, target);
  if (code != GXF_SUCCESS) {
    return code;
  }
  return target.type != nullptr ? GXF_SUCCESS : GXF_FACTORY_UNKNOWN_TID;
}

template <class Map, class Function>
Expected<void> set(Map& functions, gxf_tid_t tid, Function&& function, const char* kind) {
  const TypeRecord* const type = FindType(tid);
  if (!functions.emplace(tid, std::forward<Function>(function)).second) {
    GXF_LOG_ERROR("type '%s' has a %s already", type != nullptr ? type->name : "?", kind);
    return Unexpected{GXF_FAILURE};
  }
  return Success;
}

template <class Map>
Expected<typename Map::mapped_type> get(const Map& functions, gxf_tid_t tid) {
  const auto known = functions.find(tid);
  if (known == functions.end()) {
    return Unexpected{GXF_QUERY_NOT_FOUND};
  }
  return known->second;
}

template <class Map>
Expected<void> clear(Map& functions, gxf_tid_t tid) {
  return functions.erase(tid) != 0 ? Success : Unexpected{GXF_QUERY_NOT_FOUND};
}

}  // namespace
}  // namespace layer

ComponentSerializer::~ComponentSerializer() = default;
gxr::Component* ComponentSerializer::make_adapter() {
  return new layer::ComponentSerializerAdapter(*this);
}

gxf_result_t ComponentSerializer::is_supported_abi(gxf_tid_t tid) {
  return serializers_.count(tid) != 0 && deserializers_.count(tid) != 0 ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t ComponentSerializer::serialize_component_abi(gxf_uid_t cid, Endpoint* endpoint,
                                                          uint64_t* size) {
  if (size == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  layer::Target target;
  const gxf_result_t code = layer::find_part(context(), cid, endpoint, target);
  if (code != GXF_SUCCESS) {
    return code;
  }
  const auto serializer = serializers_.find(target.type->tid);
  if (serializer == serializers_.end()) {
    return GXF_QUERY_NOT_FOUND;
  }
  const Expected<size_t> written = serializer->second(target.pointer, endpoint);
  if (!written) {
    return written.error();
  }
  *size = written.value();
  return GXF_SUCCESS;
}

gxf_result_t ComponentSerializer::deserialize_component_abi(gxf_uid_t cid, Endpoint* endpoint) {
  layer::Target target;
  const gxf_result_t code = layer::find_part(context(), cid, endpoint, target);
  if (code != GXF_SUCCESS) {
    return code;
  }
  const auto deserializer = deserializers_.find(target.type->tid);
  return deserializer != deserializers_.end()
             ? ToResultCode(deserializer->second(target.pointer, endpoint))
             : GXF_QUERY_NOT_FOUND;
}

bool ComponentSerializer::isSupported(gxf_tid_t tid) {
  return is_supported_abi(tid) == GXF_SUCCESS;
}

Expected<size_t> ComponentSerializer::serializeComponent(UntypedHandle component,
                                                         Endpoint* endpoint) {
  uint64_t size = 0;
  const gxf_result_t code = serialize_component_abi(component.cid(), endpoint, &size);
  return ExpectedOrCode(code, static_cast<size_t>(size));
}

Expected<void> ComponentSerializer::deserializeComponent(UntypedHandle component,
                                                         Endpoint* endpoint) {
  return ExpectedOrCode(deserialize_component_abi(component.cid(), endpoint));
}

Expected<void> ComponentSerializer::setSerializer(gxf_tid_t tid, Serializer serializer) {
  return layer::set(serializers_, tid, std::move(serializer), "serializer");
}
Expected<void> ComponentSerializer::setDeserializer(gxf_tid_t tid, Deserializer deserializer) {
  return layer::set(deserializers_, tid, std::move(deserializer), "deserializer");
}
Expected<ComponentSerializer::Serializer> ComponentSerializer::getSerializer(gxf_tid_t tid) {
  return layer::get(serializers_, tid);
}
Expected<ComponentSerializer::Deserializer> ComponentSerializer::getDeserializer(gxf_tid_t tid) {
  return layer::get(deserializers_, tid);
}
Expected<void> ComponentSerializer::clearSerializer(gxf_tid_t tid) {
  return layer::clear(serializers_, tid);
}
Expected<void> ComponentSerializer::clearDeserializer(gxf_tid_t tid) {
  return layer::clear(deserializers_, tid);
}

// --- serializers of gxr

NativeComponentSerializer::~NativeComponentSerializer() = default;
StdComponentSerializer::~StdComponentSerializer() = default;

/// A type that gxr records under another one, as it does pictures, needs gxr's entity serializer.
gxf_result_t NativeComponentSerializer::is_supported_abi(gxf_tid_t tid) {
  return layer::guarded([&] {
    const gxr::TypeId type = layer::to_type_id(tid);
    return serializer_.supports(type) && serializer_.recorded_as(type).type == type ? GXF_SUCCESS
                                                                                    : GXF_FAILURE;
  });
}

gxf_result_t NativeComponentSerializer::serialize_component_abi(gxf_uid_t cid, Endpoint* endpoint,
                                                                uint64_t* size) {
  layer::Target target;
  gxf_result_t code =
      size == nullptr ? GXF_ARGUMENT_NULL : layer::find_part(context(), cid, endpoint, target);
  if (code == GXF_SUCCESS) {
    code = is_supported_abi(target.type->tid);
  }
  if (code != GXF_SUCCESS) {
    return code;
  }
  return layer::guarded([&] {
    const gxr::detail::Part part{
        layer::to_type_id(target.type->tid), target.name, target.pointer,
        static_cast<const gxr::detail::PartOperations*>(target.type->operations), nullptr};
    layer::EndpointForGxr to(*endpoint);
    *size = serializer_.serialize(part, to.get());
    return GXF_SUCCESS;
  });
}

gxf_result_t NativeComponentSerializer::deserialize_component_abi(gxf_uid_t cid,
                                                                  Endpoint* endpoint) {
  layer::Target target;
  gxf_result_t code = layer::find_part(context(), cid, endpoint, target);
  if (code == GXF_SUCCESS) {
    code = is_supported_abi(target.type->tid);
  }
  if (code != GXF_SUCCESS) {
    return code;
  }
  return layer::guarded([&] {
    layer::EndpointForGxr from(*endpoint);
    gxr::Message message = layer::context_of(context())->engine().new_message();
    const gxr::TypeId type = layer::to_type_id(target.type->tid);
    serializer_.deserialize(type, target.name, message, from.get());
    if (message.size() != 1 || message.begin()->id != type) {
      return GXF_INVALID_DATA_FORMAT;  // a tensor that was a picture
    }
    return layer::move_part(*message.begin(), target);
  });
}

}  // namespace nvidia::gxf
