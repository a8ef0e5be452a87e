#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "registry/extension_loader.hpp"
#include "registry/file_stamp.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Extension files that come while an application runs. The system takes a file that it has loaded
/// for the same, whatever is in it now, and libraries are never unloaded; so each is loaded from a
/// copy, which has no name any more once it is loaded. One thread at a time.
class ExtensionCopies {
 public:
  /// Refers to both.
  ExtensionCopies(const TypeCatalog& catalog, ExtensionLoader& loader)
      : catalog_(catalog), loader_(loader) {}

  /// The type of this name or alias in the file, which is loaded unless it was before and has not
  /// changed. Throws Error like TypeCatalog::add_extension() and ExtensionLoader::creator(),
  /// Error(NotFound) with the names that it has for another one, Error(NotSupported) for a file
  /// that is no library, Error(InputOutput) when it cannot be copied.
  const TypeInfo& load(const std::filesystem::path& file, std::string_view type);

 private:
  struct Copy {
    FileStamp stamp;
    const ExtensionFile* file;
  };

  const ExtensionFile& load(const std::filesystem::path& file);

  const TypeCatalog& catalog_;
  ExtensionLoader& loader_;
  std::vector<Copy> copies_;
};

}  // namespace gxr
