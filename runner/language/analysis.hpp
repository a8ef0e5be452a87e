#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "document/yaml_cache.hpp"
#include "graph/graph.hpp"
#include "registry/python_failures.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::language {

/// The files of an application, as the editor has them, and where to find types.
struct AnalysisRequest {
  std::vector<std::string> files;           ///< of the application
  std::map<std::string, std::string> open;  ///< texts of files that are open, by absolute path
  std::vector<std::string> extensions;      ///< as -x
  std::vector<std::string> manifests;       ///< as -m
  std::string root;                         ///< as --app-root
  bool compat_gxf = false;
  /// Extension files that the application names are read too, and Python may run those in Python,
  /// whoever names them. Reading other ones runs no code of them.
  bool is_trusted = true;
};

/// All that `gxr validate` knows of an application.
struct Analysis {
  explicit Analysis(bool compat_gxf) : diagnostics(compat_gxf) {}

  Document document;
  TypeCatalog catalog;
  Diagnostics diagnostics;
  Graph graph;
};

/// All stages up to the plan. Runs no code of any extension in this process. `cache` and
/// `failures`: of earlier calls.
std::unique_ptr<Analysis> analyse(const AnalysisRequest& request, YamlCache& cache,
                                  PythonFailures& failures);
/// The types alone, without those of extensions that files name.
TypeCatalog read_types(const AnalysisRequest& request, PythonFailures& failures);

}  // namespace gxr::language
