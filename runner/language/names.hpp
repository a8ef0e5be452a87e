#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "language/analysis.hpp"

namespace gxr::language {

/// A name in a file, and its meaning.
struct Name {
  enum class Kind : std::uint8_t {
    Entity,
    Component,
    Type,
    Parameter,
    Subgraph,  ///< a file
    Host,      ///< an entity that includes a subgraph
    Shown,     ///< a name by which such an entity shows a component of its subgraph
  };
  Kind kind = Kind::Entity;
  Location where;            ///< of its first character
  std::uint32_t length = 0;  ///< characters
  bool defines = false;      ///< the thing is made here; else it is meant here
  std::string text;          ///< as written
  EntityId entity = kNone;
  ComponentId component = kNone;        ///< of Component, Type, Parameter and Shown, if it is known
  const TypeInfo* type = nullptr;       ///< of Type and Parameter; null when it is unknown
  const ParameterInfo* info = nullptr;  ///< of Parameter; null when it is unknown
  std::string file;                     ///< of Subgraph: its path
  Location made;                        ///< of Host and Shown: the place that gives the name
  const EntityInterface* host = nullptr;  ///< of Host

  /// Do both mean the same thing?
  [[nodiscard]] bool means_same(const Name& other) const noexcept;
};

/// All names in the files of an application that mean something, in order.
std::vector<Name> find_names(const Analysis& analysis);
/// The one at a place, the end of the name included; nullptr: none.
const Name* name_at(const std::vector<Name>& names, Location where);

}  // namespace gxr::language
