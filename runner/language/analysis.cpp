#include "language/analysis.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "document/utf8.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "language/uri.hpp"
#include "plan/plan.hpp"
#include "registry/extension_search.hpp"

namespace gxr::language {
namespace {

ExtensionSearch places_of(const AnalysisRequest& request, PythonFailures& failures) {
  ExtensionSearch places{request.extensions, request.manifests, installed_extension_folder()};
  places.of_files = request.is_trusted;
  places.runs_python = request.is_trusted;
  places.failures = &failures;
  return places;
}

bool is_open(const AnalysisRequest& request, const std::string& file) {
  return request.open.contains(absolute_path(file));
}

/// A pipe or a device may never end, and an editor would wait.
bool is_special(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

void put_together(const AnalysisRequest& request, YamlCache& cache, PythonFailures& failures,
                  Analysis& analysis) {
  analysis.document.read_with(cache);
  for (const auto& [path, text] : request.open) {
    analysis.document.show_instead(path, text);
  }
  for (const std::string& file : request.files) {
    if (is_open(request, file) || !is_special(file)) {
      analysis.document.add_file(file, analysis.diagnostics);
    } else {
      analysis.diagnostics.add(DiagnosticCode::FileUnreadable, {}, 1,
                               quote_text(file) + " is no regular file");
    }
  }
  resolve(analysis.document, {request.root}, places_of(request, failures), analysis.diagnostics,
          analysis.catalog, analysis.graph);
  if (analysis.diagnostics.errors() == 0) {
    try {
      static_cast<void>(make_plan(analysis.graph, analysis.catalog, {}, analysis.diagnostics));
    } catch (const Error&) {
      // No executor for its scheduler: that is no mistake of the application.
    }
  }
}

}  // namespace

std::unique_ptr<Analysis> analyse(const AnalysisRequest& request, YamlCache& cache,
                                  PythonFailures& failures) {
  auto analysis = std::make_unique<Analysis>(request.compat_gxf);
  try {
    put_together(request, cache, failures, *analysis);
  } catch (const std::bad_alloc&) {
    analysis = std::make_unique<Analysis>(request.compat_gxf);
    analysis->diagnostics.add(DiagnosticCode::OutOfMemory, {}, 1,
                              "there is not enough memory to look at the application");
  } catch (const Error& error) {
    analysis = std::make_unique<Analysis>(request.compat_gxf);
    const bool lacks_memory = error.code() == ErrorCode::OutOfMemory;
    analysis->diagnostics.add(
        lacks_memory ? DiagnosticCode::OutOfMemory : DiagnosticCode::FileUnreadable, {}, 1,
        error.message());
  }
  analysis->diagnostics.sort();
  return analysis;
}

TypeCatalog read_types(const AnalysisRequest& request, PythonFailures& failures) {
  Document document;
  Diagnostics diagnostics;
  return find_extensions(places_of(request, failures), document, diagnostics);
}

}  // namespace gxr::language
