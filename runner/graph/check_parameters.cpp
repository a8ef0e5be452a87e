#include "graph/check_parameters.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "document/map_keys.hpp"
#include "graph/document_keys.hpp"
#include "graph/handle_resolver.hpp"
#include "graph/text.hpp"
#include "graph/value_checker.hpp"

namespace gxr {
namespace {

class ParameterChecker {
 public:
  ParameterChecker(Document& document, const SourceMap& sources, const TypeCatalog& catalog,
                   Suggester& suggester, Diagnostics& diagnostics, Graph& graph)
      : graph_(graph),
        catalog_(catalog),
        suggester_(suggester),
        diagnostics_(diagnostics),
        handles_(graph, catalog, sources, suggester),
        values_(document, handles_, diagnostics) {}

  void check(GraphComponent& component) {
    meant_.clear();
    std::vector<const ParameterAssignment*> unknown;
    for (ParameterAssignment& assignment : component.parameters) {
      const auto info =
          std::ranges::find(component.type->parameters, assignment.key, &ParameterInfo::key);
      if (info == component.type->parameters.end()) {
        unknown.push_back(&assignment);
      } else {
        assignment.info = &*info;
        values_.check(component, assignment);
      }
    }
    report_unknown(component, unknown);
    if (!component.flawed) {  // else what is missing may stand where it was not found
      check_mandatory(component);
    }
  }

 private:
  /// Whether a component that knows none of its parameters does the same as with them: GXF has no
  /// more parameters, or they only say how threads and GPUs are used.
  [[nodiscard]] bool may_ignore_all(const TypeInfo& type) const {
    return type.parameters.empty() || catalog_.is_a(type, "gxr::ResourceBase") ||
           type.name == "gxr::CPUThread";
  }

  void report_unknown(const GraphComponent& component,
                      const std::vector<const ParameterAssignment*>& unknown) {
    if (!unknown.empty() && unknown.size() == component.parameters.size() &&
        diagnostics_.compat_gxf() && !may_ignore_all(*component.type)) {
      report_ignored(component);
    } else if (!component.flawed) {  // else type and parameters may not belong together
      for (const ParameterAssignment* assignment : unknown) {
        report_unknown(component, *assignment);
      }
    }
  }

  /// GXF would run the component as if nothing were configured: an error, also with --compat gxf.
  void report_ignored(const GraphComponent& component) {
    std::string keys;
    std::string hints;
    bool differ = false;
    std::string last;
    for (const ParameterAssignment& assignment : component.parameters) {
      const std::string key = in_quotes(assignment.key);
      const std::string hint = hint_for(component, assignment);
      differ = differ || (!last.empty() && hint != last);
      keys += (keys.empty() ? "" : ", ") + key;
      hints += (hints.empty() ? "" : "\n") + key + ": " + hint;
      last = hint;
    }
    const ParameterAssignment& first = component.parameters.front();
    diagnostics_.add(DiagnosticCode::ParametersIgnored, first.key_location, length_of(first.key),
                     called(graph_, component) + " takes none of its parameters (" + keys +
                         "), and would run as if nothing were configured",
                     differ ? hints : last);
  }

  /// "key:value" without a blank is a key to YAML.
  static bool lacks_blank(const ParameterAssignment& assignment) {
    return assignment.value->is_null() && assignment.key.find(':') != std::string_view::npos;
  }

  /// How to mend a parameter that the type does not have; what may have been meant is noted.
  std::string hint_for(const GraphComponent& component, const ParameterAssignment& assignment) {
    const std::string meant = lacks_blank(assignment)
                                  ? std::string(assignment.key.substr(0, assignment.key.find(':')))
                                  : suggester_.parameter(assignment.key, *component.type);
    meant_.push_back(meant);
    if (is_merge_key(assignment.key)) {
      return kMergeKeyHint;
    }
    if (lacks_blank(assignment)) {
      return "write a blank behind ':'";
    }
    if (component.written != 0 && is_key_of_short_form(assignment.key)) {
      meant_.pop_back();
      return in_quotes(assignment.key) + " is a key of the document: write it beside 'operator'";
    }
    if (!meant.empty()) {
      return "did you mean " + in_quotes(meant) + "?";
    }
    return component.type->parameters.empty()
               ? "the type has no parameters"
               : "'gxr describe " + component.type->name + "' shows its parameters";
  }

  void report_unknown(const GraphComponent& component, const ParameterAssignment& assignment) {
    diagnostics_.add(DiagnosticCode::UnknownParameter, assignment.key_location,
                     length_of(assignment.key),
                     "'" + std::string(component.type_name) + "' has no parameter '" +
                         std::string(assignment.key) + "'",
                     hint_for(component, assignment));
  }

  void check_mandatory(const GraphComponent& component) {
    std::string missing;
    std::string explained;
    for (const ParameterInfo& info : component.type->parameters) {
      if (!info.optional && !info.default_value && !is_set(component, info) &&
          std::ranges::find(meant_, info.key) == meant_.end()) {
        missing += (missing.empty() ? "'" : ", '") + info.key + "'";
        explained += (explained.empty() ? "" : "\n") + info.key + ": " + to_string(info.type) +
                     (info.headline.empty() ? "" : ", " + info.headline);
      }
    }
    if (!missing.empty()) {
      const bool several = missing.find(',') != std::string::npos;
      diagnostics_.add(
          DiagnosticCode::ParameterMissing, component.type_location, type_length(component),
          called(graph_, component) + " needs the parameter" + (several ? "s " : " ") + missing,
          explained);
    }
  }

  static bool is_set(const GraphComponent& component, const ParameterInfo& info) {
    const ParameterAssignment* assignment = component.find(info.key);
    if (assignment == nullptr) {
      return false;
    }
    const bool unspecified = info.type.kind == ParameterType::Kind::Handle &&
                             assignment->handles.size() == 1 &&
                             assignment->handles.front().target == kNone;
    return !unspecified;
  }

  Graph& graph_;
  const TypeCatalog& catalog_;
  Suggester& suggester_;
  Diagnostics& diagnostics_;
  HandleResolver handles_;
  ValueChecker values_;
  std::vector<std::string> meant_;  // parameters of one component whose keys are misspelt
};

}  // namespace

void check_parameters(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                      Diagnostics& diagnostics, Graph& graph) {
  ParameterChecker checker(document, document.sources(), catalog, suggester, diagnostics, graph);
  for (GraphComponent& component : graph.components) {
    if (component.type != nullptr) {
      checker.check(component);
    }
  }
}

void check_parameters(Document& document, const SourceMap& sources, const TypeCatalog& catalog,
                      Suggester& suggester, Diagnostics& diagnostics, Graph& graph,
                      GraphComponent& component) {
  ParameterChecker(document, sources, catalog, suggester, diagnostics, graph).check(component);
}

}  // namespace gxr
