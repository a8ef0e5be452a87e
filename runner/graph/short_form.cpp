#include "graph/short_form.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "graph/handle_values.hpp"
#include "graph/short_entity.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

constexpr const char* kMemory = "gxr.memory";
constexpr std::string_view kPool = "gxr.memory/pool";

constexpr const char* kMemoryYaml =
    "{name: gxr.memory, components: [{name: pool, type: gxr::UnboundedAllocator}]}";
constexpr const char* kSchedulerYaml =
    "{name: gxr.scheduler, components: [{name: clock, type: gxr::RealtimeClock}, "
    "{name: scheduler, type: gxr::GreedyScheduler, parameters: {clock: clock}}]}";

/// Calls `use` for each text in `inputs`, with its key.
template <class Use>
void each_input(const Value& root, const Use& use) {
  const Value* const inputs = root.find("inputs");
  for (std::size_t i = 0; inputs != nullptr && inputs->is_map() && i < inputs->size(); ++i) {
    const Value& value = inputs->value(i);
    if (value.is_scalar()) {
      use(inputs->key(i), value);
    }
    for (std::size_t j = 0; value.is_sequence() && j < value.size(); ++j) {
      if (value.at(j).is_scalar()) {
        use(inputs->key(i), value.at(j));
      }
    }
  }
}

}  // namespace

ShortForm::ShortForm(Document& document, const TypeCatalog& catalog, const Graph& draft,
                     Diagnostics& diagnostics)
    : document_(document), catalog_(catalog) {
  find_entities(draft);
  find_demand(draft);
  add_entities(draft, diagnostics);
}

const ShortPorts* ShortForm::ports_of(const Value& root) {
  const Value* const name = root.find(kOperatorKey);
  const TypeInfo* const type =
      name != nullptr && name->is_scalar() ? catalog_.find(name->text()) : nullptr;
  if (type == nullptr || !type->component || type->abstract ||
      !catalog_.is_a(*type, "gxr::Codelet")) {
    return nullptr;
  }
  const auto [entry, added] = by_type_.try_emplace(type);
  if (added) {
    entry->second = short_ports(*type, catalog_);
  }
  return &entry->second;
}

// --- what is read ------------------------------------------------------------------------------

void ShortForm::find_entities(const Graph& draft) {
  for (const ShortDocument& part : draft.short_documents) {
    if (const ShortPorts* const ports = ports_of(*part.root); ports && !part.entity.empty()) {
      known_.try_emplace(part.entity, Known{part.root, ports, part.scope, {}});
    }
  }
}

void ShortForm::find_demand(const Graph& draft) {
  for (const ShortDocument& part : draft.short_documents) {
    const std::string& prefix = draft.scopes[part.scope].prefix;
    const ShortPorts* const ports = ports_of(*part.root);
    each_input(*part.root, [&](const Value& port, const Value& source) {
      // A port that the reader does not have is reported there, and makes no queue here.
      const bool wrong = port.text().empty() || (ports != nullptr && !ports->open_inputs &&
                                                 ports->find(port.text()) == nullptr);
      if (!wrong) {
        note_input(source, part, prefix);
      }
    });
    note_document(*part.root, prefix);
  }
  for (const GraphComponent& component : draft.components) {
    const TypeInfo* const type =
        component.parameters.empty() ? nullptr : catalog_.find(component.type_name);
    for (std::size_t i = 0; type != nullptr && i < component.parameters.size(); ++i) {
      const ParameterAssignment& assignment = component.parameters[i];
      const std::string& prefix = draft.scopes[assignment.scope].prefix;
      note_parameter(*assignment.value, *type, assignment.key, prefix);
    }
  }
  for (const EntityInterface& interface : draft.interfaces) {
    for (const InterfaceName& name : interface.names) {
      note_name(*name.target, draft.scopes[name.scope].prefix, Naming::AnyComponent);
    }
  }
  for (const Override& override_ : document_.overrides()) {
    if (!override_.matched) {  // else it belongs to a subgraph, which has read it
      note_override(draft, override_);
    }
  }
}

/// Handles of the codelet and of the author's terms.
void ShortForm::note_document(const Value& root, const std::string& prefix) {
  const auto note_entry = [&](const Value& entry, std::string_view type_key) {
    const TypeInfo* const type = type_in(entry, type_key);
    const Value* const parameters = type == nullptr ? nullptr : entry.find("parameters");
    if (parameters != nullptr) {
      each_handle_in(*parameters, *type, [&](const Value& handle, const std::string& base) {
        note_handle(handle, base, prefix);
      });
    }
  };
  note_entry(root, kOperatorKey);
  const Value* const terms = root.find("terms");
  for (std::size_t i = 0; terms != nullptr && terms->is_sequence() && i < terms->size(); ++i) {
    if (terms->at(i).is_map()) {
      note_entry(terms->at(i), "type");
    }
  }
}

const TypeInfo* ShortForm::type_in(const Value& entry, std::string_view key) const {
  const Value* const name = entry.find(key);
  return name != nullptr && name->is_scalar() ? catalog_.find(name->text()) : nullptr;
}

/// An override may name a component through interfaces of subgraphs, each of which says where the
/// next name is.
void ShortForm::note_override(const Graph& draft, const Override& override_) {
  std::string entity = override_.entity;
  std::string_view component = override_.component;
  for (std::size_t i = 0; i < draft.interfaces.size(); ++i) {
    const EntityInterface* const interface = draft.find_interface(entity);
    const InterfaceName* const shown = interface == nullptr ? nullptr : interface->find(component);
    const std::size_t slash =
        shown == nullptr ? std::string_view::npos : shown->target->text().find('/');
    if (slash == std::string_view::npos) {
      break;
    }
    const std::string_view name = shown->target->text().substr(0, slash);
    entity = draft.scopes[shown->scope].prefix + std::string(name);
    if (draft.find_entity(entity) == nullptr && draft.find_interface(entity) == nullptr) {
      entity = name;
    }
    component = shown->target->text().substr(slash + 1);
  }
  if (const auto known = known_.find(entity); known != known_.end()) {
    note_override_of(*known->second.root, draft.scopes[known->second.scope].prefix, override_,
                     component);
  }
  for (const ShortDocument& part : draft.short_documents) {
    if (!entity.empty()) {
      break;
    }
    if (part.entity.empty()) {
      note_override_of(*part.root, draft.scopes[part.scope].prefix, override_, component);
    }
  }
  const TypeInfo* const wanted = component.empty() ? nullptr : catalog_.find(component);
  const auto note_of = [&](const GraphEntity& owner) {
    const std::string& prefix = draft.scopes[owner.scope].prefix;
    for (const ComponentId id : owner.components) {
      const GraphComponent& other = draft.components[id];
      const TypeInfo* const type = catalog_.find(other.type_name);
      if (type != nullptr && (component.empty() || other.name == component || type == wanted)) {
        note_parameter(*override_.value, *type, override_.parameter, prefix);
      }
    }
  };
  if (const GraphEntity* const owner = draft.find_entity(entity)) {
    note_of(*owner);
  }
  for (std::size_t i = 0; entity.empty() && i < draft.entities.size(); ++i) {
    if (!draft.entities[i].named) {
      note_of(draft.entities[i]);
    }
  }
}

/// An override of what stands in a short document, or of a term that is made for a queue.
void ShortForm::note_override_of(const Value& root, const std::string& prefix,
                                 const Override& override_, std::string_view component) {
  const TypeInfo* const wanted = component.empty() ? nullptr : catalog_.find(component);
  const auto note_if = [&](const TypeInfo* type, bool named) {
    if (type != nullptr && (component.empty() || named || type == wanted)) {
      note_parameter(*override_.value, *type, override_.parameter, prefix);
    }
  };
  note_if(type_in(root, kOperatorKey), component == kShortCodelet);
  const Value* const terms = root.find("terms");
  for (std::size_t i = 0; terms != nullptr && terms->is_sequence() && i < terms->size(); ++i) {
    if (terms->at(i).is_map()) {
      const Value* const name = terms->at(i).find("name");
      note_if(type_in(terms->at(i), "type"), name != nullptr && name->text() == component);
    }
  }
  note_if(catalog_.find("gxr::MessageAvailableSchedulingTerm"),
          component.ends_with(kShortAvailable));
  note_if(catalog_.find("gxr::DownstreamReceptiveSchedulingTerm"), component.ends_with(kShortFree));
}

/// What may a handle of this type name, of what the short form makes?
ShortForm::Naming ShortForm::naming_of(const std::string& type) {
  const auto [entry, added] = namings_.try_emplace(type, Naming::NoQueue);
  if (added) {
    const auto is_a = [&](std::string_view name, std::string_view base) {
      const TypeInfo* const info = catalog_.find(name);
      return info != nullptr && catalog_.is_a(*info, base);
    };
    if (is_a("gxr::DoubleBufferReceiver", type) || is_a("gxr::DoubleBufferTransmitter", type)) {
      entry->second = is_a(type, "gxr::Queue") ? Naming::Queue : Naming::AnyComponent;
    }
  }
  return entry->second;
}

void ShortForm::note_parameter(const Value& value, const TypeInfo& type, std::string_view key,
                               const std::string& prefix) {
  each_handle(value, type, key, [&](const Value& handle, const std::string& base) {
    note_handle(handle, base, prefix);
  });
}

void ShortForm::note_handle(const Value& handle, const std::string& type,
                            const std::string& prefix) {
  if (const Naming naming = naming_of(type); naming != Naming::NoQueue) {
    note_name(handle, prefix, naming);
  }
}

/// "entity/component", if the entity is a short one.
void ShortForm::note_name(const Value& handle, const std::string& prefix, Naming naming) {
  const std::string_view text = handle.text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash + 1 == text.size()) {
    return;
  }
  std::string entity = prefix + std::string(text.substr(0, slash));
  if (!known_.contains(entity)) {
    entity = text.substr(0, slash);
  }
  if (known_.contains(entity)) {
    Demand& demand = demand_[entity];
    demand.add(text.substr(slash + 1));
    if (naming == Naming::Queue) {
      demand.handles.push_back(&handle);
    }
  }
}

void ShortForm::note_input(const Value& source, const ShortDocument& reader,
                           const std::string& prefix) {
  if (source.text().find('/') != std::string_view::npos) {
    note_name(source, prefix, Naming::Queue);
    return;
  }
  const std::string entity = prefix + std::string(source.text());
  const auto known = known_.find(entity);
  if (known == known_.end()) {
    return;
  }
  const ShortPorts& ports = *known->second.ports;
  Demand& demand = demand_[entity];
  if (!ports.has_free_outputs()) {
    const std::vector<std::string_view> outputs = ports.keys(PortInfo::Direction::Output);
    if (outputs.size() == 1) {
      demand.add(outputs.front());
    }
    return;
  }
  if (!ports.open_outputs) {
    return;
  }
  // The queue of a consumer is called like it.
  const Value* const name = reader.root->find("name");
  const bool usable = name != nullptr && name->is_scalar() && !name->text().empty() &&
                      name->text().find('/') == std::string_view::npos;
  const std::string base = usable ? std::string(name->text()) : "out";
  std::size_t& number = demand.numbers[base];
  std::string unique;
  do {
    ++number;
    unique = number == 1 ? base : base + "_" + std::to_string(number);
  } while (is_taken(known->second, demand, unique));
  demand.add(unique);
  demand.unnamed.emplace(&source, std::move(unique));
}

/// Names of components other than queues that a short document says, whatever others use.
const std::unordered_set<std::string>& ShortForm::own_names(Known& known) const {
  std::unordered_set<std::string>& own = known.own;
  if (!own.empty()) {
    return own;
  }
  for (const std::string_view name : {kShortCodelet, kShortCount, kShortPeriod, kShortEnd}) {
    own.emplace(name);
  }
  const Value* const terms = known.root->find("terms");
  for (std::size_t i = 0; terms != nullptr && terms->is_sequence() && i < terms->size(); ++i) {
    const Value* const name = terms->at(i).is_map() ? terms->at(i).find("name") : nullptr;
    if (name != nullptr && name->is_scalar()) {
      own.emplace(name->text());
    }
  }
  const auto add_terms_of = [&](std::string_view queue) {
    own.insert(std::string(queue).append(kShortAvailable));
    own.insert(std::string(queue).append(kShortFree));
  };
  for (const ShortPort& port : known.ports->ports) {
    add_terms_of(port.key);
  }
  for (const char* key : {"inputs", "ports"}) {
    const Value* const map = known.root->find(key);
    for (std::size_t i = 0; map != nullptr && map->is_map() && i < map->size(); ++i) {
      add_terms_of(map->key(i).text());
    }
  }
  return own;
}

/// Would a new queue of this name get in the way of another component?
bool ShortForm::is_taken(Known& known, const Demand& demand, const std::string& name) const {
  const bool is_term = name.ends_with(kShortFree) &&
                       demand.known.contains(name.substr(0, name.size() - kShortFree.size()));
  return is_term || demand.known.contains(name) ||
         demand.known.contains(std::string(name).append(kShortFree)) ||
         known.ports->find(name) != nullptr || own_names(known).contains(name);
}

bool ShortForm::is_demanded(const std::string& entity, std::string_view name) const {
  const auto found = demand_.find(entity);
  return found != demand_.end() && found->second.known.contains(std::string(name));
}

ShortForm::Output ShortForm::output_of(const std::string& entity, const Value& source) const {
  const auto known = known_.find(entity);
  if (known == known_.end()) {
    return {};
  }
  const ShortPorts& ports = *known->second.ports;
  Output output{true, ports.keys(PortInfo::Direction::Output)};
  if (ports.open_outputs) {
    const auto demand = demand_.find(entity);
    const auto name = demand == demand_.end() ? decltype(demand->second.unnamed.end()){}
                                              : demand->second.unnamed.find(&source);
    if (demand != demand_.end() && name != demand->second.unnamed.end()) {
      output.names.assign(1, name->second);
    }
  } else if (!ports.transmitters.empty()) {
    const Value* const written = known->second.root->find("ports");
    const Value* const inputs = known->second.root->find("inputs");
    for (std::size_t i = 0; written != nullptr && written->is_map() && i < written->size(); ++i) {
      const std::string_view key = written->key(i).text();
      if (ports.find(key) == nullptr && (inputs == nullptr || inputs->find(key) == nullptr)) {
        output.names.push_back(key);
      }
    }
  }
  return output;
}

// --- entities that nobody wrote ----------------------------------------------------------------

bool ShortForm::lacks_allocator(const Graph& draft) {
  return std::ranges::any_of(draft.short_documents, [&](const ShortDocument& part) {
    const ShortPorts* const ports = ports_of(*part.root);
    const Value* const given = part.root->find("parameters");
    return ports != nullptr && std::ranges::any_of(ports->allocators, [&](std::string_view key) {
             return given == nullptr || given->find(key) == nullptr;
           });
  });
}

bool ShortForm::has_scheduler(const Graph& draft) {
  const auto is_scheduler = [&](std::string_view name) {
    const TypeInfo* const type = catalog_.find(name);
    return type != nullptr && catalog_.is_a(*type, "gxr::Scheduler");
  };
  std::unordered_map<std::string_view, bool> answers;
  return std::ranges::any_of(draft.components, [&](const GraphComponent& component) {
    const auto [entry, added] = answers.try_emplace(component.type_name, false);
    if (added) {
      entry->second = is_scheduler(component.type_name);
    }
    return entry->second;
  });
}

void ShortForm::add_entities(const Graph& draft, Diagnostics& diagnostics) {
  const Value& cause = *draft.short_documents.front().root->find(kOperatorKey);
  if (lacks_allocator(draft)) {
    add_entity(kMemory, kMemoryYaml, cause, draft, diagnostics);
  }
  if (!has_scheduler(draft)) {
    makes_scheduler_ = add_entity(kShortScheduler, kSchedulerYaml, cause, draft, diagnostics);
  }
  if (std::ranges::any_of(draft.short_documents, [](const ShortDocument& part) {
        return part.root->find("inputs") != nullptr;
      })) {
    report_taken(kShortConnections, cause, draft, diagnostics);
  }
}

bool ShortForm::add_entity(std::string_view name, const char* yaml, const Value& cause,
                           const Graph& draft, Diagnostics& diagnostics) {
  if (report_taken(name, cause, draft, diagnostics)) {
    return false;
  }
  entities_.push_back(&document_.make_value(yaml, cause.location().source, cause.location()));
  return true;
}

bool ShortForm::report_taken(std::string_view name, const Value& cause, const Graph& draft,
                             Diagnostics& diagnostics) {
  const GraphEntity* const other = draft.find_entity(name);
  const bool makes =
      other != nullptr && (!other->components.empty() ||
                           std::ranges::any_of(draft.short_documents, [&](const auto& part) {
                             return part.entity == name;  // its components are not there yet
                           }));
  if (!makes) {
    return false;  // other documents may set parameters of what is made
  }
  taken_.push_back(other->name);
  const std::size_t written = other->name.size() - draft.scopes[other->scope].prefix.size();
  diagnostics
      .add(DiagnosticCode::NameTaken, other->where, static_cast<std::uint32_t>(written),
           "gxr makes an entity " + in_quotes(name) +
               " for the short form of this application; no other may have this name",
           "choose another name")
      .related.push_back({cause.location(), "the short form is used here"});
  return true;
}

// --- values ------------------------------------------------------------------------------------

Value ShortForm::text(std::string_view text, Location where) {
  return Value::make_scalar(ValueKind::Scalar, text, false, where);
}

const Value& ShortForm::keep(const Value& value) { return *document_.keep(std::span(&value, 1)); }

bool ShortForm::is_of_application(const Value& value) const noexcept {
  return value.is_scalar() && value.text().data() == kPool.data();
}

Value ShortForm::target(const Value& port, std::string_view entity) {
  return entity.empty() ? port
                        : text(document_.keep(std::string(entity).append("/").append(port.text())),
                               inside(port));
}

const Value& ShortForm::connection(const Value& source, std::string_view output,
                                   const Value& target) {
  const Location where = inside(source);
  const Value from =
      output.empty()
          ? source
          : text(document_.keep(std::string(source.text()).append("/").append(output)), where);
  const std::array ends{text("source", where), from, text("target", target.location()), target};
  return connection_entry(ends, where);
}

const Value& ShortForm::open_connection(const Value& source, const Value& target) {
  const std::array ends{text("target", target.location()), target};
  return connection_entry(ends, inside(source));
}

const Value& ShortForm::lost_connection(const Value& where) {
  return connection_entry({}, inside(where));
}

const Value& ShortForm::connection_entry(std::span<const Value> ends, Location where) {
  const std::array entry{
      text("type", where), text("gxr::Connection", where), text("parameters", where),
      Value::make_collection(ValueKind::Map, document_.keep(ends), ends.size(), true, where)};
  return keep(
      Value::make_collection(ValueKind::Map, document_.keep(entry), entry.size(), false, where));
}

ShortComponents ShortForm::components(const Value& root, const std::string& entity,
                                      Diagnostics& diagnostics) {
  const Value pool =
      Value::make_scalar(ValueKind::Scalar, kPool, false, root.find(kOperatorKey)->location());
  return ShortEntity(*this, root, entity, pool, diagnostics).take();
}

}  // namespace gxr
