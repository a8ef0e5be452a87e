#include "registry/extension_copies.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include <unistd.h>

#include "gxr/error.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// A file that goes with this object; a library that was loaded from it stays.
class CopiedFile {
 public:
  /// Beside the file, where the libraries are that it may need; else in the folder for temporary
  /// files. Throws Error(InputOutput).
  CopiedFile(const fs::path& file, std::size_t number) : original_(file.string()) {
    const std::string name = "." + file.filename().string() + ".gxr-" + std::to_string(::getpid()) +
                             "-" + std::to_string(number);
    std::error_code error;
    for (const fs::path& folder : {file.parent_path(), fs::temp_directory_path(error)}) {
      path_ = fs::absolute(folder / name, error);
      if (fs::copy_file(file, path_, fs::copy_options::overwrite_existing, error)) {
        return;
      }
      fs::remove(path_, error);
    }
    throw Error(ErrorCode::InputOutput, "'" + original_ + "' cannot be copied to be loaded");
  }
  CopiedFile(const CopiedFile&) = delete;
  CopiedFile& operator=(const CopiedFile&) = delete;
  ~CopiedFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

  [[nodiscard]] const fs::path& path() const noexcept { return path_; }
  /// The text with the name that the user knows.
  [[nodiscard]] std::string shown(std::string text) const {
    const std::string copy = path_.string();
    for (std::size_t at = text.find(copy); at != std::string::npos; at = text.find(copy, at)) {
      text.replace(at, copy.size(), original_);
      at += original_.size();
    }
    return text;
  }

 private:
  std::string original_;
  fs::path path_;
};

std::string names_in(const ExtensionFile& file) {
  std::string names;
  for (const TypeInfo& type : file.types) {
    if (type.component && !type.abstract) {
      names += (names.empty() ? "" : ", ") + type.name;
    }
  }
  return names.empty() ? "it has no components" : "it has: " + names;
}

}  // namespace

const TypeInfo& ExtensionCopies::load(const fs::path& file, std::string_view type) {
  const ExtensionFile& found = load(file);
  const TypeInfo* const info = TypeCatalog::find_in(found, type);
  if (info == nullptr) {
    throw Error(ErrorCode::NotFound, "'" + file.string() + "' has no type '" + std::string(type) +
                                         "' (" + names_in(found) + ")");
  }
  return *info;
}

const ExtensionFile& ExtensionCopies::load(const fs::path& file) {
  const std::optional<FileStamp> stamp = stamp_of(file);
  if (!stamp) {
    throw Error(ErrorCode::NotFound, "extension '" + file.string() + "' does not exist");
  }
  const auto known = std::ranges::find(copies_, *stamp, &Copy::stamp);
  if (known != copies_.end() && is_settled(*stamp, now_nanoseconds())) {
    return *known->file;
  }
  if (file.extension() == ".py") {
    throw Error(ErrorCode::NotSupported, "'" + file.string() +
                                             "' is no library: modules of Python cannot come while "
                                             "an application runs");
  }
  const CopiedFile copy(file, copies_.size());
  try {
    const ExtensionFile& added = catalog_.add_beside(copy.path());
    for (const TypeInfo& type : added.types) {
      if (type.component && !type.abstract) {
        static_cast<void>(loader_.creator(type));  // while the copy has its name
        break;
      }
    }
    copies_.push_back({*stamp, &added});
    return added;
  } catch (const Error& error) {
    throw Error(error.code(), copy.shown(error.message()));
  }
}

}  // namespace gxr
