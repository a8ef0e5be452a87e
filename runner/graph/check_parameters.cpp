#include "graph/check_parameters.hpp"

#include <algorithm>
#include <string>

#include "graph/handle_resolver.hpp"
#include "graph/text.hpp"
#include "graph/value_checker.hpp"

namespace gxr {
namespace {

class ParameterChecker {
 public:
  ParameterChecker(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                   Diagnostics& diagnostics, Graph& graph)
      : graph_(graph),
        suggester_(suggester),
        diagnostics_(diagnostics),
        handles_(graph, catalog, suggester),
        values_(document, handles_, diagnostics) {}

  void check(GraphComponent& component) {
    for (ParameterAssignment& assignment : component.parameters) {
      const auto info =
          std::ranges::find(component.type->parameters, assignment.key, &ParameterInfo::key);
      if (info == component.type->parameters.end()) {
        report_unknown(component, assignment);
      } else {
        assignment.info = &*info;
        values_.check(component, assignment);
      }
    }
    check_mandatory(component);
  }

 private:
  void report_unknown(const GraphComponent& component, const ParameterAssignment& assignment) {
    std::string hint = suggester_.parameter(assignment.key, *component.type);
    if (hint.empty()) {
      hint = component.type->parameters.empty()
                 ? "the type has no parameters"
                 : "'gxr describe " + component.type->name + "' shows its parameters";
    }
    diagnostics_.add(DiagnosticCode::UnknownParameter, assignment.key_location,
                     length_of(assignment.key),
                     "'" + std::string(component.type_name) + "' has no parameter '" +
                         std::string(assignment.key) + "'",
                     hint);
  }

  void check_mandatory(const GraphComponent& component) {
    std::string missing;
    std::string explained;
    for (const ParameterInfo& info : component.type->parameters) {
      if (!info.optional && !info.default_value && !is_set(component, info)) {
        missing += (missing.empty() ? "'" : ", '") + info.key + "'";
        explained += (explained.empty() ? "" : "\n") + info.key + ": " + to_string(info.type) +
                     (info.headline.empty() ? "" : ", " + info.headline);
      }
    }
    if (!missing.empty()) {
      const bool several = missing.find(',') != std::string::npos;
      diagnostics_.add(
          DiagnosticCode::ParameterMissing, component.type_location, length_of(component.type_name),
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
  Suggester& suggester_;
  Diagnostics& diagnostics_;
  HandleResolver handles_;
  ValueChecker values_;
};

}  // namespace

void check_parameters(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                      Diagnostics& diagnostics, Graph& graph) {
  ParameterChecker checker(document, catalog, suggester, diagnostics, graph);
  for (GraphComponent& component : graph.components) {
    if (component.type != nullptr) {
      checker.check(component);
    }
  }
}

}  // namespace gxr
