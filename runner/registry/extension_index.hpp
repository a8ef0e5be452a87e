#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "registry/file_stamp.hpp"

namespace gxr {

/// The name of a type and its aliases.
using TypeNames = std::vector<std::string>;

/// One extension file of a folder that was read without an error, and its types in their order.
struct IndexEntry {
  std::string file;  ///< name inside the folder
  FileStamp stamp;
  std::vector<TypeNames> types;
};

/// The text of an index: `lines` between the header that makes a reader of the same gxr take it
/// for one of `folder`, and the seal.
std::string sealed_index(const std::filesystem::path& folder, std::string_view lines);
/// What a text says; nothing when it is no index of `folder`, is damaged, or any line is not as it
/// must be.
std::vector<IndexEntry> read_index(std::string_view text, const std::filesystem::path& folder);
/// An entry as a line.
std::string index_line(const IndexEntry& entry);

/// The cached index of one folder of extensions: which file holds which type. It only saves time:
/// what is missing, stale, damaged or written by another gxr is ignored, failures to write are too,
/// and a file that could not be read is never in it, so that no file stays shut out by an old
/// cache.
class ExtensionIndex {
 public:
  /// `folder` in its canonical spelling. The file lies in ${XDG_CACHE_HOME:-~/.cache}/gxr/.
  explicit ExtensionIndex(std::filesystem::path folder);

  /// The entry of this file if its stamp is still the same.
  [[nodiscard]] const IndexEntry* find(const std::string& file, const FileStamp& stamp) const;
  /// Replaces the cached index, atomically, when `entries` differ from what was read.
  void store(const std::vector<IndexEntry>& entries) const noexcept;

  /// Empty when there is no place for caches.
  [[nodiscard]] const std::filesystem::path& cache_file() const noexcept { return cache_file_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path cache_file_;
  std::string text_;
  std::vector<IndexEntry> entries_;
};

}  // namespace gxr
