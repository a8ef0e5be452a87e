#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executors/live_changes.hpp"
#include "plan/plan.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A parameter of an application that runs.
struct ParameterFacts {
  std::string parameter;             ///< "entity/component/key"; the type of a nameless component
  std::string takes;                 ///< "float64, default 1, at least 0, changeable while running"
  std::optional<std::string> value;  ///< YAML on one line; none: it has no value
  bool is_default = false;           ///< nobody has set it
  std::string fixed;                 ///< why it cannot be changed now; empty: it can
};

/// A component of an entity that runs.
struct ComponentFacts {
  std::string component;  ///< its name, may be empty
  std::string type;
  std::vector<ParameterFacts> parameters;
};

/// Reads what is known of parameters beside their components, which may be in use: the values are
/// those of the files and the command line, or what was set last. Any thread. Refers to all of
/// them.
class ParameterReader {
 public:
  ParameterReader(const Plan& plan, const TypeCatalog& catalog, LiveChanges& changes) noexcept
      : plan_(plan), catalog_(catalog), changes_(changes) {}

  /// The parameter at ENTITY/[COMPONENT/]PARAMETER; several when ENTITY is empty, which names all
  /// entities without a name. Throws Error(InvalidArgument) for a text that is no address,
  /// Error(NotFound) when it names nothing, or too much.
  [[nodiscard]] std::vector<ParameterFacts> find(const std::string& address) const;
  /// All components of an entity. Throws Error(NotFound).
  [[nodiscard]] std::vector<ComponentFacts> of_entity(const std::string& entity) const;
  /// The region that is a CUDA graph with this entity in it; empty: there is none.
  [[nodiscard]] std::string region_of(const std::string& entity) const;

 private:
  [[nodiscard]] ParameterFacts read(const GraphComponent& component,
                                    const ParameterInfo& info) const;
  [[nodiscard]] const GraphEntity& require_entity(const std::string& entity) const;

  const Plan& plan_;
  const TypeCatalog& catalog_;
  LiveChanges& changes_;
};

}  // namespace gxr
