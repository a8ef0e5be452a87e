#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/read_file.hpp"
#include "document/source.hpp"
#include "gxr/value.hpp"
#include "internal_api.hpp"

namespace gxr {

class Arena;
class YamlCache;
struct YamlStretch;

/// One YAML document of an app file.
struct DocumentPart {
  const Value* root = nullptr;  ///< a map
  std::uint16_t source = 0;
};

/// A file that an app file includes. Parsed once, however often it is included.
struct IncludedFile {
  std::string path;
  std::vector<DocumentPart> parts;  ///< empty when it cannot be read, which was reported
};

/// One parameter given from outside the app files. Later ones win.
struct Override {
  std::string entity;     ///< may be empty: all unnamed entities
  std::string component;  ///< name or type; empty when left out
  std::string parameter;
  const Value* value =
      nullptr;     ///< keeps its provenance: source is the argument or the parameter file
  Location where;  ///< of the key
  std::uint32_t length = 1;
  bool matched = false;  ///< set by resolve
};

/// The parameter `device` of all components that leave the choice between CPU and GPU.
struct DeviceOverride {
  const Value* value = nullptr;
  Location where;
};

/// What was written: all YAML documents in order, and the overrides, every value with its position.
/// Knows nothing of component types. Owns the memory of its values.
class Document {
 public:
  GXR_INTERNAL_API Document();
  GXR_INTERNAL_API ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  [[nodiscard]] const std::vector<DocumentPart>& parts() const noexcept { return parts_; }
  /// YAML documents that are no maps, of app files and of files that they include; reported.
  [[nodiscard]] const std::vector<DocumentPart>& unusable() const noexcept { return unusable_; }
  [[nodiscard]] const std::vector<Override>& overrides() const noexcept { return overrides_; }
  [[nodiscard]] std::vector<Override>& overrides() noexcept { return overrides_; }
  [[nodiscard]] const SourceMap& sources() const noexcept { return *sources_; }
  [[nodiscard]] SourceMap& sources() noexcept { return *sources_; }

  /// Parses a file ("-" is standard input) and appends its documents. Problems go to `diagnostics`;
  /// when memory ends, this and whatever else reads a file here throws Error(OutOfMemory) that
  /// names it.
  GXR_INTERNAL_API void add_file(const std::string& path, Diagnostics& diagnostics);
  /// From now on a file has this text, whatever its file says: it is open in an editor. `path` is
  /// absolute.
  GXR_INTERNAL_API void show_instead(std::string path, std::string text);
  /// Files added from now on are read with the help of a cache, which must live as long as files
  /// are added.
  void read_with(YamlCache& cache) { cache_ = &cache; }
  /// add_file() for a text that is already in memory.
  void add_text(Source source, Diagnostics& diagnostics);
  /// Files that app files include, in the order in which they were met.
  [[nodiscard]] const std::deque<IncludedFile>& included() const noexcept { return included_; }
  /// The documents of a file that exists; read and parsed when it is asked for the first time.
  const IncludedFile& include(const std::string& path, Diagnostics& diagnostics);
  /// One `ENTITY/COMPONENT/PARAMETER=VALUE` or `ENTITY/PARAMETER=VALUE` argument.
  GXR_INTERNAL_API void add_override(std::string_view argument, Diagnostics& diagnostics);
  /// "cpu", "gpu" or "auto" for all components that have the choice, as --device says it.
  GXR_INTERNAL_API void set_device(std::string_view choice);
  [[nodiscard]] const std::optional<DeviceOverride>& device() const noexcept { return device_; }
  /// The folder that relative file names in parameters count from, as --app-root says it; empty:
  /// the working folder.
  void set_file_root(std::string folder) { file_root_ = std::move(folder); }
  [[nodiscard]] const std::string& file_root() const noexcept { return file_root_; }
  /// A parameter file: a map from `ENTITY/[COMPONENT/]PARAMETER` to values, or GXF entity documents
  /// with name-only component entries (these are appended to the parts).
  GXR_INTERNAL_API void add_parameter_file(const std::string& path, Diagnostics& diagnostics);
  /// The same of one that is read again and again while the application runs: a regular file that
  /// is not large (kWatchedFileRules).
  void add_watched_file(const std::string& path, Diagnostics& diagnostics);
  /// A file that says which rank runs which entity: a map from ranks to names.
  GXR_INTERNAL_API void add_place_file(const std::string& path, Diagnostics& diagnostics);
  /// The values in those files, in order; of any kind.
  [[nodiscard]] const std::vector<const Value*>& place_files() const noexcept {
    return place_files_;
  }
  /// A value with the lifetime of the document, read from YAML text (one document). Throws
  /// Error(InvalidData).
  const Value& make_value(std::string_view yaml, std::uint16_t source = 0, Location where = {});
  /// The value that a stretch of a source says, with its places: the part of an argument behind
  /// '='. nullptr if it cannot be read; then syntax errors are reported with `code`.
  const Value* read_value(const YamlStretch& stretch, DiagnosticCode code,
                          Diagnostics& diagnostics);
  /// Documents that come before all that are there.
  void put_first(std::span<const DocumentPart> parts);
  /// Copies with the lifetime of the document.
  const Value* keep(std::span<const Value> values);
  std::string_view keep(std::string_view text);

 private:
  /// What a file is called in messages, what it may be, and what is in it.
  struct Reading {
    const char* what;
    FileRules rules;
    bool parameters;
  };

  [[nodiscard]] std::optional<std::string> shown_text(const std::string& path) const;
  void add_read(const std::string& path, const Reading& reading, std::vector<DocumentPart>& parts,
                Diagnostics& diagnostics);
  void add_documents(std::uint16_t source, bool parameter_file, std::vector<DocumentPart>& parts,
                     Diagnostics& diagnostics);
  void add_parts(const Value& root, std::uint16_t source, bool as_it_is,
                 std::vector<DocumentPart>& parts);
  Arena& arena();

  std::unique_ptr<SourceMap> sources_;
  std::vector<std::unique_ptr<Arena>> arenas_;
  std::vector<DocumentPart> parts_;
  std::vector<DocumentPart> unusable_;
  std::deque<IncludedFile> included_;  // a deque: who walks through one may include another
  std::vector<Override> overrides_;
  std::optional<DeviceOverride> device_;
  std::vector<const Value*> place_files_;
  std::string file_root_;
  std::unordered_map<std::string, std::string> shown_instead_;  // by absolute path
  YamlCache* cache_ = nullptr;
  std::uint64_t alias_nodes_ = 0;  // that aliases added so far
};

}  // namespace gxr
