#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

/// A component that stands for the entities of other files, as far as its entries have told.
struct SubgraphEntry {
  std::string host;  ///< full name of its entity
  std::string name;
  std::string_view type_name;
  Location type_location;
  const Value* location = nullptr;
  const Value* prerequisites = nullptr;
  ScopeId scope = 0;  ///< whose names of entities `prerequisites` uses
  bool loaded = false;
};

/// True for the entry of a component of type Subgraph.
bool is_subgraph_entry(const Value& entry);
/// Is this the type of a component that includes a subgraph?
inline bool is_subgraph_type(std::string_view type) noexcept {
  return type == "gxr::Subgraph" || type == "nvidia::gxf::Subgraph";
}

/// The Subgraph components of an application: their entries, and the names that their files ask for
/// and give.
class Subgraphs {
 public:
  Subgraphs(Document& document, Diagnostics& diagnostics, Graph& graph)
      : document_(document), diagnostics_(diagnostics), graph_(graph) {}

  SubgraphEntry& add(const std::string& host, const Value& entry);
  /// The one that an entry without a type means; nullptr when there is none.
  SubgraphEntry* find(std::string_view host, const Value& entry);
  /// Takes location and prerequisites from an entry in `scope`.
  void read_parameters(SubgraphEntry& subgraph, const Value& entry, ScopeId scope);
  /// Where to load it from, whoever said so; nullptr as long as nobody has.
  const Value* location_of(const SubgraphEntry& subgraph);
  /// Makes the scope of the subgraph's files.
  ScopeId open_scope(const SubgraphEntry& subgraph, const Value& location);
  /// A `prerequisites` document of a file in `scope`: what the includer hands in becomes an
  /// interface.
  void add_prerequisites(const Value& key, const Value& declared, ScopeId scope);
  /// An `interfaces` document of a file in `scope`.
  void add_interfaces(const Value& list, ScopeId scope);
  /// A mistake that was reported leaves open what the files of the scope show: nothing that is
  /// missing in the interface is a mistake of its own.
  void leave_open(ScopeId scope);
  /// Reports those that were never loaded.
  void finish();

 private:
  const Value* override_of(const SubgraphEntry& subgraph, std::string_view key);
  void set_location(SubgraphEntry& subgraph, const Value& key, const Value& value);
  void pass_in(const SubgraphEntry& subgraph, EntityInterface& interface);
  void check_declared(const Value& declared, const EntityInterface& interface,
                      const SubgraphEntry* subgraph);
  void add_interface(const Value& item, ScopeId scope);

  Document& document_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  std::deque<SubgraphEntry> subgraphs_;
  std::vector<const SubgraphEntry*> of_scope_{nullptr};  // by ScopeId
};

}  // namespace gxr
