#include "graph/part_alone.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/roles.hpp"
#include "graph/short_form.hpp"

namespace gxr {

namespace {

/// The short form makes one where there is none.
bool has_own_scheduler(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  return std::ranges::any_of(graph.components, [&](const GraphComponent& component) {
    return roles.has(component, Role::Scheduler) &&
           graph.entity_of(component).name != kShortScheduler;
  });
}

}  // namespace

bool is_part_alone(const Document& document, const Graph& graph, const TypeCatalog& catalog,
                   std::size_t files) {
  const auto has_names = [](const DocumentPart& part) {
    return part.root->find("interfaces") != nullptr || part.root->find("prerequisites") != nullptr;
  };
  return files == 1 && std::ranges::any_of(document.parts(), has_names) &&
         !has_own_scheduler(graph, catalog);
}

bool concerns_the_includer(const Diagnostic& diagnostic) {
  switch (diagnostic.code) {
    case DiagnosticCode::NoScheduler:
    case DiagnosticCode::MissingClock:
    case DiagnosticCode::InterfaceWithoutParent:
    case DiagnosticCode::PrerequisiteMissing:
    case DiagnosticCode::UnconnectedTransmitter:
    case DiagnosticCode::UnconnectedReceiver:
    case DiagnosticCode::NeverTicks:
      return true;
    case DiagnosticCode::EntityNotFound:
    case DiagnosticCode::ComponentNotFound:
      return diagnostic.text.find("'prerequisites'") != std::string::npos;
    default:
      return false;
  }
}

void drop_concerns_of_includer(Diagnostics& diagnostics) {
  Diagnostics kept(diagnostics.compat_gxf());
  kept.add_all(diagnostics,
               [](const Diagnostic& diagnostic) { return !concerns_the_includer(diagnostic); });
  diagnostics = std::move(kept);
}

}  // namespace gxr
