#include "graph/interface_resolver.hpp"

#include <algorithm>
#include <string>

#include "graph/text.hpp"

namespace gxr {

ComponentId InterfaceResolver::find(std::string_view entity, std::string_view name) {
  EntityInterface* interface = graph_.find_interface(entity);
  if (interface == nullptr) {
    return kNone;
  }
  const auto found = std::ranges::find(interface->names, name, &InterfaceName::name);
  return found == interface->names.end() ? kNone : find_target(*found);
}

ComponentId InterfaceResolver::find_target(InterfaceName& name) {
  const std::string_view text = name.target->text();
  const std::size_t slash = text.find('/');
  const bool circle = std::ranges::find(open_, &name) != open_.end();
  if (name.component != kNone || slash == std::string_view::npos || circle) {
    return name.component;
  }
  open_.push_back(&name);
  const std::string entity(text.substr(0, slash));
  const std::string inner = graph_.scopes[name.scope].prefix + entity;
  const bool known =
      graph_.find_entity(inner) != nullptr || graph_.find_interface(inner) != nullptr;
  name.component = find_in(known ? inner : entity, text.substr(slash + 1));
  open_.pop_back();
  return name.component;
}

ComponentId InterfaceResolver::find_in(std::string_view entity, std::string_view component) {
  if (const GraphEntity* real = graph_.find_entity(entity)) {
    const std::vector<ComponentId>& found = names_.find(*real, component);
    if (!found.empty()) {
      return found.front();
    }
  }
  return find(entity, component);
}

void InterfaceResolver::finish(Suggester& suggester, Diagnostics& diagnostics) {
  for (EntityInterface& interface : graph_.interfaces) {
    for (InterfaceName& name : interface.names) {
      if (find_target(name) == kNone) {
        report(name, suggester, diagnostics);
      }
    }
  }
}

void InterfaceResolver::report(const InterfaceName& name, Suggester& suggester,
                               Diagnostics& diagnostics) {
  const std::string_view text = name.target->text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return;  // reported when it was read
  }
  const std::string entity(text.substr(0, slash));
  const std::string_view component = text.substr(slash + 1);
  const std::string inner = graph_.scopes[name.scope].prefix + entity;
  for (const std::string& candidate : {inner, entity}) {
    const GraphEntity* real = graph_.find_entity(candidate);
    const EntityInterface* interface = graph_.find_interface(candidate);
    if (real == nullptr && interface == nullptr) {
      continue;
    }
    const bool lost = real != nullptr && graph_.has_lost_component(*real, component);
    if (!lost && (interface == nullptr || interface->complete)) {
      diagnostics.add(
          DiagnosticCode::ComponentNotFound, inside(*name.target, slash + 1), length_of(component),
          "entity " + in_quotes(candidate) + " has no component " + in_quotes(component),
          real != nullptr ? suggester.component(component, *real)
                          : suggester.interface(component, *interface));
    }
    return;
  }
  if (graph_.has_lost_entity(entity) || graph_.entity_made_twice) {
    return;  // the document that makes it was reported
  }
  diagnostics.add(DiagnosticCode::EntityNotFound, inside(*name.target, 0), length_of(entity),
                  "there is no entity " + in_quotes(inner),
                  suggester.entity(entity, graph_.scopes[name.scope].prefix));
}

}  // namespace gxr
