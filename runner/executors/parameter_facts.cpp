#include "executors/parameter_facts.hpp"

#include <algorithm>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "document/override_key.hpp"
#include "document/secrets.hpp"
#include "document/utf8.hpp"
#include "graph/apply_overrides.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "registry/parameter_text.hpp"

namespace gxr {
namespace {

Override override_at(const std::string& address) {
  std::string problem;
  const std::optional<OverrideKey> key = parse_override_key(address, problem);
  if (!key) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(address) + " " + problem + ": write ENTITY/[COMPONENT/]PARAMETER");
  }
  Override override_;
  override_.entity = key->entity;
  override_.component = key->component;
  override_.parameter = key->parameter;
  return override_;
}

[[noreturn]] void throw_not_found(const Diagnostics& diagnostics, const std::string& address) {
  for (const Diagnostic& found : diagnostics.all()) {
    throw Error(ErrorCode::NotFound,
                found.text + (found.hint.empty() ? "" : " (" + found.hint + ")"));
  }
  throw Error(ErrorCode::NotFound, quote_text(address) + " names no parameter");
}

const ParameterInfo* find_info(const GraphComponent& component, const std::string& key) {
  const auto info = std::ranges::find(component.type->parameters, key, &ParameterInfo::key);
  return info != component.type->parameters.end() ? &*info : nullptr;
}

}  // namespace

ParameterFacts ParameterReader::read(const GraphComponent& component,
                                     const ParameterInfo& info) const {
  ParameterFacts facts;
  const std::string name =
      component.name.empty() ? std::string(component.type_name) : component.name;
  facts.parameter = plan_.graph->entities[component.entity].name + "/" + name + "/" + info.key;
  facts.takes = facts_of(info);
  facts.fixed = changes_.why_not_changeable(component.id, &info);
  const ParameterAssignment* const assigned = component.find(info.key);
  facts.value = changes_.last_value(component.id, info.key);
  if (!facts.value && assigned != nullptr && assigned->value != nullptr) {
    facts.value = assigned->value->to_yaml();
  }
  if (!facts.value) {
    facts.value = info.default_value;
    facts.is_default = true;
  } else {
    facts.value = is_secret_name(info.key) ? "***" : without_secrets(*facts.value);
  }
  return facts;
}

std::vector<ParameterFacts> ParameterReader::find(const std::string& address) const {
  Override override_ = override_at(address);
  Diagnostics diagnostics;
  const std::shared_ptr<const Graph> graph = changes_.graph();
  Suggester suggester(*graph, catalog_);
  std::vector<ParameterFacts> found;
  for (const ComponentId id :
       find_override_targets(override_, catalog_, suggester, diagnostics, *graph)) {
    const GraphComponent& component = graph->components[id];
    if (const ParameterInfo* const info = find_info(component, override_.parameter)) {
      found.push_back(read(component, *info));
    }
  }
  if (found.empty()) {
    throw_not_found(diagnostics, address);
  }
  return found;
}

const GraphEntity& ParameterReader::require_entity(const std::string& entity) const {
  const GraphEntity* const found = plan_.graph->find_entity(entity);
  if (found == nullptr) {
    const std::string hint = Suggester(*plan_.graph, catalog_).entity(entity);
    throw Error(ErrorCode::NotFound, "there is no entity " + in_quotes(entity) +
                                         (hint.empty() ? "" : " (" + hint + ")"));
  }
  return *found;
}

std::vector<ComponentFacts> ParameterReader::of_entity(const std::string& entity) const {
  std::vector<ComponentFacts> components;
  const std::shared_ptr<const Graph> graph = changes_.graph();
  for (const ComponentId id : require_entity(entity).components) {
    const GraphComponent& component = graph->components[id];
    components.push_back({component.name, std::string(component.type_name), {}});
    for (const ParameterInfo& info : component.type->parameters) {
      components.back().parameters.push_back(read(component, info));
    }
  }
  return components;
}

std::string ParameterReader::region_of(const std::string& entity) const {
  const std::size_t region = graph_regions_of_entities(plan_)[require_entity(entity).id];
  return region == kNoRegion ? std::string() : plan_.regions[region].name;
}

}  // namespace gxr
