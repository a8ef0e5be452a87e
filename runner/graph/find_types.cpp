#include "graph/find_types.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "graph/text.hpp"
#include "graph/unknown_types.hpp"

namespace gxr {
namespace {

constexpr DiagnosticCode kExtensionProblems[] = {
    DiagnosticCode::ManifestInvalid,  DiagnosticCode::ExtensionNotFound,
    DiagnosticCode::ExtensionInvalid, DiagnosticCode::ExtensionIncompatible,
    DiagnosticCode::PythonPackage,    DiagnosticCode::PythonModule};

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

  /// Reports the unknown types, each once.
  void finish() {
    if (!extensions_missing_) {
      report_unknown_types(unknown_, catalog_, suggester_, diagnostics_);
    }
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
      component.flawed = !diagnostics_.compat_gxf();
      if (!diagnostics_.compat_gxf()) {
        report(component, DiagnosticCode::NotAComponent,
               "is a data type for messages; here it has no effect");
      }
    } else if (found.type->abstract) {
      component.flawed = true;  // so what its parameters are is not known
      report(component, DiagnosticCode::AbstractType,
             "is only a base type and cannot be used itself", derived_types(*found.type));
    }
  }

  void report(const GraphComponent& component, DiagnosticCode code, const std::string& text,
              const std::string& hint = {}) {
    diagnostics_.add(code, component.type_location, type_length(component),
                     "type '" + std::string(component.type_name) + "' " + text, hint);
  }

  void report_missing(const GraphComponent& component, const Found& found) {
    if (!found.conflict.first.empty()) {
      report(component, DiagnosticCode::TypeInTwoExtensions,
             "is in two extensions: " + found.conflict.first.string() + " and " +
                 found.conflict.second.string(),
             remedy_for(found.conflict));
      return;
    }
    UnknownType& unknown = unknown_.try_emplace(component.type_name).first->second;
    if (unknown.uses++ == 0) {
      unknown.name = component.type_name;
      unknown.where = component.type_location;
    }
  }

  /// What is not done already: extensions that are named go before those of the variable, and these
  /// before installed ones.
  static std::string remedy_for(const TypeCatalog::Conflict& conflict) {
    if (conflict.provided) {
      return "the program gives one of them itself; give the type only once";
    }
    switch (conflict.rank) {
      case ExtensionRank::Named:
        return "both are named by -x, a manifest or 'extensions:'; name only one";
      case ExtensionRank::InVariable:
        return "name one of them with -x, or take the other one out of GXR_EXTENSION_PATH";
      case ExtensionRank::Installed:
        return "name one of them with -x, or remove the other";
    }
    return {};
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
  UnknownTypes unknown_;
};

}  // namespace

void find_types(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics,
                Graph& graph) {
  TypeFinder finder(catalog, suggester, diagnostics);
  for (GraphComponent& component : graph.components) {
    finder.find(component);
  }
  finder.finish();
}

}  // namespace gxr
