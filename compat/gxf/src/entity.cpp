#include "gxf/core/entity.hpp"

#include <array>
#include <cstdint>
#include <mutex>

#include "common/logger.hpp"
#include "context.hpp"
#include "cuda_streams.hpp"
#include "gxr/timestamp.hpp"
#include "native.hpp"
#include "types.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

/// The name of a part for a C interface: texts of gxr that are empty may have no address.
const char* text_of(std::string_view name) noexcept { return name.empty() ? "" : name.data(); }

bool is_number(const gxr::detail::Part& part) noexcept {
  return part.id == gxr::TypeIdOf<MessageNumber>::value;
}

Target target_of(const gxr::detail::Part& part, const MessageBytes& message) noexcept {
  return {const_cast<void*>(part.data), kNullUid, FindType(to_tid(part.id)), text_of(part.name),
          message.block};
}

/// Parts are looked for by their native id first, since most are of exactly the type.
bool is_wanted(const gxr::detail::Part& part, const TypeRecord* type) noexcept {
  if (type == nullptr) {
    return !is_number(part);
  }
  return part.id == to_type_id(type->tid) || (type->has_derived.load(std::memory_order_acquire) &&
                                              IsA(FindType(to_tid(part.id)), type));
}

}  // namespace

std::recursive_mutex& mutex_of(const void* block) noexcept {
  constexpr std::size_t kMutexes = 64;  // blocks share them
  static std::array<std::recursive_mutex, kMutexes> mutexes;
  return mutexes[(reinterpret_cast<std::uintptr_t>(block) >> 10U) % kMutexes];
}

void CopyMessage(const MessageBytes& from, MessageBytes& to) noexcept {
  new (&to) gxr::Message(as_message(from));
}

void DropMessage(MessageBytes& message) noexcept { as_message(message).reset(); }

gxf_result_t set_acquisition_time(Entity& entity, std::int64_t time) noexcept {
  return guarded([&] {
    gxr::Message& message = as_message(entity.message());
    if (!message) {
      return GXF_ARGUMENT_NULL;
    }
    const std::lock_guard lock(mutex_of(entity.message().block));
    const auto* const known = message.find<gxr::Timestamp>("timestamp");
    gxr::Timestamp& timestamp = known != nullptr ? const_cast<gxr::Timestamp&>(*known)
                                                 : message.add<gxr::Timestamp>("timestamp");
    timestamp = {0, time};
    return GXF_SUCCESS;
  });
}

gxf_result_t code_of(const gxr::Error& error) noexcept {
  switch (error.code()) {
    case gxr::ErrorCode::InvalidArgument:
      return GXF_ARGUMENT_INVALID;
    case gxr::ErrorCode::OutOfRange:
      return GXF_ARGUMENT_OUT_OF_RANGE;
    case gxr::ErrorCode::InvalidParameter:
      return GXF_PARAMETER_OUT_OF_RANGE;
    case gxr::ErrorCode::NotFound:
      return GXF_QUERY_NOT_FOUND;
    case gxr::ErrorCode::OutOfMemory:
      return GXF_OUT_OF_MEMORY;
    case gxr::ErrorCode::Overflow:
      return GXF_EXCEEDING_PREALLOCATED_SIZE;
    case gxr::ErrorCode::InvalidData:
      return GXF_INVALID_DATA_FORMAT;
    case gxr::ErrorCode::NotSupported:
      return GXF_NOT_IMPLEMENTED;
    case gxr::ErrorCode::InvalidState:
      return GXF_INVALID_LIFECYCLE_STAGE;
    default:
      return GXF_FAILURE;
  }
}

gxf_result_t caught() noexcept {
  try {
    throw;
  } catch (const gxr::Error& error) {
    GXF_LOG_ERROR("%s", error.message().c_str());
    return code_of(error);
  } catch (const std::bad_alloc&) {
    return GXF_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    GXF_LOG_ERROR("%s", error.what());
    return GXF_FAILURE;
  } catch (...) {
    return GXF_FAILURE;
  }
}

}  // namespace layer

Expected<Entity> Entity::New(gxf_context_t context, const char*) {
  layer::Context* const known = layer::context_of(context);
  if (known == nullptr) {
    return Unexpected{GXF_CONTEXT_INVALID};
  }
  gxr::Message message;
  const gxf_result_t code = layer::guarded([&] {
    message = known->engine().new_message();
    message.share_writable();
    return GXF_SUCCESS;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return layer::to_entity(context, std::move(message));
}

Expected<Entity> Entity::Shared(gxf_context_t context, gxf_uid_t eid, void*) {
  layer::Context* const known = layer::context_of(context);
  if (known == nullptr) {
    return Unexpected{GXF_CONTEXT_INVALID};
  }
  if (eid < layer::Context::kFirstOfMessages) {
    return known->member_of(eid) != nullptr ? Expected<Entity>(Entity(context, eid))
                                            : Expected<Entity>(Unexpected{GXF_ENTITY_NOT_FOUND});
  }
  gxr::Message message = known->message(eid);
  if (!message) {
    return Unexpected{GXF_ENTITY_NOT_FOUND};
  }
  return layer::to_entity(context, std::move(message));
}

Expected<Entity> Entity::Own(gxf_context_t context, gxf_uid_t eid, void* item) {
  Expected<Entity> entity = Shared(context, eid, item);
  if (entity && eid >= layer::Context::kFirstOfMessages) {
    static_cast<void>(layer::context_of(context)->drop_reference(eid));
  }
  return entity;
}

Expected<void> Entity::activate() {
  return is_null() ? Expected<void>(Unexpected{GXF_FAILURE}) : Success;
}
Expected<void> Entity::deactivate() { return activate(); }

gxf_uid_t Entity::eid() const {
  if (message_.block == nullptr) {
    return eid_;
  }
  gxf_uid_t number = kNullUid;
  static_cast<void>(layer::guarded([&] {
    const std::lock_guard lock(layer::mutex_of(message_.block));
    number = layer::context_of(context_)->number_of_message(
        layer::as_message(const_cast<layer::MessageBytes&>(message_)));
    return GXF_SUCCESS;
  }));
  return number;
}

const char* Entity::name() const {
  layer::Context* const known = layer::context_of(context_);
  if (known == nullptr || eid_ == kNullUid) {
    return "";
  }
  const gxr::Component* const member = known->member_of(eid_);
  return member != nullptr ? member->entity_name().c_str() : "";
}

gxf_result_t Entity::unknown_type(const char* type_name) noexcept {
  GXF_LOG_WARNING("Unknown type '%s': no extension has registered it", type_name);
  return GXF_FACTORY_UNKNOWN_CLASS_NAME;
}

gxf_result_t Entity::add_part(const layer::TypeRecord* type, const char* type_name,
                              const char* name, layer::Target& target) noexcept {
  if (is_null()) {
    return GXF_ARGUMENT_NULL;
  }
  if (type == nullptr) {
    return unknown_type(type_name);
  }
  if (message_.block == nullptr) {
    return GXF_ENTITY_CAN_NOT_ADD_COMPONENT_AFTER_INITIALIZATION;
  }
  if (type->construct == nullptr) {
    return GXF_FACTORY_ABSTRACT_CLASS;
  }
  const std::string_view text = name != nullptr ? name : "";
  if (text.size() >= kMaxComponentNameSize) {
    return GXF_ENTITY_COMPONENT_NAME_EXCEEDS_LIMIT;
  }
  return layer::guarded([&] {
    gxr::Message& message = layer::as_message(message_);
    const std::lock_guard lock(layer::mutex_of(message_.block));
    if (message.size() >= kMaxComponents) {
      return GXF_ENTITY_MAX_COMPONENTS_LIMIT_EXCEEDED;
    }
    message.add(layer::to_type_id(type->tid), text,
                *static_cast<const gxr::detail::PartOperations*>(type->operations),
                type->construct);
    target = layer::target_of(*(message.end() - 1), message_);
    target.type = type;
    if (type->is_component) {
      auto* const component = static_cast<Component*>(target.pointer);
      component->internalSetup(context_, eid(), layer::NumberOf(context_, target), nullptr);
      component->set_identity(type->tid, type->name, target.name);
    }
    return GXF_SUCCESS;
  });
}

Expected<UntypedHandle> Entity::add(gxf_tid_t tid, const char* name) {
  layer::Target target;
  const gxf_result_t code = add_part(layer::FindType(tid), "with this id", name, target);
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return UntypedHandle(context_, target);
}

bool Entity::next(const layer::TypeRecord* type, std::size_t& index,
                  layer::Target& target) const noexcept {
  if (message_.block != nullptr) {
    const gxr::Message& message = layer::as_message(message_);
    const std::lock_guard lock(layer::mutex_of(message_.block));
    for (; index < message.size(); ++index) {
      const gxr::detail::Part& part = message.begin()[index];
      if (layer::is_wanted(part, type)) {
        target = layer::target_of(part, message_);
        ++index;
        return true;
      }
    }
    return false;
  }
  layer::Context* const known = layer::context_of(context_);
  gxr::Component* const member =
      known != nullptr && eid_ != kNullUid ? known->member_of(eid_) : nullptr;
  if (member == nullptr) {
    return false;
  }
  const std::vector<gxr::Component*> members = known->engine().siblings(*member);
  for (; index < members.size(); ++index) {
    const layer::Target found = known->target_of(*members[index]);
    if (type == nullptr || layer::IsA(found.type, type)) {
      target = found;
      ++index;
      return true;
    }
  }
  return false;
}

gxf_result_t Entity::find(const layer::TypeRecord* type, const char* type_name, const char* name,
                          layer::Target& target) const noexcept {
  if (is_null()) {
    return GXF_ARGUMENT_NULL;
  }
  if (type == nullptr && type_name != nullptr) {
    return unknown_type(type_name);
  }
  for (std::size_t index = 0; next(type, index, target);) {
    if (name == nullptr || std::string_view(name) == target.name) {
      return GXF_SUCCESS;
    }
  }
  // Work of gxr's own components is known without a part that says so, which sources ask for.
  if (message_.block != nullptr && type != nullptr &&
      layer::to_type_id(type->tid) == gxr::TypeIdOf<gxr::cuda::CudaStreamId>::value) {
    return layer::guarded([&] {
      gxr::Message& message = layer::as_message(const_cast<layer::MessageBytes&>(message_));
      const std::lock_guard lock(layer::mutex_of(message_.block));
      if (message.find<gxr::cuda::CudaStreamId>() != nullptr ||
          !layer::add_stream_id(message, name)) {
        return GXF_ENTITY_COMPONENT_NOT_FOUND;
      }
      target = layer::target_of(*(message.end() - 1), message_);
      return GXF_SUCCESS;
    });
  }
  return GXF_ENTITY_COMPONENT_NOT_FOUND;
}

Expected<UntypedHandle> Entity::get(gxf_tid_t tid, const char* name) const {
  layer::Target target;
  const gxf_result_t code = GxfTidIsNull(tid) != 0
                                ? find(nullptr, nullptr, name, target)
                                : find(layer::FindType(tid), "with this id", name, target);
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return UntypedHandle(context_, target);
}

// gxr's messages only grow.
Expected<void> Entity::remove_part(const layer::TypeRecord*, const char*) {
  GXF_LOG_ERROR("Entity::remove(): parts of a message stay until the message goes");
  return Unexpected{GXF_NOT_IMPLEMENTED};
}
Expected<void> Entity::remove(gxf_tid_t tid, const char* name) {
  return remove_part(layer::FindType(tid), name);
}
Expected<void> Entity::remove(const gxf_uid_t&) { return remove_part(nullptr, nullptr); }

}  // namespace nvidia::gxf
