#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/source.hpp"
#include "graph/component_names.hpp"
#include "graph/graph.hpp"
#include "graph/roles.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Finds the component that a handle's text names, by the rules of GXF: "component" in the owner's
/// entity, "entity/component" split at the first '/', "<Unspecified>" for none; the first component
/// of that name whose type fits, else the one that the entity shows by that name. Inside of a
/// subgraph its own entities come before those of the whole application.
///
/// Where no component has the name, a port of the program (Source::Kind::ProgramPort) also means
/// the queue that a codelet's parameter of that name refers to, or a queue without a name by its
/// type, as `gxr graph` prints it. For that, the handles of that entity have to be resolved.
class HandleResolver {
 public:
  HandleResolver(const Graph& graph, const TypeCatalog& catalog, const SourceMap& sources,
                 Suggester& suggester)
      : graph_(graph),
        catalog_(catalog),
        sources_(sources),
        suggester_(suggester),
        names_(graph),
        roles_(catalog) {}

  /// kNone for "<Unspecified>". Nothing when there is no such component, which is reported here or
  /// follows from what was reported before. `parameter` holds the handle, `type` is the base type
  /// that it asks for.
  std::optional<ComponentId> resolve(const GraphComponent& owner,
                                     const ParameterAssignment& parameter, const std::string& type,
                                     const Value& value, Diagnostics& diagnostics);

 private:
  struct Request {
    const GraphComponent& owner;
    std::string_view key;
    const std::string& type;
    const Value& value;
    Diagnostics& diagnostics;
    std::string_view entity_text;  // empty: the owner's entity
    std::string_view component_text;
    const std::string& prefix;  // of the names of entities where the handle is written
    bool is_program_port = false;
  };
  /// What an entity has that a program may call a port.
  struct Ports {
    std::vector<ComponentId> queues;      // of that name, each once
    std::vector<std::string_view> names;  // of all ports that fit
    bool is_declared = false;             // a codelet has that port
    bool complete = true;                 // false: an error was reported, and queues may be missing
  };
  /// What a name of an entity stands for: components of its own, names of others, or both.
  struct Target {
    const GraphEntity* entity = nullptr;
    const EntityInterface* interface = nullptr;
    [[nodiscard]] bool found() const noexcept { return entity != nullptr || interface != nullptr; }
  };

  [[nodiscard]] Target target_called(const std::string& name) const;
  Target find_target(const Request& request);
  void report_no_entity(const Request& request);
  std::optional<ComponentId> find_component(const Request& request, const Target& target);
  ComponentId find_own(const Request& request, const GraphEntity& entity,
                       const std::vector<ComponentId>& named);
  Ports find_ports(const Request& request, const GraphEntity& entity);
  std::optional<ComponentId> find_port(const Request& request, const GraphEntity& entity);
  void report_no_port(const Request& request, const GraphEntity& entity, const Ports& ports);
  bool fits(const GraphComponent& component, const std::string& type);
  void report_missing(const Request& request, const Target& target);
  void report_no_output(const Request& request, const GraphEntity& entity);
  [[nodiscard]] static bool is_named_already(const Request& request, std::string_view name);
  std::string suggest_fitting(const Request& request, const GraphEntity& entity);
  std::string hint_for_missing(const Request& request, const Target& target);
  [[nodiscard]] std::string hint_for_new(const Request& request);
  void report_type(const Request& request, const GraphComponent& found);
  void report_ambiguous(const Request& request, const GraphComponent& first,
                        const GraphComponent& second);
  bool report_twins(const Request& request, const GraphEntity& entity);
  void report_twins(const Request& request, const GraphComponent& first,
                    const GraphComponent& second);
  [[nodiscard]] bool is_input(const Request& request) const;
  [[nodiscard]] bool is_connection(const GraphComponent& component) const;

  const Graph& graph_;
  const TypeCatalog& catalog_;
  const SourceMap& sources_;
  Suggester& suggester_;
  ComponentNames names_;
  Roles roles_;
  std::unordered_set<EntityId> with_twins_;  // entities of which that was reported
  std::unordered_set<EntityId> searched_for_twins_;
  // Does a type fit a handle? By the handle's type text, which lives in the catalog.
  std::unordered_map<const std::string*, std::unordered_map<const TypeInfo*, bool>> fits_;
};

}  // namespace gxr
