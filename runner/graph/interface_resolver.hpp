#pragma once

#include <string_view>
#include <vector>

#include "document/diagnostics.hpp"
#include "graph/component_names.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"

namespace gxr {

/// Finds the components that names of interfaces stand for, through as many subgraphs as it takes.
/// May be used while the graph still grows: what is not there yet is looked for again.
class InterfaceResolver {
 public:
  explicit InterfaceResolver(Graph& graph) : graph_(graph), names_(graph) {}

  /// The component that `entity` shows as `name`; kNone when there is none yet.
  ComponentId find(std::string_view entity, std::string_view name);
  /// Looks for all that is still open and reports what is not there.
  void finish(Suggester& suggester, Diagnostics& diagnostics);

 private:
  ComponentId find_target(InterfaceName& name);
  ComponentId find_in(std::string_view entity, std::string_view component);
  void report(const InterfaceName& name, Suggester& suggester, Diagnostics& diagnostics);

  Graph& graph_;
  ComponentNames names_;
  std::vector<const InterfaceName*> open_;  // being looked for, each on behalf of the one before
};

}  // namespace gxr
