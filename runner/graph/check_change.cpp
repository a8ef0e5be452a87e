#include "graph/check_change.hpp"

#include <algorithm>

#include "document/diagnostics.hpp"
#include "graph/apply_overrides.hpp"
#include "graph/handle_resolver.hpp"
#include "graph/suggester.hpp"
#include "graph/value_checker.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

ErrorCode error_code_of(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::OverrideNoMatch:
    case DiagnosticCode::OverrideAmbiguous:
      return ErrorCode::NotFound;
    case DiagnosticCode::ParameterRange:
      return ErrorCode::OutOfRange;
    default:
      return ErrorCode::InvalidParameter;
  }
}

}  // namespace

void require_no_errors(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::string text;
  ErrorCode code{};
  for (const Diagnostic& found : diagnostics.all()) {
    if (found.severity == Severity::Error) {
      code = text.empty() ? error_code_of(found.code) : code;
      text += (text.empty() ? "" : "\n") + place_in_file(found.where, sources) + found.text;
      text += found.hint.empty() ? "" : " (" + found.hint + ")";
    }
  }
  if (!text.empty()) {
    throw Error(code, text);
  }
}

std::string place_in_file(Location where, const SourceMap& sources) {
  return sources.at(where.source).kind == Source::Kind::File ? sources.describe(where) + ": "
                                                             : std::string();
}

std::vector<CheckedChange> check_changes(Document& document, Diagnostics& diagnostics,
                                         const Graph& graph, const TypeCatalog& catalog) {
  Suggester suggester(graph, catalog);
  HandleResolver handles(graph, catalog, document.sources(), suggester);
  ValueChecker values(document, handles, diagnostics);
  std::vector<CheckedChange> changes;
  for (Override& override_ : document.overrides()) {
    for (const ComponentId target :
         find_override_targets(override_, catalog, suggester, diagnostics, graph)) {
      const GraphComponent& component = graph.components[target];
      changes.push_back({target, assignment_by(override_, component, graph)});
      CheckedChange& change = changes.back();
      const auto info =
          std::ranges::find(component.type->parameters, override_.parameter, &ParameterInfo::key);
      if (info != component.type->parameters.end()) {
        change.assignment.info = &*info;
        values.check(component, change.assignment);
      }
    }
  }
  require_no_errors(diagnostics, document.sources());
  return changes;
}

}  // namespace gxr
