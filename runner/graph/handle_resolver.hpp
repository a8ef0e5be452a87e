#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "document/diagnostics.hpp"
#include "graph/component_names.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Finds the component that a handle's text names, by the rules of GXF: "component" in the owner's
/// entity, "entity/component" split at the first '/', "<Unspecified>" for none; the first component
/// of that name whose type fits.
class HandleResolver {
 public:
  HandleResolver(const Graph& graph, const TypeCatalog& catalog, Suggester& suggester)
      : graph_(graph), catalog_(catalog), suggester_(suggester), names_(graph) {}

  /// kNone when there is none; then either the text is "<Unspecified>" or a problem was reported.
  /// `key` is the parameter that holds the handle, `type` the base type that it asks for.
  ComponentId resolve(const GraphComponent& owner, std::string_view key, const std::string& type,
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
  };

  const GraphEntity* find_entity(const Request& request);
  ComponentId find_component(const Request& request, const GraphEntity& entity);
  bool fits(const GraphComponent& component, const std::string& type);
  void report_missing(const Request& request, const GraphEntity& entity);
  std::string suggest_fitting(const Request& request, const GraphEntity& entity);
  std::string hint_for_missing(const Request& request, const GraphEntity& entity);
  [[nodiscard]] std::string hint_for_new(const Request& request);
  void report_type(const Request& request, const GraphComponent& found);
  void report_ambiguous(const Request& request, const GraphComponent& first,
                        const GraphComponent& second);
  [[nodiscard]] bool is_connection(const GraphComponent& component) const;

  const Graph& graph_;
  const TypeCatalog& catalog_;
  Suggester& suggester_;
  ComponentNames names_;
  // Does a type fit a handle? By the handle's type text, which lives in the catalog.
  std::unordered_map<const std::string*, std::unordered_map<const TypeInfo*, bool>> fits_;
};

}  // namespace gxr
