#include "graph/find_types.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "graph/foreign_types.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

constexpr DiagnosticCode kExtensionProblems[] = {
    DiagnosticCode::ManifestInvalid, DiagnosticCode::ExtensionNotFound,
    DiagnosticCode::ExtensionInvalid, DiagnosticCode::ExtensionIncompatible};

bool extensions_missing(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error &&
           std::ranges::find(kExtensionProblems, diagnostic.code) != std::end(kExtensionProblems);
  });
}

class TypeFinder {
 public:
  TypeFinder(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics)
      : catalog_(catalog),
        suggester_(suggester),
        diagnostics_(diagnostics),
        extensions_missing_(extensions_missing(diagnostics)) {}

  void find(GraphComponent& component) {
    if (component.type_name.empty()) {
      return;  // reported when the entry was read
    }
    const auto [entry, added] = found_.try_emplace(component.type_name);
    if (added) {
      entry->second.type = catalog_.find(component.type_name, &entry->second.conflict);
    }
    component.type = entry->second.type;
    check(component, entry->second);
  }

 private:
  struct Found {
    const TypeInfo* type = nullptr;
    TypeCatalog::Conflict conflict;
  };

  void check(GraphComponent& component, const Found& found) {
    if (found.type == nullptr) {
      report_missing(component, found);
    } else if (!found.type->component) {
      if (!diagnostics_.compat_gxf()) {
        report(component, DiagnosticCode::NotAComponent,
               "is a data type for messages; here it has no effect");
      }
    } else if (found.type->abstract) {
      report(component, DiagnosticCode::AbstractType,
             "is only a base type and cannot be used itself", derived_types(*found.type));
    }
  }

  void report(const GraphComponent& component, DiagnosticCode code, const std::string& text,
              const std::string& hint = {}) {
    diagnostics_.add(code, component.type_location, length_of(component.type_name),
                     "type '" + std::string(component.type_name) + "' " + text, hint);
  }

  void report_missing(const GraphComponent& component, const Found& found) {
    if (!found.conflict.first.empty()) {
      report(component, DiagnosticCode::TypeInTwoExtensions,
             "is in two extensions: " + found.conflict.first.string() + " and " +
                 found.conflict.second.string(),
             "name one of them with -x, or remove the other");
    } else if (!extensions_missing_) {
      diagnostics_.add(
          DiagnosticCode::UnknownType, component.type_location, length_of(component.type_name),
          "unknown type '" + std::string(component.type_name) + "'", hint_for(component));
    }
  }

  std::string hint_for(const GraphComponent& component) {
    const std::string_view gxf_extension = gxf_extension_of(component.type_name);
    std::string hint;
    if (!gxf_extension.empty()) {
      hint = "a type of GXF's " + std::string(gxf_extension) +
             " extension that this version of gxr does not have";
    } else if (hint = suggester_.type(component.type_name); hint.empty()) {
      hint = "'gxr list types' shows all types; an extension elsewhere is named with -x FILE.so";
    }
    for (const std::string& broken : catalog_.broken()) {
      hint += "\nan extension could not be read: " + broken;
    }
    return hint;
  }

  std::string derived_types(const TypeInfo& base) const {
    const std::string names = suggester_.derived_types(base.name);
    return names.empty() ? names : "use one of its derived types: " + names;
  }

  const TypeCatalog& catalog_;
  Suggester& suggester_;
  Diagnostics& diagnostics_;
  bool extensions_missing_;
  std::unordered_map<std::string_view, Found> found_;
};

}  // namespace

void find_types(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics,
                Graph& graph) {
  TypeFinder finder(catalog, suggester, diagnostics);
  for (GraphComponent& component : graph.components) {
    finder.find(component);
  }
}

}  // namespace gxr
