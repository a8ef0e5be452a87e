#include "graph/subgraphs.hpp"

#include <algorithm>

#include "document/map_keys.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

/// The names that a `prerequisites` document lists: of maps with `name`, of texts, or the keys of a
/// map. GXF looks at none of them.
std::vector<const Value*> declared_names(const Value& declared) {
  std::vector<const Value*> names;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const Value& item = declared.is_map() ? declared.key(i) : declared.at(i);
    const Value* name = item.is_map() ? item.find("name") : &item;
    if (name != nullptr && name->is_scalar()) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

bool is_subgraph_entry(const Value& entry) {
  const Value* type = entry.is_map() ? entry.find("type") : nullptr;
  return type != nullptr && is_subgraph_type(type->text());
}

SubgraphEntry& Subgraphs::add(const std::string& host, const Value& entry) {
  SubgraphEntry& subgraph = subgraphs_.emplace_back();
  subgraph.host = host;
  if (const Value* name = entry.find("name")) {
    subgraph.name = name->text();
  }
  subgraph.type_name = entry.find("type")->text();
  subgraph.type_location = inside(*entry.find("type"));
  return subgraph;
}

SubgraphEntry* Subgraphs::find(std::string_view host, const Value& entry) {
  const Value* name = entry.is_map() ? entry.find("name") : nullptr;
  if (name == nullptr || entry.find("type") != nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(subgraphs_, [&](const SubgraphEntry& subgraph) {
    return subgraph.host == host && subgraph.name == name->text();
  });
  return found == subgraphs_.end() ? nullptr : &*found;
}

void Subgraphs::read_parameters(SubgraphEntry& subgraph, const Value& entry, ScopeId scope) {
  const Value* parameters = entry.find("parameters");
  if (parameters == nullptr) {
    return;
  }
  if (!parameters->is_map()) {
    diagnostics_.add(DiagnosticCode::ParametersNotMap, *parameters, "'parameters' must be a map",
                     "write 'location: FILE'");
    return;
  }
  for (std::size_t i = 0; i < parameters->size(); ++i) {
    const Value& key = parameters->key(i);
    const Value& value = parameters->value(i);
    if (key.text() == "location") {
      set_location(subgraph, key, value);
    } else if (key.text() == "prerequisites" && value.is_map()) {
      subgraph.prerequisites = &value;
      subgraph.scope = scope;
    } else if (key.text() == "prerequisites") {
      diagnostics_.add(DiagnosticCode::ParameterValue, value,
                       "'prerequisites' needs a map from names to components",
                       "write {name: entity/component}");
    } else if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
      diagnostics_.add(DiagnosticCode::UnknownParameter, key, flaw);
    } else {
      diagnostics_.add(DiagnosticCode::UnknownParameter, key,
                       in_quotes(subgraph.type_name) + " has no parameter " + in_quotes(key.text()),
                       is_merge_key(key.text())
                           ? kMergeKeyHint
                           : suggestion(key.text(), {"location", "prerequisites"}));
    }
  }
}

void Subgraphs::set_location(SubgraphEntry& subgraph, const Value& key, const Value& value) {
  if (value.text() == "<Unspecified>") {
    return;
  }
  if (!subgraph.loaded) {
    subgraph.location = &value;
    return;
  }
  diagnostics_.add(DiagnosticCode::ParameterTwice, key,
                   "the subgraph " + in_quotes(subgraph.host + "/" + subgraph.name) +
                       " is loaded already; this location has no effect",
                   "remove one of the two");
}

/// What -p or a parameter file says instead; the last one wins.
const Value* Subgraphs::override_of(const SubgraphEntry& subgraph, std::string_view key) {
  const Value* value = nullptr;
  for (Override& given : document_.overrides()) {
    const bool meant = given.component.empty() || given.component == subgraph.name ||
                       is_subgraph_type(given.component);
    if (given.entity == subgraph.host && given.parameter == key && meant) {
      given.matched = true;
      value = given.value;
    }
  }
  return value;
}

const Value* Subgraphs::location_of(const SubgraphEntry& subgraph) {
  const Value* given = override_of(subgraph, "location");
  return given != nullptr ? given : subgraph.location;
}

ScopeId Subgraphs::open_scope(const SubgraphEntry& subgraph, const Value& location) {
  graph_.scopes.push_back({subgraph.host + ".", location.location()});
  of_scope_.push_back(&subgraph);
  return static_cast<ScopeId>(graph_.scopes.size() - 1);
}

void Subgraphs::add_prerequisites(const Value& key, const Value& declared, ScopeId scope) {
  const SubgraphEntry* subgraph = of_scope_[scope];
  EntityInterface& interface =
      graph_.add_interface(graph_.scopes[scope].prefix + "prerequisites", key.location());
  if (subgraph != nullptr) {
    pass_in(*subgraph, interface);
  }
  check_declared(declared, interface, subgraph);
}

void Subgraphs::pass_in(const SubgraphEntry& subgraph, EntityInterface& interface) {
  const Value* given = override_of(subgraph, "prerequisites");
  given = given == nullptr ? subgraph.prerequisites : given;
  for (std::size_t i = 0; given != nullptr && given->is_map() && i < given->size(); ++i) {
    const Value& target = given->value(i);
    if (const std::string flaw = flaw_of_key(given->key(i)); !flaw.empty()) {
      diagnostics_.add(DiagnosticCode::InterfaceInvalid, given->key(i), flaw);
      continue;
    }
    if (interface.find(given->key(i).text()) != nullptr) {
      continue;  // a second file of the same subgraph
    }
    if (target.text().find('/') == std::string_view::npos) {
      diagnostics_.add(DiagnosticCode::InterfaceInvalid, target,
                       "prerequisite " + in_quotes(given->key(i).text()) +
                           " must be a component, written 'entity/component'");
    }
    interface.names.push_back({std::string(given->key(i).text()), &target, subgraph.scope, kNone});
  }
}

void Subgraphs::check_declared(const Value& declared, const EntityInterface& interface,
                               const SubgraphEntry* subgraph) {
  std::vector<std::string_view> given;
  for (const InterfaceName& name : interface.names) {
    given.emplace_back(name.name);
  }
  for (const Value* name : declared_names(declared)) {
    if (interface.find(name->text()) != nullptr) {
      continue;
    }
    if (subgraph == nullptr) {
      diagnostics_.add(DiagnosticCode::PrerequisiteMissing, *name,
                       "prerequisite " + in_quotes(name->text()) +
                           " comes from who includes this file, but nothing includes it",
                       "use the file as a subgraph");
      continue;
    }
    diagnostics_
        .add(DiagnosticCode::PrerequisiteMissing, subgraph->type_location,
             length_of(subgraph->type_name),
             "subgraph " + in_quotes(subgraph->host) + " needs the prerequisite " +
                 in_quotes(name->text()),
             given.empty() ? "write 'prerequisites: {" + std::string(name->text()) +
                                 ": entity/component}' beside its location"
                           : suggestion(name->text(), given))
        .related.push_back({name->location(), "asked for here"});
  }
}

void Subgraphs::add_interfaces(const Value& list, ScopeId scope) {
  if (list.is_null() || (list.is_sequence() && list.size() == 0)) {
    return;
  }
  if (of_scope_[scope] == nullptr) {
    diagnostics_.add(DiagnosticCode::InterfaceWithoutParent, list,
                     "'interfaces' exports names to the entity that includes this file, but "
                     "nothing includes it",
                     "remove it, or use the file as a subgraph");
    return;
  }
  if (!list.is_sequence()) {
    diagnostics_.add(DiagnosticCode::InterfaceInvalid, list, "'interfaces' must be a list",
                     "write '- {name: out, target: entity/component}'");
    leave_open(scope);
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    add_interface(list.at(i), scope);
  }
}

void Subgraphs::add_interface(const Value& item, ScopeId scope) {
  const Value* name = item.is_map() ? item.find("name") : nullptr;
  const Value* target = item.is_map() ? item.find("target") : nullptr;
  if (name == nullptr || target == nullptr || name->text().empty() ||
      target->text().find('/') == std::string_view::npos) {
    diagnostics_.add(DiagnosticCode::InterfaceInvalid,
                     target != nullptr && name != nullptr ? *target : item,
                     "an interface needs 'name' and 'target', which is 'entity/component'",
                     "write '- {name: out, target: entity/component}'");
    leave_open(scope);
    return;
  }
  EntityInterface& host = graph_.add_interface(of_scope_[scope]->host, name->location());
  const auto known = std::ranges::find(host.names, name->text(), &InterfaceName::name);
  if (known == host.names.end()) {
    host.names.push_back({std::string(name->text()), target, scope, kNone});
    return;
  }
  Diagnostic& report =
      diagnostics_.add(DiagnosticCode::InterfaceInvalid, *name,
                       "entity " + in_quotes(host.entity) + " already shows a component as " +
                           in_quotes(name->text()),
                       "choose another name");
  report.related.push_back({known->target->location(), "the first one is here"});
}

void Subgraphs::leave_open(ScopeId scope) {
  if (const SubgraphEntry* subgraph = of_scope_[scope]) {
    graph_.add_interface(subgraph->host, subgraph->type_location).complete = false;
  }
}

void Subgraphs::finish() {
  for (const SubgraphEntry& subgraph : subgraphs_) {
    if (!subgraph.loaded) {
      diagnostics_.add(
          DiagnosticCode::ParameterMissing, subgraph.type_location, length_of(subgraph.type_name),
          in_quotes(subgraph.host + "/" +
                    (subgraph.name.empty() ? std::string(subgraph.type_name) : subgraph.name)) +
              " needs the parameter 'location'",
          "location: file, the YAML file with the entities of the subgraph");
      graph_.add_interface(subgraph.host, subgraph.type_location).complete = false;
    }
  }
}

}  // namespace gxr
