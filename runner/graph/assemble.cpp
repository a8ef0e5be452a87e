#include "graph/assemble.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/map_keys.hpp"
#include "graph/component_names.hpp"
#include "graph/deadline_rule.hpp"
#include "graph/document_keys.hpp"
#include "graph/entity_groups.hpp"
#include "graph/failure_rule.hpp"
#include "graph/interface_resolver.hpp"
#include "graph/lost_names.hpp"
#include "graph/rank_key.hpp"
#include "graph/short_form.hpp"
#include "graph/short_inputs.hpp"
#include "graph/start_order.hpp"
#include "graph/subgraph_files.hpp"
#include "graph/subgraphs.hpp"
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

/// A file being put into the graph: once for an app file, once for every inclusion of a subgraph's.
struct FileLoad {
  std::uint32_t number = 0;
  ScopeId scope = 0;
};

class Assembler {
 public:
  /// Without `short_form`, short documents only make entities and are noted in the graph. Problems
  /// of files that are read now go to `reading`.
  Assembler(Document& document, const AssembleOptions& options, ShortForm* short_form,
            Diagnostics& diagnostics, Diagnostics& reading, Graph& graph)
      : document_(document),
        short_form_(short_form),
        diagnostics_(diagnostics),
        graph_(graph),
        names_(graph),
        interfaces_(graph),
        subgraphs_(document, diagnostics, graph),
        files_(document, options.root, diagnostics, reading) {}

  void run() {
    add_made_entities();
    const std::span<const DocumentPart> parts = document_.parts();
    for (std::size_t begin = 0; begin < parts.size();) {
      std::size_t end = begin + 1;
      while (end < parts.size() && parts[end].source == parts[begin].source) {
        ++end;
      }
      files_.enter_application_file(parts[begin].source);
      add_file(parts.subspan(begin, end - begin), 0);
      begin = end;
    }
    note_unusable(document_.unusable(), graph_);
    subgraphs_.finish();
    const TypeCatalog no_types;
    Suggester suggester(graph_, no_types);
    interfaces_.finish(suggester, diagnostics_);
    connect_inputs(suggester);
    make_entity_groups(groups_, suggester, diagnostics_, graph_);
    inherit_ranks(graph_);
  }

 private:
  /// A document whose entity includes files, or a later one of such an entity; read when all other
  /// documents of its file have been.
  struct Deferred {
    const Value* list;
    std::string host;
  };

  /// The order is GXF's: entities, prerequisites, subgraphs, interfaces, groups.
  void add_file(std::span<const DocumentPart> parts, ScopeId scope) {
    const FileLoad file{++loads_, scope};
    std::vector<Deferred> deferred;
    if (note_lost_entities(parts, diagnostics_, graph_)) {
      subgraphs_.leave_open(scope);
    }
    for (const std::size_t index : start_order(parts, graph_, diagnostics_)) {
      add_document(*parts[index].root, file, deferred);
    }
    for (const DocumentPart& part : parts) {
      add_prerequisites(*part.root, scope);
    }
    for (const Deferred& document : deferred) {
      add_subgraph_document(document, file);
    }
    for (const DocumentPart& part : parts) {
      if (const Value* list = part.root->find("interfaces")) {
        subgraphs_.add_interfaces(*list, scope);
      }
      if (const Value* list = part.root->find("EntityGroups")) {
        groups_.push_back({list, scope});
      }
    }
  }

  void add_prerequisites(const Value& root, ScopeId scope) {
    for (std::size_t i = 0; i < root.size(); ++i) {
      if (root.key(i).text() == "prerequisites") {
        subgraphs_.add_prerequisites(root.key(i), root.value(i), scope);
      }
    }
  }

  void add_document(const Value& root, const FileLoad& file, std::vector<Deferred>& deferred) {
    if (root.find(kOperatorKey) != nullptr && !report_both_forms(root)) {
      add_short_document(root, file);
      return;
    }
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
    const Value* name = root.find("name");
    if (name != nullptr && !valid_entity_name(*name)) {
      name = nullptr;
    }
    std::string full_name = name == nullptr ? std::string{} : name_in(file.scope, *name);
    if (includes_files(full_name, *list)) {
      deferred.push_back({list, add_host(std::move(full_name), name, root)});
      return;
    }
    if (only_sets_interface(full_name, *list)) {
      if (std::ranges::find(deferred, full_name, &Deferred::host) != deferred.end()) {
        deferred.push_back({list, std::move(full_name)});  // what it shows is not known yet
        return;
      }
      for (std::size_t i = 0; i < list->size(); ++i) {
        set_through_interface(full_name, list->at(i), file, true);
      }
      return;
    }
    GraphEntity& entity = find_or_add_entity(std::move(full_name), name, root, *list, file.scope);
    entity.documents.push_back(root.location());
    read_failure_rule(root, diagnostics_, entity);
    read_deadline_rule(root, diagnostics_, entity);
    set_rank(root, entity.rank);
    components_before_ = entity.components.size();
    for (std::size_t i = 0; i < list->size(); ++i) {
      add_entry(entity, list->at(i), file);
    }
  }

  // --- the short form --------------------------------------------------------------------------

  /// Does the document have components, too? Then they count, as in GXF.
  bool report_both_forms(const Value& root) {
    if (root.find("components") == nullptr) {
      return false;
    }
    const Value* first = nullptr;
    for (std::size_t i = 0; i < root.size(); ++i) {
      const Value& key = root.key(i);
      if (key.text() != kOperatorKey && key.text() != "components") {
        continue;
      }
      if (first != nullptr) {
        diagnostics_
            .add(DiagnosticCode::OperatorAndComponents, key,
                 "this document has both 'operator' and 'components'",
                 "write 'operator' and, for more components, 'terms'; or all of it below "
                 "'components'")
            .related.push_back({first->location(), in_quotes(first->text()) + " is here"});
        return true;
      }
      first = &key;
    }
    return true;
  }

  void add_short_document(const Value& root, const FileLoad& file) {
    check_short_keys(root, diagnostics_);
    const Value* name = root.find("name");
    if (name != nullptr && !valid_entity_name(*name)) {
      name = nullptr;
    }
    std::string full_name = name == nullptr ? std::string{} : name_in(file.scope, *name);
    if (short_form_ == nullptr) {
      graph_.short_documents.push_back({&root, file.scope, full_name});
      find_or_add_entity(std::move(full_name), name, root, kNothing, file.scope);
      return;
    }
    ShortComponents made = short_form_->components(root, full_name, diagnostics_);
    GraphEntity& entity = find_or_add_entity(
        std::move(full_name), name, root, made.list == nullptr ? kNothing : *made.list, file.scope);
    entity.documents.push_back(root.location());
    read_failure_rule(root, diagnostics_, entity);
    read_deadline_rule(root, diagnostics_, entity);
    set_rank(root, entity.rank);
    components_before_ = entity.components.size();
    if (!made.complete) {
      graph_.lost_components[entity.id].nameless = true;
    }
    for (std::size_t i = 0; made.list != nullptr && i < made.list->size(); ++i) {
      const std::size_t before = graph_.components.size();
      add_entry(entity, made.list->at(i), file);
      if (graph_.components.size() > before) {
        graph_.components.back().written = made.lengths[i];
      }
    }
    inputs_.push_back({entity.id, file.scope, std::move(made.inputs)});
  }

  void add_made_entities() {
    std::vector<Deferred> none;
    for (std::size_t i = 0; short_form_ != nullptr && i < short_form_->entities().size(); ++i) {
      add_document(*short_form_->entities()[i], {++loads_, 0}, none);
    }
    graph_.makes_scheduler = short_form_ != nullptr && short_form_->makes_scheduler();
  }

  /// All entities are there, so what inputs name can be found.
  void connect_inputs(Suggester& suggester) {
    if (short_form_ == nullptr) {
      return;
    }
    for (const std::string& name : short_form_->taken()) {
      if (const GraphEntity* const entity = std::as_const(graph_).find_entity(name)) {
        graph_.lost_components[entity->id].nameless = true;  // what it should have
      }
    }
    ShortInputs sources(*short_form_, interfaces_, suggester, diagnostics_, graph_);
    for (const InputsOfEntity& of_entity : inputs_) {
      const FileLoad file{++loads_, of_entity.scope};
      for (const ShortComponents::Input& input : of_entity.inputs) {
        const auto [entry, complete] =
            sources.connection(input, graph_.entities[of_entity.entity], of_entity.scope);
        add_entry(connections_of(graph_.entities[of_entity.entity]), entry, file);
        graph_.components.back().written =
            underline_length(input.source == nullptr ? *input.port : *input.source);
        graph_.components.back().flawed = !complete;
      }
    }
  }

  /// An entity of their own, because one with a connection is activated before others. Only the
  /// consumer itself can name its queues if it has no name.
  GraphEntity& connections_of(GraphEntity& consumer) {
    if (!consumer.named) {
      return consumer;
    }
    const auto known = graph_.entity_index.find(kShortConnections);
    return known != graph_.entity_index.end()
               ? graph_.entities[known->second]
               : graph_.add_entity(std::string(kShortConnections), Location{});
  }

  [[nodiscard]] std::string name_in(ScopeId scope, const Value& name) const {
    return graph_.scopes[scope].prefix + std::string(name.text());
  }

  GraphEntity& find_or_add_entity(std::string full_name, const Value* name, const Value& root,
                                  const Value& list, ScopeId scope) {
    if (const auto known = graph_.entity_index.find(full_name);
        name != nullptr && known != graph_.entity_index.end()) {
      GraphEntity& entity = graph_.entities[known->second];
      report_merge(entity, *name, list);
      return entity;
    }
    GraphEntity& entity = name == nullptr
                              ? graph_.add_entity({}, root.location())
                              : graph_.add_entity(std::move(full_name), name->location());
    entity.scope = scope;
    return entity;
  }

  // --- subgraphs -------------------------------------------------------------------------------

  bool includes_files(const std::string& full_name, const Value& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& entry = list.at(i);
      if (is_subgraph_entry(entry) || subgraphs_.find(full_name, entry) != nullptr) {
        return true;
      }
    }
    return false;
  }

  /// Only sets parameters of components that the entity shows.
  [[nodiscard]] bool only_sets_interface(const std::string& full_name, const Value& list) const {
    const Graph& graph = graph_;
    if (full_name.empty() || graph.find_interface(full_name) == nullptr ||
        graph.find_entity(full_name) != nullptr) {
      return false;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list.at(i).is_map() || list.at(i).find("type") != nullptr) {
        return false;
      }
    }
    return true;
  }

  std::string add_host(std::string full_name, const Value* name, const Value& root) {
    if (full_name.empty()) {
      full_name = "__subgraph_" + std::to_string(graph_.interfaces.size());
      diagnostics_.add(DiagnosticCode::InvalidName, root.location(), 1,
                       "an entity that includes a subgraph needs a name",
                       "the names of the subgraph's entities begin with it");
    }
    EntityInterface& host =
        graph_.add_interface(full_name, name == nullptr ? root.location() : name->location());
    set_rank(root, host.rank);
    return full_name;
  }

  /// Later documents win.
  void set_rank(const Value& root, std::optional<RankKey>& rank) {
    if (const std::optional<RankKey> found = read_rank_key(root, diagnostics_)) {
      rank = found;
    }
  }

  void add_subgraph_document(const Deferred& document, const FileLoad& file) {
    bool loaded = true;
    for (std::size_t i = 0; i < document.list->size(); ++i) {
      const Value& entry = document.list->at(i);
      SubgraphEntry* subgraph = is_subgraph_entry(entry) ? &subgraphs_.add(document.host, entry)
                                                         : subgraphs_.find(document.host, entry);
      if (subgraph != nullptr) {
        check_component_keys(entry, diagnostics_);
        subgraphs_.read_parameters(*subgraph, entry, file.scope);
        loaded = load(*subgraph) && loaded;
      }
    }
    for (std::size_t i = 0; i < document.list->size(); ++i) {
      const Value& entry = document.list->at(i);
      if (!is_subgraph_entry(entry) && subgraphs_.find(document.host, entry) == nullptr) {
        set_through_interface(document.host, entry, file, loaded);
      }
    }
  }

  /// False when something is missing that was or will be reported.
  bool load(SubgraphEntry& subgraph) {
    const Value* location = subgraph.loaded ? nullptr : subgraphs_.location_of(subgraph);
    if (location == nullptr) {
      return subgraph.loaded;
    }
    subgraph.loaded = true;
    const ScopeId scope = subgraphs_.open_scope(subgraph, *location);
    bool complete = true;
    for (const SubgraphLocation& item : read_subgraph_locations(*location, diagnostics_)) {
      const IncludedFile* file = files_.enter(item);
      complete = complete && file != nullptr;
      if (file != nullptr) {
        add_file(file->parts, scope);
        files_.leave();
      }
    }
    if (!complete) {
      graph_.add_interface(subgraph.host, subgraph.type_location).complete = false;
    }
    return complete;
  }

  /// An entry beside a Subgraph component, or in another document of such an entity.
  void set_through_interface(const std::string& host, const Value& entry, const FileLoad& file,
                             bool complete) {
    const Value* name = entry.is_map() ? entry.find("name") : nullptr;
    const Value* type = entry.is_map() ? entry.find("type") : nullptr;
    if (type != nullptr) {
      diagnostics_.add(DiagnosticCode::SubgraphDocument, *type,
                       "a component of type " + in_quotes(type->text()) +
                           " stands beside a subgraph in entity " + in_quotes(host),
                       diagnostics_.compat_gxf()
                           ? "it is left out, as in GXF; put it into a document of its own"
                           : "put it into a document of its own");
      return;
    }
    if (name == nullptr || name->text().empty()) {
      diagnostics_.add(DiagnosticCode::ComponentWithoutType, entry,
                       "component has neither 'type' nor 'name'", "add 'type:'");
      return;
    }
    check_component_keys(entry, diagnostics_);
    const ComponentId id = find_shown(host, name->text());
    if (id != kNone) {
      set_entry_parameters(graph_.components[id], entry, file);
    } else if (complete) {
      report_not_shown(host, *name);
    }
  }

  ComponentId find_shown(const std::string& host, std::string_view name) {
    const Graph& graph = graph_;
    if (const GraphEntity* entity = graph.find_entity(host)) {
      const std::vector<ComponentId>& found = names_.find(*entity, name);
      if (!found.empty()) {
        return found.front();
      }
    }
    return interfaces_.find(host, name);
  }

  void report_not_shown(const std::string& host, const Value& name) {
    const EntityInterface* interface = graph_.find_interface(host);
    if (interface == nullptr || !interface->complete) {
      return;
    }
    std::vector<std::string_view> shown;
    for (const InterfaceName& other : interface->names) {
      shown.emplace_back(other.name);
    }
    const std::string hint = suggestion(name.text(), shown);
    diagnostics_.add(DiagnosticCode::ComponentNotFound, name,
                     "subgraph " + in_quotes(host) + " shows no component " +
                         in_quotes(name.text()) + " whose parameters could be set",
                     hint.empty() ? Suggester::has(shown) : hint);
  }

  // --- entities and components -----------------------------------------------------------------

  bool valid_entity_name(const Value& name) {
    if (!name.is_scalar() || name.text().empty()) {
      Diagnostic& report =
          diagnostics_.add(DiagnosticCode::InvalidName, name, "an entity's name must be text",
                           "leave the key out for an entity without a name");
      if (name.is_scalar() || name.is_null()) {
        diagnostics_.tolerate(report);  // GXF takes no text for no name
      }
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
  /// note, and making a component again is a name used twice. Whatever else is wrong with the
  /// entity then follows from that.
  void report_merge(GraphEntity& entity, const Value& name, const Value& list) {
    bool adds = false;
    const Value* again = nullptr;
    for (std::size_t i = 0; i < list.size() && again == nullptr; ++i) {
      const Value& entry = list.at(i);
      const bool makes = entry.is_map() && entry.find("type") != nullptr;
      const Value* component = makes ? entry.find("name") : nullptr;
      adds = adds || makes;
      if (component != nullptr && component->is_scalar() && !component->text().empty() &&
          !names_.find(entity, component->text()).empty()) {
        again = component;
      }
    }
    if (again != nullptr) {
      report_made_twice(entity, name, *again);
    } else if (adds) {
      diagnostics_
          .add(DiagnosticCode::EntityMerged, name,
               "entity " + in_quotes(entity.name) +
                   " has several documents; their components are put together",
               "give this one another name if it is meant to be a different entity")
          .related.push_back({entity.where, "the first document is here"});
    }
  }

  void report_made_twice(GraphEntity& entity, const Value& name, const Value& again) {
    Diagnostic& report = diagnostics_.add(DiagnosticCode::EntityMerged, name,
                                          "two documents make an entity " + in_quotes(entity.name) +
                                              ": both have a component " + in_quotes(again.text()),
                                          "give one of them another name");
    report.related.push_back({entity.where, "the first document is here"});
    if (!diagnostics_.compat_gxf()) {
      diagnostics_.insist(report);  // GXF puts them together
      entity.made_twice = graph_.entity_made_twice = true;
    }
  }

  void add_entry(GraphEntity& entity, const Value& entry, const FileLoad& file) {
    if (!entry.is_map()) {
      diagnostics_.add(
          DiagnosticCode::ComponentNotMap, entry,
          "a component must be a map with 'type' and, if needed, 'name' and 'parameters'",
          "write '- type: the::Type'");
      note_lost_component(entry, entity, graph_);
      return;
    }
    const std::size_t errors_before = diagnostics_.errors();
    check_component_keys(entry, diagnostics_);
    const bool wrong_keys = diagnostics_.errors() != errors_before;
    const Value* name = entry.find("name");
    if (name != nullptr && !valid_component_name(*name)) {
      name = nullptr;
    }
    GraphComponent* component = find_or_add_component(entity, entry, name, wrong_keys);
    const bool doubled = !diagnostics_.compat_gxf() && has_duplicate_key(entry);
    if (diagnostics_.errors() != errors_before || doubled) {
      note_lost_component(entry, entity, graph_);
    }
    if (component != nullptr) {
      component->flawed = component->flawed || wrong_keys || doubled;
      set_entry_parameters(*component, entry, file);
    }
  }

  void set_entry_parameters(GraphComponent& component, const Value& entry, const FileLoad& file) {
    entered_.resize(graph_.components.size());
    const bool again = std::exchange(entered_[component.id], file.number) == file.number;
    if (const Value* parameters = entry.find("parameters")) {
      set_parameters(component, *parameters, file.scope, again);
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

  /// `wrong_keys`: one of its keys is wrong, so it may well be meant to be 'type'.
  GraphComponent* find_or_add_component(GraphEntity& entity, const Value& entry, const Value* name,
                                        bool wrong_keys) {
    const Value* type = entry.find("type");
    if (type == nullptr) {
      return wrong_keys ? nullptr : find_component(entity, entry, name);
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
      if (const ComponentId shown = interfaces_.find(entity.name, name->text()); shown != kNone) {
        return &graph_.components[shown];
      }
      if (!graph_.has_lost_component(entity, name->text())) {
        report_no_component(entity, *name);
      }
      return nullptr;
    }
    if (found.size() > 1) {
      if (!entity.made_twice) {
        report_ambiguous(entity, *name, graph_.components[found[0]], graph_.components[found[1]]);
      }
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
    diagnostics_.insist(report);  // only for handles GXF takes the first
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

  [[nodiscard]] bool is_reported(const Value& parameters) const {
    return std::ranges::any_of(diagnostics_.all(), [&](const Diagnostic& known) {
      return known.code == DiagnosticCode::ParametersNotMap && known.where == parameters.location();
    });
  }

  /// `again`: this file has an entry for the component already.
  void set_parameters(GraphComponent& component, const Value& parameters, ScopeId scope,
                      bool again) {
    if (!parameters.is_map()) {
      component.flawed = true;
      if (is_reported(parameters)) {
        return;  // with the keys that belong below it
      }
      diagnostics_.add(
          DiagnosticCode::ParametersNotMap, parameters, "'parameters' must be a map",
          parameters.is_null() ? "leave the key out when there are none" : "write 'key: value'");
      return;
    }
    component.parameters.reserve(component.parameters.size() + parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Value& key = parameters.key(i);
      if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
        diagnostics_.add(DiagnosticCode::UnknownParameter, key, flaw);
        continue;
      }
      ParameterAssignment* const known = keys_.find(component, key.text());
      if (again) {
        report_twice(component, known, key);
        if (diagnostics_.compat_gxf()) {
          continue;
        }
      }
      ParameterAssignment& assignment =
          known != nullptr ? *known : component.parameters.emplace_back();
      const Value& value = parameters.value(i);
      const bool of_application = short_form_ != nullptr && short_form_->is_of_application(value);
      assignment = {key.text(),
                    key.location(),
                    &value,
                    nullptr,
                    false,
                    {},
                    of_application ? ScopeId{0} : scope};
    }
  }

  /// GXF reads one entry for each component and file.
  void report_twice(const GraphComponent& component, const ParameterAssignment* first,
                    const Value& key) {
    const bool compat = diagnostics_.compat_gxf();
    const bool same_file = first != nullptr && first->key_location.source == key.location().source;
    std::string text = "parameter " + in_quotes(key.text()) + " of " + called(graph_, component);
    if (same_file) {
      text += std::string(" is set twice in one file; ") +
              (compat ? "the first value counts, as in GXF"
                      : "GXF would silently keep the first value");
    } else {
      text += std::string(" is set in a second entry of this file; ") +
              (compat ? "it is passed over, as in GXF" : "GXF would silently pass it over");
    }
    Diagnostic& report =
        diagnostics_.add(DiagnosticCode::ParameterTwice, key, text,
                         same_file ? "remove one of the two" : "write it into the first entry");
    report.related.push_back(same_file ? RelatedPlace{first->key_location, "set first here"}
                                       : RelatedPlace{component.where, "the component is here"});
  }

  /// Suggestions for many mistakes in a large entity would take the square of its size.
  static constexpr std::size_t kMostToCompare = 1000;

  /// Inputs of a short document; connected when all entities are there.
  struct InputsOfEntity {
    EntityId entity;
    ScopeId scope;
    std::vector<ShortComponents::Input> inputs;
  };

  inline static const Value kNothing;

  Document& document_;
  ShortForm* short_form_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  ComponentNames names_;
  ParameterKeys keys_;
  InterfaceResolver interfaces_;
  Subgraphs subgraphs_;
  SubgraphFiles files_;
  std::vector<GroupList> groups_;
  std::vector<InputsOfEntity> inputs_;
  std::uint32_t loads_ = 0;
  std::vector<std::uint32_t> entered_;  // by ComponentId: the last load with an entry for it
  std::size_t components_before_ = 0;   // components that the entity had before this document
};

bool is_gap(const Diagnostic& diagnostic) {
  switch (diagnostic.code) {
    case DiagnosticCode::FileNotFound:
    case DiagnosticCode::FileUnreadable:
    case DiagnosticCode::OverrideSyntax:
      return diagnostic.severity == Severity::Error;
    case DiagnosticCode::YamlSyntax:
    case DiagnosticCode::TooManyAliasNodes:
    case DiagnosticCode::SubgraphRecursion:
    case DiagnosticCode::SubgraphsTooLarge:
    case DiagnosticCode::LaunchSyntax:
    case DiagnosticCode::LaunchName:
    case DiagnosticCode::LaunchLink:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool has_gaps(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(), is_gap);
}

void assemble(Document& document, const AssembleOptions& options,
              const std::function<const TypeCatalog&()>& find_types, Diagnostics& diagnostics,
              Graph& graph) {
  Diagnostics first(diagnostics.compat_gxf());
  Assembler(document, options, nullptr, first, diagnostics, graph).run();
  if (graph.short_documents.empty()) {
    diagnostics.add_all(first, [](const Diagnostic&) { return true; });
    return;
  }
  if (has_gaps(first)) {
    // Components of short documents are missing as well, so other problems may be none.
    diagnostics.add_all(first, is_gap);
    return;
  }
  const Graph draft = std::move(graph);
  graph = {};
  ShortForm form(document, find_types(), draft, diagnostics);
  Assembler(document, options, &form, diagnostics, diagnostics, graph).run();
}

}  // namespace gxr
