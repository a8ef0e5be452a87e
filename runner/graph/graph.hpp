#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "document/document.hpp"
#include "gxr/type_info.hpp"
#include "gxr/value.hpp"
#include "internal_api.hpp"

namespace gxr {

using EntityId = std::uint32_t;
using ComponentId = std::uint32_t;
using ScopeId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// A handle inside a parameter's value, resolved.
struct HandleReference {
  const Value* value = nullptr;  ///< the scalar that names it
  ComponentId target = kNone;    ///< kNone for <Unspecified>
};

/// The value that a parameter got from the files or from an override. Defaults are not listed: the
/// component sets them.
struct ParameterAssignment {
  std::string_view key;  ///< text of key_value, or of the override
  Location key_location;
  const Value* value = nullptr;
  const ParameterInfo* info = nullptr;   ///< null for a parameter that the type does not have
  bool overridden = false;               ///< value comes from --param or a parameter file
  std::vector<HandleReference> handles;  ///< all handles in `value`, in reading order
  ScopeId scope = 0;                     ///< whose names of entities `value` uses
};

struct GraphComponent {
  ComponentId id = kNone;
  EntityId entity = kNone;
  std::string name;                ///< may be empty
  std::string_view type_name;      ///< as written
  Location where;                  ///< of its name, or of its entry when it has none
  Location type_location;          ///< of the value of `type:`
  const TypeInfo* type = nullptr;  ///< null when unknown (an error was reported)
  std::vector<ParameterAssignment> parameters;
  bool flawed = false;  ///< an error was reported about it, so what it does is not known
  /// Characters at `where` and `type_location` that stand for it, if the short form made it; else
  /// 0.
  std::uint32_t written = 0;

  /// What its type declares of that kind, or nullptr.
  [[nodiscard]] const Capability* capability(Capability::Kind kind) const noexcept {
    return type == nullptr ? nullptr : type->find(kind);
  }

  [[nodiscard]] const ParameterAssignment* find(std::string_view key) const noexcept;
  /// Target of handle parameter `key`, or kNone.
  [[nodiscard]] ComponentId handle(std::string_view key) const noexcept;
};

/// `on_failure: {restart: …}`: a codelet whose tick fails is made anew, so often in a window.
struct RestartRule {
  std::uint64_t limit = 3;
  std::int64_t window_ns = 60'000'000'000;
  std::int64_t delay_ns = 0;  ///< before it is made anew
};

/// `deadline: {…}`: how long ticks of an entity may take, and how old the data may be that it
/// takes. What is longer or older is counted.
struct DeadlineRule {
  struct Age {
    const Value* key = nullptr;  ///< names the source; null: data of any source
    EntityId source = kNone;     ///< once found
    std::int64_t limit_ns = 0;
    std::string elsewhere{};  ///< the source's name when it is on another rank
  };
  std::optional<std::int64_t> tick_ns;
  std::vector<Age> ages;
  bool fails = false;  ///< the tick counts as failed, too
};

/// `rank: 1`: on which process an entity runs when several run the application together.
struct RankKey {
  std::uint32_t rank = 0;
  const Value* value = nullptr;  ///< what says so
  bool of_subgraph = false;      ///< it is of a document that includes the entity's subgraph
};

struct GraphEntity {
  EntityId id = kNone;
  std::string name;  ///< "__entity_<n>" when it had none
  bool named = false;
  Location where;                       ///< of the first document's name, or of the document
  std::vector<ComponentId> components;  ///< in order
  ScopeId scope = 0;                    ///< of the file with its first document
  std::uint32_t group = 0;              ///< index in Graph::groups
  std::vector<Location> documents;      ///< where the documents begin that describe it
  bool flawed = false;                  ///< an error was reported in one of them
  bool made_twice = false;  ///< several of them make components of one name; this was reported
  std::optional<RestartRule> restart = {};
  const Value* on_failure = nullptr;  ///< what says `restart`
  std::optional<DeadlineRule> deadline = {};
  std::optional<RankKey> rank = {};  ///< its own, or that of what includes its subgraph
};

/// What entries of an entity do not make because of an error that was reported.
struct LostComponents {
  std::unordered_set<std::string_view> names;
  bool nameless = false;  ///< also a component whose name is not known
};

/// A document with `operator` instead of `components`.
struct ShortDocument {
  const Value* root = nullptr;
  ScopeId scope = 0;
  std::string entity;  ///< full name; may be empty
};

/// Where names of entities are valid: the application's own files (number 0), or the files of one
/// subgraph, whose entities all get its prefix.
struct Scope {
  std::string prefix;          ///< "camera.left."
  Location included_at;        ///< what names the files
  std::uint32_t host = kNone;  ///< the including entity, an index in Graph::interfaces
};

/// A name by which an entity shows a component of another one.
struct InterfaceName {
  std::string name;
  const Value* target = nullptr;  ///< "entity/component"
  ScopeId scope = 0;              ///< whose names of entities `target` uses
  ComponentId component = kNone;  ///< once found
};

/// An entity that is only names: one that includes a subgraph shows what the subgraph exports, and
/// `prerequisites` inside of a subgraph what its includer hands in. Nothing runs in it.
struct EntityInterface {
  std::string entity;
  Location where;
  std::vector<InterfaceName> names;
  bool complete = true;  ///< false when a file of names could not be read, which was reported
  std::optional<RankKey> rank = {};  ///< of the entities of the subgraph

  [[nodiscard]] const InterfaceName* find(std::string_view name) const noexcept;
};

/// A way from a transmitter to a receiver.
struct Link {
  ComponentId transmitter = kNone;
  ComponentId receiver = kNone;
  ComponentId connection = kNone;  ///< the Connection or Topic that declares it
  bool duplicate = false;          ///< the same link was declared before; counts once
  bool delayed = false;            ///< passes on what was sent the time before
};

/// GXF's EntityGroups: entities that share resources. Every entity is in exactly one group.
struct EntityGroup {
  std::string name;
  std::vector<EntityId> members;
  std::vector<ComponentId> resources;  ///< components of its members derived from ResourceBase
};
inline constexpr std::string_view kDefaultGroup = "default_entity_group";

/// What an application means: entities, typed components, checked parameters, resolved handles,
/// links. Immutable once resolve() has returned it without errors. Refers to the Document and the
/// TypeCatalog it was made from.
struct Graph {
  Graph() = default;
  Graph(Graph&&) noexcept = default;
  Graph& operator=(Graph&&) noexcept = default;
  ~Graph() = default;

  std::deque<GraphEntity> entities;       ///< index = EntityId, in order of creation
  std::deque<GraphComponent> components;  ///< index = ComponentId, in order of creation
  std::vector<Link> links;
  std::vector<EntityGroup> groups;         ///< the first has the entities that no list names
  std::vector<Scope> scopes{Scope{}};      ///< index = ScopeId
  std::deque<EntityInterface> interfaces;  ///< in order of creation
  std::unordered_map<std::string_view, EntityId> entity_index;  ///< by name; add_entity keeps it
  std::unordered_set<std::string_view> lost_entities;  ///< names in documents that made no entity
  bool lost_nameless = false;      ///< so did a document whose name is not known
  bool lost_unnamed = false;       ///< so did one that has no name
  bool entity_made_twice = false;  ///< some GraphEntity::made_twice
  std::unordered_map<EntityId, LostComponents> lost_components;
  std::vector<ShortDocument> short_documents;  ///< in order
  std::uint32_t rank_of_host = 0;  ///< number of the rank that runs it, among those of its host
  bool makes_scheduler = false;    ///< by the short form: no document has a scheduler

  /// Was an entity of this name, written with or without the prefix of its subgraph, lost to an
  /// error that was reported? Then what refers to it is right.
  [[nodiscard]] bool has_lost_entity(std::string_view name) const;
  /// The same for a component. Then a handle to it is right.
  [[nodiscard]] bool has_lost_component(const GraphEntity& entity, std::string_view name) const;
  /// Did an error that was reported keep a document or an entry from making anything?
  [[nodiscard]] bool has_gaps() const noexcept;

  /// Another one that refers to the same document and types.
  [[nodiscard]] Graph copy() const;
  /// Appends an entity; an empty name gives "__entity_<id>". Precondition: no entity has this name.
  GraphEntity& add_entity(std::string name, Location where);
  /// Appends a component to an entity.
  GraphComponent& add_component(EntityId entity);
  [[nodiscard]] GXR_INTERNAL_API const GraphEntity* find_entity(std::string_view name) const;
  [[nodiscard]] GXR_INTERNAL_API const EntityInterface* find_interface(
      std::string_view entity) const;
  [[nodiscard]] EntityInterface* find_interface(std::string_view entity);
  /// The interface of this name, made if there is none.
  EntityInterface& add_interface(const std::string& entity, Location where);
  [[nodiscard]] const GraphEntity& entity_of(const GraphComponent& c) const {
    return entities[c.entity];
  }
  /// "entity/component", or "entity/type" when the component has no name.
  [[nodiscard]] GXR_INTERNAL_API std::string full_name(const GraphComponent& component) const;

 private:
  std::unordered_map<std::string_view, std::uint32_t> interface_index_;
};

}  // namespace gxr
