#pragma once

#include <string>
#include <vector>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A new value for a parameter of a component.
struct CheckedChange {
  ComponentId component = kNone;
  ParameterAssignment assignment;
};

/// Assignments ENTITY/[COMPONENT/]PARAMETER=VALUE to an application that was resolved, each checked
/// as those that are there from the beginning, against the declaration of its parameter; nothing is
/// tolerated as `--compat gxf` does in files, because nobody would read the warning. `document`
/// keeps what the result refers to; nothing else is changed.
///
/// Throws Error with the texts of all problems: NotFound for what names nothing or too much,
/// OutOfRange, or InvalidParameter for other values that cannot be.
std::vector<CheckedChange> check_changes(const std::vector<std::string>& assignments,
                                         const Graph& graph, const TypeCatalog& catalog,
                                         Document& document);

}  // namespace gxr
