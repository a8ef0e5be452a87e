#include <cstring>
#include <string>
#include <type_traits>

#include "adapters.hpp"
#include "common/logger.hpp"
#include "gxf/core/filepath.hpp"
#include "native.hpp"
#include "types.hpp"

// The C interface as far as components of a graph use it: types, entities, components, parameters.

namespace nvidia::gxf::layer {
namespace {

/// Runs `call` with the context behind the pointer.
template <class F>
gxf_result_t with(gxf_context_t context, F&& call) noexcept {
  Context* const known = context_of(context);
  return known == nullptr ? GXF_CONTEXT_INVALID : guarded([&] { return call(*known); });
}

/// Runs `call` with the component, part or facade of that number.
template <class F>
gxf_result_t with_target(gxf_context_t context, gxf_uid_t cid, F&& call) noexcept {
  Target target;
  const gxf_result_t code = FindTarget(context, cid, target);
  return code == GXF_SUCCESS ? call(target) : code;
}

template <class T>
gxf_result_t set_parameter(gxf_context_t context, gxf_uid_t cid, const char* key,
                           const T& value) noexcept {
  return with(context, [&](Context&) {
    if (key == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    ParameterSlot* const slot = FindParameter(context, cid, key);
    if (slot == nullptr) {
      return GXF_PARAMETER_NOT_FOUND;
    }
    return slot->assign(TypenameAsString<T>(), &value) ? GXF_SUCCESS : GXF_PARAMETER_INVALID_TYPE;
  });
}

template <class T>
gxf_result_t get_parameter(gxf_context_t context, gxf_uid_t cid, const char* key,
                           T* value) noexcept {
  return with(context, [&](Context&) {
    if (key == nullptr || value == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    ParameterSlot* const slot = FindParameter(context, cid, key);
    if (slot == nullptr) {
      return GXF_PARAMETER_NOT_FOUND;
    }
    if (!slot->has_value()) {
      return GXF_PARAMETER_NOT_INITIALIZED;
    }
    const void* const found = slot->value_if(TypenameAsString<T>());
    if (found == nullptr) {
      return GXF_PARAMETER_INVALID_TYPE;
    }
    *value = *static_cast<const T*>(found);
    return GXF_SUCCESS;
  });
}

gxf_result_t find_component(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                            std::int32_t* offset, Target& target) noexcept {
  const Expected<Entity> entity = Entity::Shared(context, eid);
  if (!entity) {
    return entity.error();
  }
  const TypeRecord* type = nullptr;
  if (GxfTidIsNull(tid) == 0) {
    type = FindType(tid);
    if (type == nullptr) {
      return GXF_FACTORY_UNKNOWN_TID;
    }
  }
  auto index = static_cast<std::size_t>(offset != nullptr && *offset > 0 ? *offset : 0);
  while (entity->next(type, index, target)) {
    if (name == nullptr || std::strcmp(name, target.name) == 0) {
      if (offset != nullptr) {
        *offset = static_cast<std::int32_t>(index) - 1;
      }
      return GXF_SUCCESS;
    }
  }
  return GXF_ENTITY_COMPONENT_NOT_FOUND;
}

gxf_result_t notify(gxf_context_t context, gxf_uid_t eid) noexcept {
  return with(context, [&](Context& known) {
    const gxr::Component* const member = known.member_of(eid);
    if (member == nullptr) {
      return GXF_ENTITY_NOT_FOUND;
    }
    known.engine().notify(*member);
    return GXF_SUCCESS;
  });
}

}  // namespace
}  // namespace nvidia::gxf::layer

using namespace nvidia::gxf;  // NOLINT(google-build-using-namespace)

// --- log

gxf_result_t GxfSetSeverity(gxf_context_t, gxf_severity_t severity) {
  nvidia::SetSeverity(severity == GXF_SEVERITY_NONE ? nvidia::Severity::NONE
                                                    : static_cast<nvidia::Severity>(severity));
  return GXF_SUCCESS;
}

gxf_result_t GxfGetSeverity(gxf_context_t, gxf_severity_t* severity) {
  if (severity == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const int level = static_cast<int>(nvidia::GetSeverity());
  *severity = static_cast<gxf_severity_t>(level < 0 ? 0 : level);
  return GXF_SUCCESS;
}

gxf_result_t GxfRedirectLog(gxf_context_t, FILE* file) {
  nvidia::Redirect(file);
  return GXF_SUCCESS;
}

// --- types

gxf_result_t GxfComponentTypeId(gxf_context_t, const char* name, gxf_tid_t* tid) {
  if (name == nullptr || tid == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const layer::TypeRecord* const type = layer::FindType(std::string_view(name));
  if (type == nullptr) {
    return GXF_FACTORY_UNKNOWN_CLASS_NAME;
  }
  *tid = type->tid;
  return GXF_SUCCESS;
}

gxf_result_t GxfComponentTypeName(gxf_context_t, gxf_tid_t tid, const char** name) {
  if (name == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const layer::TypeRecord* const type = layer::FindType(tid);
  if (type == nullptr) {
    return GXF_FACTORY_UNKNOWN_TID;
  }
  *name = type->name;
  return GXF_SUCCESS;
}

gxf_result_t GxfComponentTypeNameFromUID(gxf_context_t context, gxf_uid_t cid, const char** name) {
  return layer::with_target(context, cid, [&](const layer::Target& target) {
    if (name == nullptr || target.type == nullptr) {
      return name == nullptr ? GXF_ARGUMENT_NULL : GXF_FACTORY_UNKNOWN_TID;
    }
    *name = target.type->name;
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfComponentIsBase(gxf_context_t, gxf_tid_t derived, gxf_tid_t base, bool* result) {
  if (result == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const layer::TypeRecord* const type = layer::FindType(derived);
  const layer::TypeRecord* const wanted = layer::FindType(base);
  if (type == nullptr || wanted == nullptr) {
    return GXF_FACTORY_UNKNOWN_TID;
  }
  *result = layer::IsA(type, wanted);
  return GXF_SUCCESS;
}

// --- entities

gxf_result_t GxfEntityRefCountInc(gxf_context_t context, gxf_uid_t eid) {
  return layer::with(context, [&](layer::Context& known) {
    return eid < layer::Context::kFirstOfMessages ? GXF_SUCCESS : known.add_reference(eid);
  });
}

gxf_result_t GxfEntityRefCountDec(gxf_context_t context, gxf_uid_t eid) {
  return layer::with(context, [&](layer::Context& known) {
    return eid < layer::Context::kFirstOfMessages ? GXF_SUCCESS : known.drop_reference(eid);
  });
}

gxf_result_t GxfEntityGetRefCount(gxf_context_t context, gxf_uid_t eid, int64_t* count) {
  return layer::with(context, [&](layer::Context& known) {
    if (count == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    *count = eid < layer::Context::kFirstOfMessages ? 1 : known.references(eid);
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfEntityIsValid(gxf_context_t context, gxf_uid_t eid, bool* valid) {
  if (valid == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  *valid = Entity::Shared(context, eid).has_value();
  return GXF_SUCCESS;
}

gxf_result_t GxfEntityGetName(gxf_context_t context, gxf_uid_t eid, const char** name) {
  if (name == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const Expected<Entity> entity = Entity::Shared(context, eid);
  if (!entity) {
    return entity.error();
  }
  *name = entity->name();
  return GXF_SUCCESS;
}

gxf_result_t GxfEntityEventNotify(gxf_context_t context, gxf_uid_t eid) {
  return layer::notify(context, eid);
}
gxf_result_t GxfEntityNotifyEventType(gxf_context_t context, gxf_uid_t eid, gxf_event_t) {
  return layer::notify(context, eid);
}

gxf_result_t GxfGraphInterrupt(gxf_context_t context) {
  return layer::with(context, [](layer::Context& known) {
    known.engine().interrupt();
    return GXF_SUCCESS;
  });
}

// --- components

gxf_result_t GxfComponentAdd(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                             gxf_uid_t* cid) {
  if (cid == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  Expected<Entity> entity = Entity::Shared(context, eid);
  if (!entity) {
    return entity.error();
  }
  const Expected<UntypedHandle> part = entity->add(tid, name);
  if (!part) {
    return part.error();
  }
  *cid = part->cid();
  return GXF_SUCCESS;
}

gxf_result_t GxfComponentFind(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                              int32_t* offset, gxf_uid_t* cid) {
  if (cid == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  layer::Target target;
  const gxf_result_t code = layer::find_component(context, eid, tid, name, offset, target);
  if (code == GXF_SUCCESS) {
    *cid = UntypedHandle(context, target).cid();
  }
  return code;
}

gxf_result_t GxfComponentType(gxf_context_t context, gxf_uid_t cid, gxf_tid_t* tid) {
  return layer::with_target(context, cid, [&](const layer::Target& target) {
    if (tid == nullptr || target.type == nullptr) {
      return tid == nullptr ? GXF_ARGUMENT_NULL : GXF_FACTORY_UNKNOWN_TID;
    }
    *tid = target.type->tid;
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfComponentName(gxf_context_t context, gxf_uid_t cid, const char** name) {
  return layer::with_target(context, cid, [&](const layer::Target& target) {
    if (name == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    *name = target.name;
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfComponentEntity(gxf_context_t context, gxf_uid_t cid, gxf_uid_t* eid) {
  return layer::with(context, [&](layer::Context& known) {
    if (eid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const gxr::Component* const component = known.component(cid);
    if (component == nullptr) {
      return GXF_ENTITY_COMPONENT_NOT_FOUND;
    }
    *eid = layer::Context::entity_number_of(*component);
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfComponentPointer(gxf_context_t context, gxf_uid_t cid, gxf_tid_t, void** pointer) {
  return layer::with_target(context, cid, [&](const layer::Target& target) {
    if (pointer == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    *pointer = target.pointer;
    return GXF_SUCCESS;
  });
}

// --- parameters

#define GXR_GXF_PARAMETER(NAME, TYPE)                                                       \
  gxf_result_t GxfParameterSet##NAME(gxf_context_t context, gxf_uid_t uid, const char* key, \
                                     TYPE value) {                                          \
    return layer::set_parameter<TYPE>(context, uid, key, value);                            \
  }
GXR_GXF_PARAMETER(Int8, int8_t)
GXR_GXF_PARAMETER(Int16, int16_t)
GXR_GXF_PARAMETER(Int32, int32_t)
GXR_GXF_PARAMETER(Int64, int64_t)
GXR_GXF_PARAMETER(UInt8, uint8_t)
GXR_GXF_PARAMETER(UInt16, uint16_t)
GXR_GXF_PARAMETER(UInt32, uint32_t)
GXR_GXF_PARAMETER(UInt64, uint64_t)
GXR_GXF_PARAMETER(Float32, float)
GXR_GXF_PARAMETER(Float64, double)
GXR_GXF_PARAMETER(Bool, bool)
#undef GXR_GXF_PARAMETER

#define GXR_GXF_PARAMETER(NAME, TYPE)                                                       \
  gxf_result_t GxfParameterGet##NAME(gxf_context_t context, gxf_uid_t uid, const char* key, \
                                     std::add_pointer_t<TYPE> value) {                      \
    return layer::get_parameter<TYPE>(context, uid, key, value);                            \
  }
GXR_GXF_PARAMETER(Int32, int32_t)
GXR_GXF_PARAMETER(Int64, int64_t)
GXR_GXF_PARAMETER(UInt16, uint16_t)
GXR_GXF_PARAMETER(UInt32, uint32_t)
GXR_GXF_PARAMETER(UInt64, uint64_t)
GXR_GXF_PARAMETER(Float32, float)
GXR_GXF_PARAMETER(Float64, double)
GXR_GXF_PARAMETER(Bool, bool)
#undef GXR_GXF_PARAMETER

gxf_result_t GxfParameterSetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                const char* value) {
  if (key == nullptr || value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  if (std::strcmp(key, kInternalNameParameterKey) == 0) {
    return layer::with(context, [&](layer::Context& known) { return known.rename(uid, value); });
  }
  return layer::set_parameter<std::string>(context, uid, key, value);
}

gxf_result_t GxfParameterSetPath(gxf_context_t context, gxf_uid_t uid, const char* key,
                                 const char* value) {
  if (value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::set_parameter<FilePath>(context, uid, key, FilePath(value));
}

gxf_result_t GxfParameterGetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                const char** value) {
  return layer::with(context, [&](layer::Context& known) {
    if (key == nullptr || value == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (std::strcmp(key, kInternalNameParameterKey) == 0) {
      return GxfComponentName(context, uid, value);
    }
    layer::ParameterSlot* const slot = layer::FindParameter(context, uid, key);
    if (slot == nullptr) {
      return GXF_PARAMETER_NOT_FOUND;
    }
    if (!slot->has_value()) {
      return GXF_PARAMETER_NOT_INITIALIZED;
    }
    const void* const text = slot->value_if(nvidia::TypenameAsString<std::string>());
    if (text == nullptr) {
      return GXF_PARAMETER_INVALID_TYPE;
    }
    static_cast<void>(known);
    *value = static_cast<const std::string*>(text)->c_str();
    return GXF_SUCCESS;
  });
}
