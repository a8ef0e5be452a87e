#include "graph/apply_overrides.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/short_form.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

/// Finds out what an override names.
class OverrideTargets {
 public:
  OverrideTargets(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics,
                  const Graph& graph)
      : catalog_(catalog), suggester_(suggester), diagnostics_(diagnostics), graph_(graph) {}

  std::vector<ComponentId> find(Override& override_) {
    wanted_type_ = override_.component.empty() ? nullptr : catalog_.find(override_.component);
    const Components found = look(override_);
    if (override_.component.empty() && found.size() == 1 && is_key_term(override_, *found[0])) {
      override_.component = found[0]->name;
      override_.parameter = found[0]->name == kShortPeriod ? "recess_period" : "count";
    }
    override_.matched = override_.matched || !found.empty();
    std::vector<ComponentId> ids;
    for (const GraphComponent* component : found) {
      ids.push_back(component->id);
    }
    return ids;
  }

 private:
  using Components = std::vector<const GraphComponent*>;

  Components look(Override& override_) {
    if (override_.entity.empty()) {
      return look_in_unnamed(override_);
    }
    if (const GraphComponent* shown = look_in_interface(override_)) {
      return {shown};
    }
    const GraphEntity* entity = graph_.find_entity(override_.entity);
    if ((entity == nullptr || !entity->named) &&
        (graph_.has_lost_entity(override_.entity) || graph_.entity_made_twice)) {
      override_.matched = true;  // as far as can be known
      return {};
    }
    if (entity == nullptr || !entity->named) {
      report(DiagnosticCode::OverrideNoMatch, override_,
             "there is no entity " + in_quotes(override_.entity), hint_for_entity(override_));
      return {};
    }
    return look_in_entity(override_, *entity);
  }

  /// The name of a subgraph is no entity's: those in it are meant.
  std::string hint_for_entity(const Override& override_) {
    const std::string prefix = override_.entity + ".";
    std::string meant;
    int count = 0;
    bool is_subgraph = false;
    Override inner = override_;
    for (const GraphEntity& entity : graph_.entities) {
      if (!entity.name.starts_with(prefix)) {
        continue;
      }
      is_subgraph = true;
      // cam/source/count may name the entity cam.source.
      inner.component = entity.name == prefix + override_.component ? "" : override_.component;
      for (const GraphComponent* component : find_targets(inner, entity)) {
        if (++count <= 3) {
          meant += (count == 1 ? "" : " or ") +
                   in_quotes(entity.name + "/" + component_part(*component, inner) +
                             override_.parameter);
        }
      }
    }
    if (!is_subgraph) {
      return suggester_.entity(override_.entity);
    }
    return in_quotes(override_.entity) + " is a subgraph" +
           (meant.empty() ? ", and " + std::string("no entity in it has ") + wanted(override_)
                          : "; did you mean " + meant + "?");
  }

  /// The part of the path between entity and parameter: nothing if one component has it.
  [[nodiscard]] std::string component_part(const GraphComponent& component,
                                           const Override& override_) const {
    Override any = override_;
    any.component.clear();
    if (find_targets(any, graph_.entity_of(component)).size() == 1) {
      return {};
    }
    return (component.name.empty() ? std::string(component.type_name) : component.name) + "/";
  }

  Components look_in_unnamed(Override& override_) {
    Components all;
    for (const GraphEntity& entity : graph_.entities) {
      if (entity.named) {
        continue;
      }
      const Components targets = find_targets(override_, entity);
      if (override_.component.empty() && targets.size() > 1) {
        report_ambiguous(override_, targets);
        return {};
      }
      all.insert(all.end(), targets.begin(), targets.end());
    }
    if (all.empty() && (graph_.has_gaps() || may_be_unknown(override_))) {
      override_.matched = true;
    } else if (all.empty()) {
      report(DiagnosticCode::OverrideNoMatch, override_,
             "no entity without a name has " + wanted(override_), "");
    }
    return all;
  }

  /// Is it meant for a component of unknown type, whose parameters cannot be known?
  [[nodiscard]] bool may_be_unknown(const Override& override_) const {
    return std::ranges::any_of(graph_.components, [&](const GraphComponent& component) {
      return component.type == nullptr && !graph_.entity_of(component).named &&
             is_meant(override_, component);
    });
  }

  /// A component that the entity only shows, or nullptr.
  [[nodiscard]] const GraphComponent* look_in_interface(const Override& override_) const {
    const EntityInterface* interface = graph_.find_interface(override_.entity);
    const InterfaceName* name =
        interface == nullptr ? nullptr : interface->find(override_.component);
    if (name == nullptr || name->component == kNone ||
        !has_parameter(graph_.components[name->component], override_.parameter)) {
      return nullptr;
    }
    return &graph_.components[name->component];
  }

  Components look_in_entity(Override& override_, const GraphEntity& entity) {
    Components targets = find_targets(override_, entity);
    if (targets.empty()) {
      report_no_match(override_, entity);
    } else if (targets.size() > 1 && entity.name == kShortConnections && are_inputs(targets)) {
      report_inputs(override_, targets);
      return {};
    } else if (override_.component.empty() && targets.size() > 1) {
      report_ambiguous(override_, targets);
      return {};
    }
    return targets;
  }

  [[nodiscard]] Components find_targets(const Override& override_,
                                        const GraphEntity& entity) const {
    Components targets;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (override_.component.empty() && is_key_term(override_, component)) {
        return {&component};
      }
      if (is_meant(override_, component) && has_parameter(component, override_.parameter)) {
        targets.push_back(&component);
      }
    }
    return targets;
  }

  /// ENTITY/count and ENTITY/period are the keys of a short document that has them, whatever its
  /// codelet has. This is the term that such a key makes.
  static bool is_key_term(const Override& override_, const GraphComponent& component) {
    return component.written != 0 && component.name == override_.parameter &&
           ((component.name == kShortCount && component.type_name == "gxr::CountSchedulingTerm") ||
            (component.name == kShortPeriod &&
             component.type_name == "gxr::PeriodicSchedulingTerm"));
  }

  bool is_meant(const Override& override_, const GraphComponent& component) const {
    const std::string& wanted = override_.component;
    return wanted.empty() || component.name == wanted || component.type_name == wanted ||
           (component.type != nullptr && component.type == wanted_type_);
  }

  static bool has_parameter(const GraphComponent& component, std::string_view key) {
    return component.find(key) != nullptr ||
           (component.type != nullptr &&
            std::ranges::find(component.type->parameters, key, &ParameterInfo::key) !=
                component.type->parameters.end());
  }

  static std::string wanted(const Override& override_) {
    const std::string parameter = "a parameter " + in_quotes(override_.parameter);
    return override_.component.empty()
               ? parameter
               : "a component " + in_quotes(override_.component) + " with " + parameter;
  }

  void report(DiagnosticCode code, const Override& override_, const std::string& text,
              const std::string& hint) {
    diagnostics_.add(code, override_.where, override_.length, text, hint);
  }

  void report_no_match(Override& override_, const GraphEntity& entity) {
    if (graph_.lost_components.contains(entity.id)) {
      override_.matched = true;  // it may be meant for what an entry with an error does not make
      return;
    }
    const GraphComponent* named = nullptr;
    std::vector<std::string_view> keys;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (!is_meant(override_, component)) {
        continue;
      }
      if (component.type == nullptr) {
        override_.matched = true;  // the unknown type was reported; what it has cannot be known
        return;
      }
      named = &component;
      add_keys(component, keys);
    }
    const std::string parameter = "parameter " + in_quotes(override_.parameter);
    if (override_.component.empty()) {
      report(DiagnosticCode::OverrideNoMatch, override_,
             called(entity) + " has no component with a " + parameter,
             hint_for_parameter(override_, entity, keys));
    } else if (named == nullptr) {
      report(DiagnosticCode::OverrideNoMatch, override_,
             called(entity) + " has no component " + in_quotes(override_.component),
             suggest_component(override_, entity));
    } else {
      report(DiagnosticCode::OverrideNoMatch, override_,
             called(graph_, *named) + " has no " + parameter,
             suggester_.among(override_.parameter, keys));
    }
  }

  /// A component of that name comes first.
  std::string hint_for_parameter(const Override& override_, const GraphEntity& entity,
                                 const std::vector<std::string_view>& keys) {
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (component.name == override_.parameter && component.type != nullptr &&
          !component.type->parameters.empty()) {
        return in_quotes(graph_.full_name(component)) + " is a component" +
               hint_for_component(override_, component);
      }
    }
    return suggester_.among(override_.parameter, keys);
  }

  /// Its parameters, and how to write the one that has to be set.
  [[nodiscard]] std::string hint_for_component(const Override& override_,
                                               const GraphComponent& component) const {
    std::string all;
    std::vector<std::string_view> needed;
    for (const ParameterInfo& info : component.type->parameters) {
      all += (all.empty() ? "'" : ", '") + info.key + "'";
      if (!info.optional && !info.default_value) {
        needed.push_back(info.key);
      }
    }
    const std::vector<ParameterInfo>& infos = component.type->parameters;
    if (needed.size() != 1) {
      return (infos.size() == 1 ? "; its parameter is " : "; its parameters are ") + all;
    }
    Override inner = override_;
    inner.parameter = needed.front();
    const std::string value =
        override_.value->is_scalar() ? std::string(override_.value->text()) : "VALUE";
    return "; its parameter is " + in_quotes(needed.front()) + ": write " +
           graph_.entity_of(component).name + "/" + component_part(component, inner) +
           inner.parameter + "=" + value;
  }

  std::string suggest_component(const Override& override_, const GraphEntity& entity) {
    std::vector<std::string_view> names;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      names.push_back(component.name.empty() ? component.type_name
                                             : std::string_view(component.name));
    }
    return suggester_.among(override_.component, names);
  }

  static void add_keys(const GraphComponent& component, std::vector<std::string_view>& keys) {
    if (component.type != nullptr) {
      for (const ParameterInfo& info : component.type->parameters) {
        keys.emplace_back(info.key);
      }
    }
  }

  void report_ambiguous(const Override& override_, const Components& targets) {
    std::string choices;
    for (std::size_t i = 0; i < targets.size() && i < 4; ++i) {
      choices += (choices.empty() ? "write " : " or ") + graph_.full_name(*targets[i]) + "/" +
                 override_.parameter;
      // A component without a name is called like its type.
      choices +=
          targets[i]->name.empty() ? "" : " (of the " + std::string(targets[i]->type_name) + ")";
    }
    report(DiagnosticCode::OverrideAmbiguous, override_,
           std::to_string(targets.size()) + " components of entity " +
               in_quotes(graph_.entity_of(*targets.front()).name) + " have a parameter " +
               in_quotes(override_.parameter),
           choices);
  }

  /// Were they made for `inputs` of short documents?
  static bool are_inputs(const Components& targets) {
    return std::ranges::all_of(targets, [](const GraphComponent* component) {
      return component->written != 0 && component->type_name == "gxr::Connection";
    });
  }

  void report_inputs(const Override& override_, const Components& targets) {
    report(DiagnosticCode::OverrideAmbiguous, override_,
           std::to_string(targets.size()) + " connections of the short form have a parameter " +
               in_quotes(override_.parameter),
           "they have no names; set them in 'inputs' of the entities that read");
  }

  const TypeCatalog& catalog_;
  Suggester& suggester_;
  Diagnostics& diagnostics_;
  const Graph& graph_;
  const TypeInfo* wanted_type_ = nullptr;  // when the override names its component by type
};

void set(GraphComponent& component, const ParameterAssignment& assignment) {
  const auto known =
      std::ranges::find(component.parameters, assignment.key, &ParameterAssignment::key);
  if (known == component.parameters.end()) {
    component.parameters.push_back(assignment);
  } else {
    *known = assignment;
  }
}

}  // namespace

std::vector<ComponentId> find_override_targets(Override& override_, const TypeCatalog& catalog,
                                               Suggester& suggester, Diagnostics& diagnostics,
                                               const Graph& graph) {
  return OverrideTargets(catalog, suggester, diagnostics, graph).find(override_);
}

ParameterAssignment assignment_by(const Override& override_, const GraphComponent& target,
                                  const Graph& graph) {
  return {override_.parameter,          override_.where, override_.value, nullptr, true, {},
          graph.entity_of(target).scope};
}

void apply_overrides(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                     Diagnostics& diagnostics, Graph& graph) {
  for (Override& override_ : document.overrides()) {
    if (override_.matched) {
      continue;  // a location or prerequisites of a subgraph, used when that was loaded
    }
    for (const ComponentId target :
         find_override_targets(override_, catalog, suggester, diagnostics, graph)) {
      GraphComponent& component = graph.components[target];
      set(component, assignment_by(override_, component, graph));
    }
  }
}

}  // namespace gxr
