#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "gxr/value.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Is it the parameter of a gxr::mpi::Placement, a map from ranks to names of entities?
[[nodiscard]] bool places_entities(const GraphComponent& component,
                                   const ParameterAssignment& assignment);

/// On which rank an entity is, and because of which words.
struct EntityPlace {
  /// The greater one counts more.
  enum class By : std::uint8_t { Nothing, Application, CommandLine };
  /// How sure the words are of the entity; the greater one counts more.
  enum class Match : std::uint8_t { None, Pattern, Subgraph, Name };

  By by = By::Nothing;
  Match match = Match::None;
  std::optional<std::uint32_t> rank;  ///< nothing: it is wrong, which was reported
  const Value* said = nullptr;        ///< the name of the entity, or the value of `rank`
  const Value* said_rank = nullptr;
  std::optional<std::uint32_t> else_rank;  ///< of the application, which the command line overrules
};

/// The places of all entities of a graph: by components gxr::mpi::Placement and `rank` of
/// documents, and by place files, which count more. `rank` counts like the name of its entity, or
/// of its subgraph.
class EntityPlaces {
 public:
  /// Reports a rank that there is not, and says whether there is.
  using IsThere = std::function<bool(std::uint32_t rank, const Value& value)>;

  /// All must outlive it.
  EntityPlaces(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);

  /// Does a component of the graph say which rank runs what?
  [[nodiscard]] GXR_INTERNAL_API static bool has_component(const Graph& graph);

  /// Reads what the application says. Reports wrong names and contradictions.
  void read_application();
  /// Reads a place file. Behind read_application().
  void read_file(const Value& root, const IsThere& is_there);

  [[nodiscard]] const EntityPlace& of(EntityId entity) const { return places_[entity]; }
  /// Has it something that runs on one rank, as a codelet or a queue?
  [[nodiscard]] bool works(EntityId entity) const { return works_[entity]; }

 private:
  /// One entry of a map, and how it was found.
  struct Entry {
    EntityPlace::By by = EntityPlace::By::Application;
    std::string_view prefix;  ///< of the names
    std::optional<std::uint32_t> rank;
    const Value* rank_value = nullptr;
  };

  void read_entry(const Entry& entry, const Value& names);
  void read_keys();
  void place(const Entry& entry, const Value& name);
  void place(EntityId entity, const Entry& entry, EntityPlace::Match match, const Value& said);
  [[nodiscard]] EntityPlace::Match match_of(std::string_view name, std::string_view prefix,
                                            const GraphEntity& entity) const;

  const Graph& graph_;
  Diagnostics& diagnostics_;
  Suggester suggester_;
  std::vector<bool> works_;
  std::vector<EntityPlace> places_;
};

}  // namespace gxr
