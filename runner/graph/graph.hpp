#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/document.hpp"
#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

using EntityId = std::uint32_t;
using ComponentId = std::uint32_t;
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

  [[nodiscard]] const ParameterAssignment* find(std::string_view key) const noexcept;
  /// Target of handle parameter `key`, or kNone.
  [[nodiscard]] ComponentId handle(std::string_view key) const noexcept;
};

struct GraphEntity {
  EntityId id = kNone;
  std::string name;  ///< "__entity_<n>" when it had none
  bool named = false;
  Location where;                       ///< of the first document's name, or of the document
  std::vector<ComponentId> components;  ///< in order
};

/// A way from a transmitter to a receiver.
struct Link {
  ComponentId transmitter = kNone;
  ComponentId receiver = kNone;
  ComponentId connection = kNone;  ///< the Connection or Topic that declares it
  bool duplicate = false;          ///< the same link was declared before; counts once
};

/// GXF's EntityGroups.
struct EntityGroup {
  std::string name;
  std::vector<EntityId> members;
};

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
  std::vector<EntityGroup> groups;
  std::unordered_map<std::string_view, EntityId> entity_index;  ///< by name; add_entity keeps it

  /// Appends an entity; an empty name gives "__entity_<id>". Precondition: no entity has this name.
  GraphEntity& add_entity(std::string name, Location where);
  /// Appends a component to an entity.
  GraphComponent& add_component(EntityId entity);
  [[nodiscard]] const GraphEntity* find_entity(std::string_view name) const;
  [[nodiscard]] const GraphEntity& entity_of(const GraphComponent& c) const {
    return entities[c.entity];
  }
  /// "entity/component", or "entity/type" when the component has no name.
  [[nodiscard]] std::string full_name(const GraphComponent& component) const;
};

}  // namespace gxr
