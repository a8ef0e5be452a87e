#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "gxr/error.hpp"
#include "gxr/type_provider.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

class PythonFailures;

/// Where to look for extensions, beside GXR_EXTENSION_PATH and the `extensions:` lists of app
/// files.
struct ExtensionSearch {
  std::vector<std::string> files;            ///< -x
  std::vector<std::string> manifests;        ///< -m
  std::filesystem::path installed;           ///< see installed_extension_folder()
  std::vector<TypeProvider> providers = {};  ///< of the program
  bool of_files = true;                      ///< also what `extensions:` in app files lists
  bool runs_python = true;                   ///< else files in Python are passed over
  PythonFailures* failures = nullptr;        ///< of earlier searches: such files are not read again
};

/// gxr/extensions beside libgxr.so in an installation, extensions beside it in a build tree,
/// whichever program has loaded the library. The folder need not exist.
GXR_INTERNAL_API std::filesystem::path installed_extension_folder();

/// The code of the diagnostic for the error of an extension that cannot be read.
GXR_INTERNAL_API DiagnosticCode extension_code(const Error& error);
/// Adds the error of an extension that was named outside of files, as report_python_error() does.
GXR_INTERNAL_API void report_extension_error(const Error& error, const std::filesystem::path& path,
                                             SourceMap& sources, Diagnostics& diagnostics);

/// Reads sections of extension libraries. Files in Python are read by another process, unless it
/// was asked before. Problems go to `diagnostics` (codes of "extensions and
/// manifests"); their positions lie in texts that are added to the sources of `document`.
GXR_INTERNAL_API TypeCatalog find_extensions(const ExtensionSearch& search, Document& document,
                                             Diagnostics& diagnostics);

}  // namespace gxr
