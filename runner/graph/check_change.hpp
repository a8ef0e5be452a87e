#pragma once

#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A new value for a parameter of a component.
struct CheckedChange {
  ComponentId component = kNone;
  ParameterAssignment assignment;
};

/// The overrides of `document` for an application that was resolved, each checked as those that are
/// there from the beginning, against the declaration of its parameter; nothing is tolerated as
/// `--compat gxf` does in files, because nobody would read the warning. `document` keeps what the
/// result refers to; nothing else is changed. `diagnostics` has what was wrong when it was read.
///
/// Throws Error with the texts of all problems, with those that were there, each on a line of its
/// own: NotFound for what names nothing or too much, OutOfRange, or InvalidParameter for other
/// values that cannot be. Those of a file begin with their place.
std::vector<CheckedChange> check_changes(Document& document, Diagnostics& diagnostics,
                                         const Graph& graph, const TypeCatalog& catalog);

/// Throws Error with the texts of all errors, as check_changes() does.
void require_no_errors(const Diagnostics& diagnostics, const SourceMap& sources);

/// "night.yaml:3:14: " for what stands in a file; empty for an argument, which messages quote.
std::string place_in_file(Location where, const SourceMap& sources);

}  // namespace gxr
