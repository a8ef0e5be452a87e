#include "graph/assemble.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/component_names.hpp"
#include "graph/document_keys.hpp"
#include "graph/start_order.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

/// Finds the parameters of a component by key while more are being added: looks through few, keeps
/// an index of many.
class ParameterKeys {
 public:
  /// nullptr when there is none; valid until the next one is added.
  ParameterAssignment* find(GraphComponent& component, std::string_view key) {
    std::vector<ParameterAssignment>& parameters = component.parameters;
    if (parameters.size() <= kFew) {
      const auto found = std::ranges::find(parameters, key, &ParameterAssignment::key);
      return found == parameters.end() ? nullptr : &*found;
    }
    Positions& positions = positions_[component.id];
    while (positions.size() < parameters.size()) {
      positions.emplace(parameters[positions.size()].key, positions.size());
    }
    const auto found = positions.find(key);
    return found == positions.end() ? nullptr : &parameters[found->second];
  }

 private:
  static constexpr std::size_t kFew = 24;
  using Positions = std::unordered_map<std::string_view, std::size_t>;  // all keys differ
  std::unordered_map<ComponentId, Positions> positions_;
};

class Assembler {
 public:
  Assembler(const Document& document, Diagnostics& diagnostics, Graph& graph)
      : document_(document), diagnostics_(diagnostics), graph_(graph), names_(graph) {}

  void run() {
    const std::span<const DocumentPart> parts = document_.parts();
    for (std::size_t begin = 0; begin < parts.size();) {
      std::size_t end = begin + 1;
      while (end < parts.size() && parts[end].source == parts[begin].source) {
        ++end;
      }
      add_file(parts.subspan(begin, end - begin));
      begin = end;
    }
  }

 private:
  void add_file(std::span<const DocumentPart> parts) {
    for (const std::size_t index : start_order(parts, diagnostics_)) {
      add_document(*parts[index].root);
    }
  }

  void add_document(const Value& root) {
    check_document_keys(root, diagnostics_);
    const Value* list = root.find("components");
    if (list == nullptr) {
      return;
    }
    if (!list->is_sequence() && !list->is_null()) {
      diagnostics_.add(DiagnosticCode::ComponentsNotList, *list, "'components' must be a list",
                       "begin each component with '- '");
      return;
    }
    GraphEntity& entity = find_or_add_entity(root, *list);
    components_before_ = entity.components.size();
    for (std::size_t i = 0; i < list->size(); ++i) {
      add_entry(entity, list->at(i));
    }
  }

  GraphEntity& find_or_add_entity(const Value& root, const Value& list) {
    const Value* name = root.find("name");
    if (name == nullptr || !valid_entity_name(*name)) {
      return graph_.add_entity({}, root.location());
    }
    const auto known = graph_.entity_index.find(name->text());
    if (known == graph_.entity_index.end()) {
      return graph_.add_entity(std::string(name->text()), name->location());
    }
    GraphEntity& entity = graph_.entities[known->second];
    report_merge(entity, *name, list);
    return entity;
  }

  bool valid_entity_name(const Value& name) {
    if (!name.is_scalar() || name.text().empty()) {
      diagnostics_.add(DiagnosticCode::InvalidName, name, "an entity's name must be text",
                       "leave the key out for an entity without a name");
      return false;
    }
    if (name.text().starts_with("__")) {
      diagnostics_.add(
          DiagnosticCode::InvalidName, name,
          "entity name " + in_quotes(name.text()) + " begins with '__', which is reserved",
          "choose another name");
      return false;
    }
    warn_slash(name, "entity");
    return true;
  }

  void warn_slash(const Value& name, const std::string& what) {
    if (name.text().find('/') != std::string_view::npos) {
      diagnostics_.add(DiagnosticCode::NameWithSlash, name,
                       what + " name " + in_quotes(name.text()) +
                           " contains '/', which separates entity and component in handles",
                       "use another character, so that handles can refer to it");
    }
  }

  /// Setting parameters of an entity of another document is ordinary; adding components deserves a
  /// note.
  void report_merge(const GraphEntity& entity, const Value& name, const Value& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.at(i).is_map() && list.at(i).find("type") != nullptr) {
        diagnostics_
            .add(DiagnosticCode::EntityMerged, name,
                 "entity " + in_quotes(entity.name) +
                     " has several documents; their components are put together",
                 "give this one another name if it is meant to be a different entity")
            .related.push_back({entity.where, "the first document is here"});
        return;
      }
    }
  }

  void add_entry(GraphEntity& entity, const Value& entry) {
    if (!entry.is_map()) {
      diagnostics_.add(
          DiagnosticCode::ComponentNotMap, entry,
          "a component must be a map with 'type' and, if needed, 'name' and 'parameters'",
          "write '- type: the::Type'");
      return;
    }
    check_component_keys(entry, diagnostics_);
    const Value* name = entry.find("name");
    if (name != nullptr && !valid_component_name(*name)) {
      name = nullptr;
    }
    GraphComponent* component = find_or_add_component(entity, entry, name);
    const Value* parameters = entry.find("parameters");
    if (component != nullptr && parameters != nullptr) {
      set_parameters(*component, *parameters);
    }
  }

  bool valid_component_name(const Value& name) {
    if (!name.is_scalar()) {
      diagnostics_.add(DiagnosticCode::InvalidName, name, "a component's name must be text",
                       "leave the key out for a component without a name");
      return false;
    }
    warn_slash(name, "component");
    return true;
  }

  GraphComponent* find_or_add_component(GraphEntity& entity, const Value& entry,
                                        const Value* name) {
    const Value* type = entry.find("type");
    if (type == nullptr) {
      return find_component(entity, entry, name);
    }
    GraphComponent& component = graph_.add_component(entity.id);
    component.name = name == nullptr ? std::string{} : std::string(name->text());
    component.where = component.name.empty() ? entry.location() : inside(*name);
    component.type_location = inside(*type);
    component.type_name = type->text();
    if (!type->is_scalar() || type->text().empty()) {
      component.type_name = {};
      diagnostics_.add(DiagnosticCode::ComponentWithoutType, *type,
                       "'type' must be the name of a type");
    }
    return &component;
  }

  /// An entry without a type sets parameters of a component that exists already.
  GraphComponent* find_component(GraphEntity& entity, const Value& entry, const Value* name) {
    if (name == nullptr || name->text().empty()) {
      diagnostics_.add(DiagnosticCode::ComponentWithoutType, entry,
                       "component has neither 'type' nor 'name'", "add 'type:'");
      return nullptr;
    }
    const std::vector<ComponentId>& found = names_.find(entity, name->text());
    if (found.empty()) {
      report_no_component(entity, *name);
      return nullptr;
    }
    if (found.size() > 1) {
      report_ambiguous(entity, *name, graph_.components[found[0]], graph_.components[found[1]]);
      return nullptr;
    }
    return &graph_.components[found[0]];
  }

  void report_ambiguous(const GraphEntity& entity, const Value& name, const GraphComponent& first,
                        const GraphComponent& second) {
    Diagnostic& report = diagnostics_.add(
        DiagnosticCode::ComponentAmbiguous, name,
        "entity " + in_quotes(entity.name) + " has several components " + in_quotes(name.text()),
        "give them different names");
    report.related.push_back({first.where, "one is here"});
    report.related.push_back({second.where, "another is here"});
  }

  void report_no_component(const GraphEntity& entity, const Value& name) {
    std::string hint;
    if (entity.components.size() <= kMostToCompare) {
      std::vector<std::string_view> names;
      for (const ComponentId id : entity.components) {
        names.emplace_back(graph_.components[id].name);
      }
      hint = suggestion(name.text(), names);
    }
    if (hint.empty() && components_before_ == 0) {
      diagnostics_.add(DiagnosticCode::ComponentWithoutType, name,
                       "component " + in_quotes(name.text()) + " has no type", "add 'type:'");
      return;
    }
    diagnostics_.add(DiagnosticCode::ComponentNotFound, name,
                     "entity " + in_quotes(entity.name) + " has no component " +
                         in_quotes(name.text()) + " whose parameters could be set",
                     hint.empty() ? "add 'type:' to make a new component" : hint);
  }

  void set_parameters(GraphComponent& component, const Value& parameters) {
    if (!parameters.is_map()) {
      diagnostics_.add(
          DiagnosticCode::ParametersNotMap, parameters, "'parameters' must be a map",
          parameters.is_null() ? "leave the key out when there are none" : "write 'key: value'");
      return;
    }
    const std::size_t before = component.parameters.size();
    component.parameters.reserve(before + parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      set_parameter(component, before, parameters.key(i), parameters.value(i));
    }
  }

  void set_parameter(GraphComponent& component, std::size_t before, const Value& key,
                     const Value& value) {
    ParameterAssignment* const known = keys_.find(component, key.text());
    if (known == nullptr) {
      component.parameters.push_back({key.text(), key.location(), &value, nullptr, false, {}});
      return;
    }
    // A key twice in one map was reported by the parser; in another file it is the way to change a
    // parameter.
    const bool same_map = static_cast<std::size_t>(known - component.parameters.data()) >= before;
    if (!same_map && known->key_location.source == key.location().source) {
      report_twice(component, *known, key);
      if (diagnostics_.compat_gxf()) {
        return;
      }
    }
    known->value = &value;
    known->key_location = key.location();
  }

  void report_twice(const GraphComponent& component, const ParameterAssignment& first,
                    const Value& key) {
    diagnostics_
        .add(DiagnosticCode::ParameterTwice, key,
             "parameter " + in_quotes(key.text()) + " of " + called(graph_, component) +
                 " is set twice in one file; " +
                 (diagnostics_.compat_gxf() ? "the first value counts, as in GXF"
                                            : "GXF would silently keep the first value"),
             "remove one of the two")
        .related.push_back({first.key_location, "set first here"});
  }

  /// Suggestions for many mistakes in a large entity would take the square of its size.
  static constexpr std::size_t kMostToCompare = 1000;

  const Document& document_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  ComponentNames names_;
  ParameterKeys keys_;
  std::size_t components_before_ = 0;  // components that the entity had before this document
};

}  // namespace

void assemble(const Document& document, Diagnostics& diagnostics, Graph& graph) {
  Assembler(document, diagnostics, graph).run();
}

}  // namespace gxr
