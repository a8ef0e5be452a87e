#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "c_api.hpp"
#include "common/logger.hpp"
#include "gxf/core/gxf.h"
#include "native.hpp"
#include "types.hpp"

// The C interface: log, types, entities and components, for those of a graph and for programs.

namespace nvidia::gxf::layer {
namespace {

/// A number of the application of a program, whose components may not be made yet.
bool is_of_program(const Context& context, gxf_uid_t number) {
  return context.program() != nullptr && number < Context::kFirstOfMessages;
}

/// Runs `call` with the component of a program's application, or `other` with any other one.
template <class F, class G>
gxf_result_t with_component(gxf_context_t context, gxf_uid_t cid, F&& call, G&& other,
                            const char* function = __builtin_FUNCTION()) noexcept {
  return with(
      context,
      [&](Context& known) {
        if (is_of_program(known, cid)) {
          const std::shared_ptr<const ProgramGraph> graph = known.program()->graph();
          const ProgramGraph::Place place = graph->component(cid);
          return place.component != nullptr ? call(*known.program(), place)
                                            : GXF_ENTITY_COMPONENT_NOT_FOUND;
        }
        Target target;
        const gxf_result_t code = FindTarget(context, cid, target);
        return code == GXF_SUCCESS ? other(target) : code;
      },
      function);
}

std::size_t first_index(const std::int32_t* offset) {
  return static_cast<std::size_t>(offset != nullptr && *offset > 0 ? *offset : 0);
}

/// In an entity of a program's application.
gxf_result_t find_in_program(Program& program, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                             std::int32_t* offset, gxf_uid_t& cid) {
  const std::shared_ptr<const ProgramGraph> graph = program.graph();
  const gxr::EntityInfo* const entity = graph->entity(eid);
  if (entity == nullptr) {
    return GXF_ENTITY_NOT_FOUND;
  }
  std::shared_ptr<const ProgramTypes> types;
  if (GxfTidIsNull(tid) == 0) {
    types = program.types();
    if (types->find(tid) == nullptr && FindType(tid) == nullptr) {
      return GXF_FACTORY_UNKNOWN_TID;
    }
  }
  for (std::size_t i = first_index(offset); i < entity->components.size(); ++i) {
    const gxr::ComponentInfo& component = entity->components[i];
    const bool is_wanted =
        (name == nullptr || component.name == name) &&
        (types == nullptr || types->is_a(types->find(std::string_view(component.type_name)), tid));
    if (is_wanted) {
      cid = ProgramGraph::number_of(component);
      if (offset != nullptr) {
        *offset = static_cast<std::int32_t>(i);
      }
      return GXF_SUCCESS;
    }
  }
  return GXF_ENTITY_COMPONENT_NOT_FOUND;
}

gxf_result_t find_component(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                            std::int32_t* offset, Target& target) {
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
  std::size_t index = first_index(offset);
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

/// Numbers of what the entity of that number has.
gxf_result_t list_components(Context& known, gxf_context_t context, gxf_uid_t eid,
                             std::vector<gxf_uid_t>& all) {
  if (is_of_program(known, eid)) {
    const std::shared_ptr<const ProgramGraph> graph = known.program()->graph();
    const gxr::EntityInfo* const entity = graph->entity(eid);
    if (entity == nullptr) {
      return GXF_ENTITY_NOT_FOUND;
    }
    for (const gxr::ComponentInfo& component : entity->components) {
      all.push_back(ProgramGraph::number_of(component));
    }
    return GXF_SUCCESS;
  }
  const Expected<Entity> entity = Entity::Shared(context, eid);
  if (!entity) {
    return entity.error();
  }
  Target target;
  for (std::size_t index = 0; entity->next(nullptr, index, target);) {
    all.push_back(UntypedHandle(context, target).cid());
  }
  return GXF_SUCCESS;
}

/// The entities that the context knows, by number, and their names.
std::map<gxf_uid_t, std::string> list_entities(Context& known) {
  std::map<gxf_uid_t, std::string> all;
  if (known.program() != nullptr) {
    const std::shared_ptr<const ProgramGraph> graph = known.program()->graph();
    for (const gxr::EntityInfo& entity : graph->entities()) {
      all.emplace(ProgramGraph::number_of(entity), entity.name);
    }
    return all;
  }
  for (const gxr::Component* const component : known.components()) {
    all.emplace(Context::entity_number_of(*component), component->entity_name());
  }
  return all;
}

/// A component of the entity, which is there while the graph is active.
gxf_result_t find_member(Context& known, gxf_uid_t eid, const char* function,
                         const gxr::Component*& member) {
  member = known.member_of(eid);
  if (member != nullptr) {
    return GXF_SUCCESS;
  }
  if (!is_of_program(known, eid) || known.program()->graph()->entity(eid) == nullptr) {
    return GXF_ENTITY_NOT_FOUND;
  }
  GXF_LOG_ERROR("%s(): entities are there while the graph is active", function);
  return GXF_INVALID_EXECUTION_SEQUENCE;
}

gxf_result_t notify(gxf_context_t context, gxf_uid_t eid, const char* function) noexcept {
  return with(
      context,
      [&](Context& known) {
        const gxr::Component* member = nullptr;
        const gxf_result_t code = find_member(known, eid, function, member);
        if (code == GXF_SUCCESS) {
          known.engine().notify(*member);
        }
        return code;
      },
      function);
}

}  // namespace
}  // namespace nvidia::gxf::layer

using namespace nvidia::gxf;  // NOLINT(google-build-using-namespace)

// --- log

gxf_result_t GxfSetSeverity(gxf_context_t context, gxf_severity_t severity) {
  return layer::with_context(context, [&](layer::Context&) {
    if (severity < GXF_SEVERITY_NONE || severity > GXF_SEVERITY_VERBOSE) {
      return GXF_ARGUMENT_OUT_OF_RANGE;
    }
    nvidia::SetSeverity(severity == GXF_SEVERITY_NONE ? nvidia::Severity::NONE
                                                      : static_cast<nvidia::Severity>(severity));
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfGetSeverity(gxf_context_t context, gxf_severity_t* severity) {
  return layer::with_context(context, [&](layer::Context&) {
    if (severity == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const int level = static_cast<int>(nvidia::GetSeverity());
    *severity = static_cast<gxf_severity_t>(level < 0 ? 0 : level);
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfRedirectLog(gxf_context_t context, FILE* file) {
  return layer::with_context(context, [&](layer::Context&) {
    nvidia::Redirect(file);
    return GXF_SUCCESS;
  });
}

// --- types

gxf_result_t GxfComponentTypeId(gxf_context_t context, const char* name, gxf_tid_t* tid) {
  return layer::with_context(context, [&](layer::Context& known) {
    if (name == nullptr || tid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (const layer::TypeRecord* const type = layer::FindType(std::string_view(name));
        type != nullptr) {
      *tid = type->tid;
      return GXF_SUCCESS;
    }
    if (known.program() != nullptr) {
      const std::shared_ptr<const layer::ProgramTypes> types = known.program()->types();
      if (const auto* const type = types->find(std::string_view(name)); type != nullptr) {
        *tid = type->tid;
        return GXF_SUCCESS;
      }
    }
    return GXF_FACTORY_UNKNOWN_CLASS_NAME;
  });
}

gxf_result_t GxfComponentTypeName(gxf_context_t context, gxf_tid_t tid, const char** name) {
  return layer::with_context(context, [&](layer::Context& known) {
    if (name == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (const layer::TypeRecord* const type = layer::FindType(tid); type != nullptr) {
      *name = type->name;
      return GXF_SUCCESS;
    }
    if (known.program() != nullptr) {
      const std::shared_ptr<const layer::ProgramTypes> types = known.program()->types();
      if (const auto* const type = types->find(tid); type != nullptr) {
        *name = known.program()->keep(type->name);
        return GXF_SUCCESS;
      }
    }
    return GXF_FACTORY_UNKNOWN_TID;
  });
}

gxf_result_t GxfComponentTypeNameFromUID(gxf_context_t context, gxf_uid_t cid, const char** name) {
  if (name == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::with_component(
      context, cid,
      [&](layer::Program& program, const layer::ProgramGraph::Place& place) {
        *name = program.keep(program.types()->name_of(place.component->type_name));
        return GXF_SUCCESS;
      },
      [&](const layer::Target& target) {
        if (target.type == nullptr) {
          return GXF_FACTORY_UNKNOWN_TID;
        }
        *name = target.type->name;
        return GXF_SUCCESS;
      });
}

gxf_result_t GxfComponentIsBase(gxf_context_t context, gxf_tid_t derived, gxf_tid_t base,
                                bool* result) {
  return layer::with_context(context, [&](layer::Context& known) {
    if (result == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const layer::TypeRecord* const type = layer::FindType(derived);
    const layer::TypeRecord* const wanted = layer::FindType(base);
    if (type != nullptr && wanted != nullptr) {
      *result = layer::IsA(type, wanted);
      return GXF_SUCCESS;
    }
    if (known.program() != nullptr) {
      const std::shared_ptr<const layer::ProgramTypes> types = known.program()->types();
      const auto* const found = types->find(derived);
      if (found != nullptr && (wanted != nullptr || types->find(base) != nullptr)) {
        *result = types->is_a(found, base);
        return GXF_SUCCESS;
      }
    }
    return GXF_FACTORY_UNKNOWN_TID;
  });
}

// --- entities

gxf_result_t GxfEntityFind(gxf_context_t context, const char* name, gxf_uid_t* eid) {
  return layer::with(context, [&](layer::Context& known) {
    if (name == nullptr || eid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    for (const auto& [number, known_name] : layer::list_entities(known)) {
      if (known_name == name) {
        *eid = number;
        return GXF_SUCCESS;
      }
    }
    return GXF_ENTITY_NOT_FOUND;
  });
}

gxf_result_t GxfEntityFindAll(gxf_context_t context, uint64_t* count, gxf_uid_t* entities) {
  return layer::with(context, [&](layer::Context& known) {
    if (count == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    std::vector<gxf_uid_t> all;
    for (const auto& [number, name] : layer::list_entities(known)) {
      all.push_back(number);
    }
    return layer::copy_list(all, entities, count);
  });
}

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
  return layer::with(context, [&](layer::Context& known) {
    if (valid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    *valid = layer::is_of_program(known, eid) ? known.program()->graph()->entity(eid) != nullptr
                                              : Entity::Shared(context, eid).has_value();
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfEntityGetName(gxf_context_t context, gxf_uid_t eid, const char** name) {
  return layer::with(context, [&](layer::Context& known) {
    if (name == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (layer::is_of_program(known, eid)) {
      const std::shared_ptr<const layer::ProgramGraph> graph = known.program()->graph();
      const gxr::EntityInfo* const entity = graph->entity(eid);
      if (entity == nullptr) {
        return GXF_ENTITY_NOT_FOUND;
      }
      *name = known.program()->keep(entity->name);
      return GXF_SUCCESS;
    }
    const Expected<Entity> entity = Entity::Shared(context, eid);
    if (!entity) {
      return entity.error();
    }
    *name = entity->name();
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfEntityGetState(gxf_context_t context, gxf_uid_t eid, entity_state_t* state) {
  return layer::with(context, [&](layer::Context& known) {
    if (state == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const gxr::Component* member = nullptr;
    const gxf_result_t code = layer::find_member(known, eid, "GxfEntityGetState", member);
    if (code == GXF_SUCCESS) {
      *state = static_cast<entity_state_t>(known.engine().behavior(member->entity_id()));
    }
    return code;
  });
}

gxf_result_t GxfEntityEventNotify(gxf_context_t context, gxf_uid_t eid) {
  return layer::notify(context, eid, __func__);
}
gxf_result_t GxfEntityNotifyEventType(gxf_context_t context, gxf_uid_t eid, gxf_event_t) {
  return layer::notify(context, eid, __func__);
}

// --- components

gxf_result_t GxfComponentAdd(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                             gxf_uid_t* cid) {
  return layer::with(context, [&](layer::Context&) {
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
  });
}

gxf_result_t GxfComponentFind(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid, const char* name,
                              int32_t* offset, gxf_uid_t* cid) {
  return layer::with(context, [&](layer::Context& known) {
    if (cid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (layer::is_of_program(known, eid)) {
      return layer::find_in_program(*known.program(), eid, tid, name, offset, *cid);
    }
    layer::Target target;
    const gxf_result_t code = layer::find_component(context, eid, tid, name, offset, target);
    if (code == GXF_SUCCESS) {
      *cid = UntypedHandle(context, target).cid();
    }
    return code;
  });
}

gxf_result_t GxfComponentFindAndGetPtr(gxf_context_t context, gxf_uid_t eid, void*, gxf_tid_t tid,
                                       const char* name, int32_t* offset, gxf_uid_t* cid,
                                       void** pointer) {
  if (cid == nullptr || pointer == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  const gxf_result_t code = GxfComponentFind(context, eid, tid, name, offset, cid);
  return code == GXF_SUCCESS ? GxfComponentPointer(context, *cid, tid, pointer) : code;
}

gxf_result_t GxfComponentFindAll(gxf_context_t context, gxf_uid_t eid, uint64_t* count,
                                 gxf_uid_t* components) {
  return layer::with(context, [&](layer::Context& known) {
    if (count == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    std::vector<gxf_uid_t> all;
    const gxf_result_t code = layer::list_components(known, context, eid, all);
    return code == GXF_SUCCESS ? layer::copy_list(all, components, count) : code;
  });
}

gxf_result_t GxfComponentType(gxf_context_t context, gxf_uid_t cid, gxf_tid_t* tid) {
  if (tid == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::with_component(
      context, cid,
      [&](layer::Program& program, const layer::ProgramGraph::Place& place) {
        const std::shared_ptr<const layer::ProgramTypes> types = program.types();
        const auto* const type = types->find(std::string_view(place.component->type_name));
        if (type == nullptr) {
          return GXF_FACTORY_UNKNOWN_TID;
        }
        *tid = type->tid;
        return GXF_SUCCESS;
      },
      [&](const layer::Target& target) {
        if (target.type == nullptr) {
          return GXF_FACTORY_UNKNOWN_TID;
        }
        *tid = target.type->tid;
        return GXF_SUCCESS;
      });
}

gxf_result_t GxfComponentName(gxf_context_t context, gxf_uid_t cid, const char** name) {
  if (name == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::with(context, [&](layer::Context& known) {
    layer::Target target;
    gxf_result_t code = layer::FindTarget(context, cid, target);
    if (code != GXF_SUCCESS && layer::is_of_program(known, cid)) {
      const std::shared_ptr<const layer::ProgramGraph> graph = known.program()->graph();
      const layer::ProgramGraph::Place place = graph->component(cid);
      if (place.component == nullptr) {
        return GXF_ENTITY_COMPONENT_NOT_FOUND;
      }
      *name = known.program()->keep(place.component->name);
      return GXF_SUCCESS;
    }
    if (code == GXF_SUCCESS) {
      *name = known.program() != nullptr ? known.program()->keep(target.name) : target.name;
    }
    return code;
  });
}

gxf_result_t GxfComponentEntity(gxf_context_t context, gxf_uid_t cid, gxf_uid_t* eid) {
  return layer::with(context, [&](layer::Context& known) {
    if (eid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (layer::is_of_program(known, cid)) {
      const std::shared_ptr<const layer::ProgramGraph> graph = known.program()->graph();
      const layer::ProgramGraph::Place place = graph->component(cid);
      if (place.entity == nullptr) {
        return GXF_ENTITY_COMPONENT_NOT_FOUND;
      }
      *eid = layer::ProgramGraph::number_of(*place.entity);
      return GXF_SUCCESS;
    }
    if (cid >= layer::Context::kFirstOfMessages) {
      *eid = known.message_of_part(cid);
      return *eid != kNullUid ? GXF_SUCCESS : GXF_ENTITY_COMPONENT_NOT_FOUND;
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
  return layer::with(context, [&](layer::Context& known) {
    if (pointer == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    layer::Target target;
    const gxf_result_t code = layer::FindTarget(context, cid, target);
    if (code == GXF_SUCCESS) {
      *pointer = target.pointer;
    } else if (layer::is_of_program(known, cid) &&
               known.program()->graph()->component(cid).component != nullptr) {
      GXF_LOG_ERROR("GxfComponentPointer(): components are there while the graph is active");
      return GXF_INVALID_LIFECYCLE_STAGE;
    }
    return code;
  });
}
