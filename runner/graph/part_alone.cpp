#include "graph/part_alone.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "document/components_alone.hpp"
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

void put_into_entities(Document& document) {
  std::vector<DocumentPart> made;
  const auto add = [&](const Value& components, std::uint16_t source) {
    const Location where = components.location();
    const std::array entry{Value::make_scalar(ValueKind::Scalar, "components", false, where),
                           components};
    const Value root =
        Value::make_collection(ValueKind::Map, document.keep(entry), entry.size(), false, where);
    made.push_back({document.keep(std::span(&root, 1)), source});
  };
  for (const DocumentPart& part : document.unusable()) {
    if (lists_components(*part.root)) {
      add(*part.root, part.source);
    }
  }
  for (const DocumentPart& part : document.parts()) {
    if (is_component(*part.root)) {
      add(Value::make_collection(ValueKind::Sequence, part.root, 1, false, part.root->location()),
          part.source);
    }
  }
  document.put_first(made);
}

bool lacks_surroundings(const Diagnostic& diagnostic, const Document& document) {
  switch (diagnostic.code) {
    case DiagnosticCode::DocumentNotMap:
      return std::ranges::any_of(document.unusable(), [&](const DocumentPart& part) {
        return lists_components(*part.root) && part.root->location() == diagnostic.where;
      });
    case DiagnosticCode::UnknownDocumentKey:
      return std::ranges::any_of(document.parts(), [&](const DocumentPart& part) {
        return is_component(*part.root) && type_key(*part.root).location() == diagnostic.where;
      });
    case DiagnosticCode::EntityNotFound:
    case DiagnosticCode::ComponentNotFound:
      return true;
    default:
      return concerns_the_includer(diagnostic);
  }
}

}  // namespace gxr
