#include "graph/handle_resolver.hpp"

#include <algorithm>
#include <iterator>

#include "graph/text.hpp"
#include "registry/short_ports.hpp"

namespace gxr {
namespace {

constexpr std::string_view kUnspecified = "<Unspecified>";

/// A handle, or a list of handles: of a codelet, that is a port, if it leads to a queue.
bool names_queue(const ParameterType& type) {
  return type.kind == ParameterType::Kind::Handle ||
         ((type.kind == ParameterType::Kind::List || type.kind == ParameterType::Kind::Array) &&
          type.of.front().kind == ParameterType::Kind::Handle);
}

/// Were not all handles found? That was reported.
bool lacks_handles(const ParameterAssignment& assignment) {
  const Value& value = *assignment.value;
  return assignment.handles.size() < (value.is_sequence() ? value.size() : 1);
}

template <class T>
void add_once(std::vector<T>& items, const T& item) {
  if (std::ranges::find(items, item) == items.end()) {
    items.push_back(item);
  }
}

}  // namespace

std::optional<ComponentId> HandleResolver::resolve(const GraphComponent& owner,
                                                   const ParameterAssignment& parameter,
                                                   const std::string& type, const Value& value,
                                                   Diagnostics& diagnostics) {
  const std::string_view key = parameter.info->key;
  if (!value.is_scalar() || value.text().empty()) {
    diagnostics.add(DiagnosticCode::ParameterValue, value,
                    in_quotes(key) + " needs the name of a component of type " + type,
                    "write 'component', 'entity/component' or <Unspecified>");
    return std::nullopt;
  }
  const std::string_view text = value.text();
  const std::size_t slash = text.find('/');
  const bool has_entity = slash != std::string_view::npos;
  const Request request{owner,
                        key,
                        type,
                        value,
                        diagnostics,
                        has_entity ? text.substr(0, slash) : std::string_view{},
                        has_entity ? text.substr(slash + 1) : text,
                        graph_.scopes[parameter.scope].prefix,
                        sources_.at(value.location().source).kind == Source::Kind::ProgramPort};
  const Target target = has_entity ? find_target(request)
                                   : Target{&graph_.entity_of(owner),
                                            graph_.find_interface(graph_.entity_of(owner).name)};
  return target.found() ? find_component(request, target) : std::nullopt;
}

HandleResolver::Target HandleResolver::target_called(const std::string& name) const {
  return {graph_.find_entity(name), graph_.find_interface(name)};
}

HandleResolver::Target HandleResolver::find_target(const Request& request) {
  const std::string name(request.entity_text);
  Target target = target_called(request.prefix + name);
  if (target.found()) {
    return target;
  }
  if (!request.prefix.empty()) {
    target = target_called(name);
  }
  if (!target.found()) {
    report_no_entity(request);
    return target;
  }
  request.diagnostics.add(DiagnosticCode::HandleOutsideSubgraph, inside(request.value, 0),
                          length_of(request.entity_text),
                          in_quotes(request.prefix + name) + " does not exist, so " +
                              in_quotes(name) + " of the whole application is taken",
                          "hand it in as a prerequisite");
  return target;
}

void HandleResolver::report_no_entity(const Request& request) {
  if (graph_.has_lost_entity(request.entity_text) || graph_.entity_made_twice) {
    return;  // the document that makes it was reported: for its keys, or for another one's name
  }
  std::string hint = suggester_.entity(request.entity_text, request.prefix);
  if (hint.empty() && request.prefix.empty()) {
    hint = suggester_.elsewhere(request.component_text, request.type);
  }
  if (hint.empty() && request.prefix.empty()) {
    hint = suggester_.in_subgraphs(request.entity_text);
  }
  request.diagnostics.add(
      DiagnosticCode::EntityNotFound, inside(request.value, 0), length_of(request.entity_text),
      "there is no entity " + in_quotes(request.prefix + std::string(request.entity_text)), hint);
}

std::optional<ComponentId> HandleResolver::find_component(const Request& request,
                                                          const Target& target) {
  static const std::vector<ComponentId> nothing;
  const std::vector<ComponentId>& named =
      target.entity == nullptr ? nothing : names_.find(*target.entity, request.component_text);
  const InterfaceName* shown =
      target.interface == nullptr ? nullptr : target.interface->find(request.component_text);
  if (named.empty() && shown == nullptr) {
    if (request.component_text == kUnspecified) {
      return kNone;
    }
    if (request.is_program_port && target.entity != nullptr) {
      return find_port(request, *target.entity);
    }
    const bool lost = target.entity != nullptr &&
                      graph_.has_lost_component(*target.entity, request.component_text);
    if (!lost && (target.interface == nullptr || target.interface->complete)) {
      report_missing(request, target);
    }
    return std::nullopt;
  }
  const ComponentId own = named.empty() ? kNone : find_own(request, *target.entity, named);
  if (own != kNone) {
    return own;
  }
  // Without a component the name was not found when the interface was read, which was reported
  // there.
  if (shown == nullptr || shown->component == kNone) {
    return std::nullopt;
  }
  if (!fits(graph_.components[shown->component], request.type)) {
    report_type(request, graph_.components[shown->component]);
    return std::nullopt;
  }
  return shown->component;
}

ComponentId HandleResolver::find_own(const Request& request, const GraphEntity& entity,
                                     const std::vector<ComponentId>& named) {
  ComponentId match = kNone;
  for (const ComponentId id : named) {
    const GraphComponent& candidate = graph_.components[id];
    if (!fits(candidate, request.type)) {
      continue;
    }
    if (match != kNone && entity.made_twice) {
      return match;
    }
    if (match != kNone) {
      report_ambiguous(request, graph_.components[match], candidate);
      return match;
    }
    match = id;
  }
  const EntityInterface* interface = graph_.find_interface(entity.name);
  if (match == kNone &&
      (interface == nullptr || interface->find(request.component_text) == nullptr)) {
    report_type(request, graph_.components[named.front()]);
  }
  return match;
}

HandleResolver::Ports HandleResolver::find_ports(const Request& request,
                                                 const GraphEntity& entity) {
  Ports ports;
  ports.complete = !graph_.has_lost_component(entity, request.component_text);
  const auto add = [&](ComponentId queue, std::string_view name) {
    if (fits(graph_.components[queue], request.type)) {
      add_once(ports.names, name);
    }
    if (name == request.component_text) {
      add_once(ports.queues, queue);
    }
  };
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph_.components[id];
    ports.complete = ports.complete && component.type != nullptr;
    if (roles_.has(component, Role::Receiver) || roles_.has(component, Role::Transmitter)) {
      add(id, component.name.empty() ? component.type_name : std::string_view(component.name));
    }
    if (!roles_.has(component, Role::Codelet)) {
      continue;
    }
    for (const ParameterInfo& parameter : component.type->parameters) {
      ports.is_declared = ports.is_declared ||
                          (parameter.key == request.component_text && names_queue(parameter.type));
    }
    for (const ParameterAssignment& assignment : component.parameters) {
      if (assignment.info == nullptr || !names_queue(assignment.info->type)) {
        continue;
      }
      if (assignment.key == request.component_text && lacks_handles(assignment)) {
        ports.complete = false;
      }
      for (const HandleReference& handle : assignment.handles) {
        if (handle.target != kNone) {
          add(handle.target, assignment.key);
        }
      }
    }
  }
  return ports;
}

std::optional<ComponentId> HandleResolver::find_port(const Request& request,
                                                     const GraphEntity& entity) {
  const Ports ports = find_ports(request, entity);
  std::vector<ComponentId> fitting;
  std::ranges::copy_if(ports.queues, std::back_inserter(fitting), [&](ComponentId queue) {
    return fits(graph_.components[queue], request.type);
  });
  if (fitting.size() == 1) {
    return fitting.front();
  }
  if (fitting.size() > 1) {
    request.diagnostics.add(
        DiagnosticCode::ComponentAmbiguous, request.value,
        called(entity) + " has several queues for the port " + in_quotes(request.component_text),
        "name one of them: " + graph_.full_name(graph_.components[fitting[0]]) + " or " +
            graph_.full_name(graph_.components[fitting[1]]));
  } else if (!ports.queues.empty()) {
    report_type(request, graph_.components[ports.queues.front()]);
  } else if (ports.complete) {
    report_no_port(request, entity, ports);
  }
  return std::nullopt;
}

void HandleResolver::report_no_port(const Request& request, const GraphEntity& entity,
                                    const Ports& ports) {
  const std::string port = in_quotes(request.component_text);
  std::string hint = suggester_.among(request.component_text, ports.names);
  hint = hint.empty() ? Suggester::has(ports.names) : hint;
  request.diagnostics.add(
      DiagnosticCode::ComponentNotFound, inside(request.value, request.entity_text.size() + 1),
      length_of(request.component_text),
      ports.is_declared ? "the port " + port + " of " + called(entity) + " has no queue"
                        : called(entity) + " has no port " + port,
      ports.is_declared ? "set the parameter " + port : hint);
}

bool HandleResolver::fits(const GraphComponent& component, const std::string& type) {
  if (component.type == nullptr) {
    return true;  // its unknown type was reported; whether it fits cannot be known
  }
  const auto [entry, added] = fits_[&type].try_emplace(component.type, false);
  if (added) {
    entry->second = type == "gxr::Component" || catalog_.is_a(*component.type, type);
  }
  return entry->second;
}

void HandleResolver::report_missing(const Request& request, const Target& target) {
  const bool own = request.entity_text.data() == nullptr;
  if (target.entity != nullptr && is_input(request)) {
    report_no_output(request, *target.entity);
    return;
  }
  if (target.entity != nullptr && !request.diagnostics.compat_gxf() &&
      !suggester_.is_like_component(request.component_text, *target.entity) &&
      report_twins(request, *target.entity)) {
    return;
  }
  request.diagnostics.add(
      DiagnosticCode::ComponentNotFound,
      inside(request.value, own ? 0 : request.entity_text.size() + 1),
      length_of(request.component_text),
      (target.entity != nullptr ? called(*target.entity)
                                : "entity " + in_quotes(target.interface->entity)) +
          " has no component " + in_quotes(request.component_text),
      hint_for_missing(request, target));
}

/// Is it the source that 'inputs' of a short document names?
bool HandleResolver::is_input(const Request& request) const {
  return request.owner.written != 0 && is_connection(request.owner) && request.key == "source";
}

/// Outputs are the transmitters that are there, and those that the short form would make.
void HandleResolver::report_no_output(const Request& request, const GraphEntity& entity) {
  std::vector<std::string_view> names;
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph_.components[id];
    if (component.written != 0 && roles_.has(component, Role::Codelet)) {
      for (const std::string_view key :
           short_ports(*component.type, catalog_).keys(PortInfo::Direction::Output)) {
        add_once(names, key);
      }
    }
    if (roles_.has(component, Role::Transmitter) && !component.name.empty()) {
      add_once(names, std::string_view(component.name));
    }
  }
  const std::string hint = suggester_.among(request.component_text, names);
  request.diagnostics.add(DiagnosticCode::ComponentNotFound,
                          inside(request.value, request.entity_text.size() + 1),
                          length_of(request.component_text),
                          called(entity) + " has no output " + in_quotes(request.component_text) +
                              (names.empty() ? "" : "; " + Suggester::has(names)),
                          hint);
}

std::string HandleResolver::hint_for_missing(const Request& request, const Target& target) {
  if (target.entity == nullptr) {
    return suggester_.interface(request.component_text, *target.interface);
  }
  const GraphEntity& entity = *target.entity;
  const bool own = request.entity_text.data() == nullptr;
  if (own && graph_.find_entity(request.component_text) != nullptr) {
    return in_quotes(request.component_text) + " is an entity; write " +
           std::string(request.component_text) + "/COMPONENT";
  }
  std::string hint = own ? suggester_.elsewhere(request.component_text, request.type) : "";
  const bool forgotten = own && hint.empty() && !suggester_.has_fitting(entity, request.type) &&
                         !suggester_.is_like_component(request.component_text, entity);
  if (hint.empty() && !forgotten) {
    hint = suggester_.component(request.component_text, entity);
  }
  return hint.empty() ? hint_for_new(request) : hint;
}

/// Nothing is like it, so perhaps the component was forgotten.
std::string HandleResolver::hint_for_new(const Request& request) {
  const std::string& types = suggester_.derived_types(request.type);
  return types.empty() ? types
                       : "add a component " + in_quotes(request.component_text) +
                             " of one of these types: " + types;
}

void HandleResolver::report_type(const Request& request, const GraphComponent& found) {
  const bool connection = is_connection(request.owner);
  request.diagnostics
      .add(connection ? DiagnosticCode::ConnectionEnd : DiagnosticCode::HandleType, request.value,
           in_quotes(request.key) + " needs a " + request.type + ", but " + called(graph_, found) +
               " is a " + std::string(found.type->name),
           connection ? "a connection leads from a transmitter ('source') to a receiver ('target')"
                      : suggest_fitting(request, graph_.entity_of(found)))
      .related.push_back({found.where, in_quotes(found.name) + " is here"});
}

/// Is the handle one of a list that has this name as well?
bool HandleResolver::is_named_already(const Request& request, std::string_view name) {
  const ParameterAssignment* assignment = request.owner.find(request.key);
  const Value* list = assignment == nullptr ? nullptr : assignment->value;
  for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
    const std::string_view text = list->at(i).text();
    if (text.substr(text.find('/') + 1) == name) {  // npos + 1 is 0
      return true;
    }
  }
  return false;
}

/// Components beside the one that was named which have the right type.
std::string HandleResolver::suggest_fitting(const Request& request, const GraphEntity& entity) {
  constexpr std::size_t kMostToLookAt = 1000;  // many mistakes in a large entity: not its square
  std::string names;
  int count = 0;
  for (std::size_t i = 0; i < std::min(entity.components.size(), kMostToLookAt); ++i) {
    const ComponentId id = entity.components[i];
    const GraphComponent& candidate = graph_.components[id];
    if (candidate.type != nullptr && !candidate.name.empty() && fits(candidate, request.type) &&
        !is_named_already(request, candidate.name) && ++count <= 3) {
      names += (names.empty() ? "'" : " or '") + candidate.name + "'";
    }
  }
  return names.empty() ? names : "did you mean " + names + "?";
}

/// Two components of one name are one mistake, at the second of them, however many handles it makes
/// ambiguous.
void HandleResolver::report_twins(const Request& request, const GraphComponent& first,
                                  const GraphComponent& second) {
  if (!with_twins_.insert(first.entity).second) {
    return;
  }
  Diagnostic& report = request.diagnostics.add(
      DiagnosticCode::ComponentAmbiguous, second.where, where_length(second),
      called(graph_.entity_of(second)) + " has two components " + in_quotes(second.name) +
          ", and a handle has to say which one it means",
      "give one of them another name");
  report.related.push_back({first.where, "the first one is here"});
  report.related.push_back({request.value.location(), "the handle is here"});
}

/// A name that is missing beside a name that is there twice: one of the two should have it. False
/// when no name is there twice.
bool HandleResolver::report_twins(const Request& request, const GraphEntity& entity) {
  constexpr std::size_t kMostToLookAt = 1000;  // many mistakes in a large entity: not its square
  if (with_twins_.contains(entity.id)) {
    return true;
  }
  if (!searched_for_twins_.insert(entity.id).second) {
    return false;
  }
  std::unordered_map<std::string_view, ComponentId> seen;
  for (std::size_t i = 0; i < std::min(entity.components.size(), kMostToLookAt); ++i) {
    const GraphComponent& component = graph_.components[entity.components[i]];
    if (component.name.empty()) {
      continue;
    }
    const auto [first, added] = seen.try_emplace(component.name, component.id);
    if (!added && graph_.components[first->second].type == component.type) {
      report_twins(request, graph_.components[first->second], component);
      return true;
    }
  }
  return false;
}

void HandleResolver::report_ambiguous(const Request& request, const GraphComponent& first,
                                      const GraphComponent& second) {
  if (!request.diagnostics.compat_gxf()) {
    report_twins(request, first, second);
    return;
  }
  Diagnostic& report = request.diagnostics.add(
      DiagnosticCode::ComponentAmbiguous, request.value,
      "several components are called " + called(graph_, first) + " and have a type that fits",
      "give them different names");
  report.related.push_back({first.where, "one is here (GXF takes this one)"});
  report.related.push_back({second.where, "another is here"});
}

bool HandleResolver::is_connection(const GraphComponent& component) const {
  return component.type != nullptr && component.type->name == "gxr::Connection";
}

}  // namespace gxr
