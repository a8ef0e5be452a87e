#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/analysis.hpp"
#include "language/names.hpp"
#include "language/text.hpp"

namespace gxr::language {

/// Options of the editor for a workspace.
struct WorkspaceOptions {
  std::vector<std::vector<std::string>> applications;  ///< files that belong together
  std::vector<std::string> extensions;                 ///< as -x
  std::vector<std::string> manifests;                  ///< as -m
  std::string root;                                    ///< as --app-root
  bool compat_gxf = false;
  bool trusted = false;  ///< see AnalysisRequest::is_trusted
};

/// A place in a file.
struct FileRange {
  std::string path;  ///< absolute
  Range range;

  friend bool operator==(const FileRange&, const FileRange&) = default;
};

/// A diagnostic in terms of editors.
struct FileDiagnostic {
  Diagnostic diagnostic;
  FileRange where;
  std::vector<FileRange> related;  ///< of each related place; an unknown one has no path
};

/// The open files of an editor, and analyses of the applications that they belong to. Paths are
/// absolute.
class Workspace {
 public:
  explicit Workspace(WorkspaceOptions options = {}) : options_(std::move(options)) {}

  /// `uri`: the editor's name of the file. `version`: a number of the editor, which diagnostics of
  /// the text have.
  void open(const std::string& path, std::string uri, std::string text, std::int64_t version);
  void close(const std::string& path);
  /// Puts other text in the place of a part of an open file; of all of it without a range.
  void change(const std::string& path, const std::optional<Range>& range, std::string_view with);
  void set_version(const std::string& path, std::int64_t version);
  /// Other files than the open ones may have changed.
  void files_changed();

  /// nullptr: it is not open.
  [[nodiscard]] const Text* text_of(const std::string& path) const;
  /// What a file says, open or not; "" when it cannot be read.
  [[nodiscard]] std::string read(const std::string& path) const;
  [[nodiscard]] const WorkspaceOptions& options() const noexcept { return options_; }
  /// Of an open file.
  [[nodiscard]] std::optional<std::int64_t> version_of(const std::string& path) const;
  /// The editor's name of a file.
  [[nodiscard]] std::string uri_of(const std::string& path) const;
  /// Looks again at the applications whose files have changed.
  void refresh();

  /// After refresh(), of the application that a file belongs to; nullptr when the file is none.
  struct Application {
    std::vector<std::string> files;
    std::unique_ptr<Analysis> analysis;
    std::unique_ptr<Analysis> last_with_types;  ///< an earlier one, when this one found no types
    std::vector<FileDiagnostic> diagnostics;
    std::set<std::string> paths;  ///< of its files and those that they include

    /// All names in its files. The first question finds them: diagnostics do not wait for that.
    [[nodiscard]] const std::vector<Name>& names() const;
    mutable std::optional<std::vector<Name>> found_names;
  };
  [[nodiscard]] const Application* application_of(const std::string& path) const;
  /// The application as it would be with other texts of some files, by path.
  [[nodiscard]] std::unique_ptr<Analysis> analyse_with(
      const Application& application, const std::map<std::string, std::string>& texts) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Application>>& applications() const noexcept {
    return applications_;
  }
  /// Types for a file, also while it is no YAML.
  [[nodiscard]] const TypeCatalog& catalog_for(const std::string& path);

  /// The index of a file among the sources of an analysis; nothing: it is not among them.
  [[nodiscard]] static std::optional<std::uint16_t> source_of(const Analysis& analysis,
                                                              const std::string& path);
  /// A place of an editor in terms of an analysis.
  [[nodiscard]] Location location_of(std::uint16_t source, const std::string& path,
                                     Position position) const;
  [[nodiscard]] FileRange range_of(const Analysis& analysis, Location where,
                                   std::size_t length) const;

 private:
  struct OpenFile {
    Text text;
    std::string uri;
    std::int64_t version = 0;
  };

  [[nodiscard]] AnalysisRequest request_for(const std::vector<std::string>& files) const;
  [[nodiscard]] std::vector<std::string> files_with(const std::string& path) const;
  [[nodiscard]] std::unique_ptr<Application> look_at(const std::vector<std::string>& files) const;
  void add_diagnostics(Application& application) const;
  void drop_included();
  static void keep_types(Application& application, Application& before);
  [[nodiscard]] bool has_changed(const Application& application) const;

  WorkspaceOptions options_;
  std::map<std::string, OpenFile> open_;
  std::vector<std::unique_ptr<Application>> applications_;
  std::unique_ptr<TypeCatalog> types_;  // for files that belong to none
  // Documents that do not change are most of a text from one keystroke to the next.
  std::unique_ptr<YamlCache> cache_ = std::make_unique<YamlCache>();
  std::unique_ptr<PythonFailures> failures_ = std::make_unique<PythonFailures>();
  std::set<std::string> changed_;  // paths
  bool has_all_changed_ = false;
};

/// Has a text a document of an application? Parameter files and those of other programs have none.
bool is_application(std::string_view text);

}  // namespace gxr::language
