#include "registry/extension_search.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include "document/map_keys.hpp"
#include "document/own_library.hpp"
#include "document/read_file.hpp"
#include "gxr/error.hpp"
#include "registry/extension_path.hpp"
#include "registry/extension_reader.hpp"
#include "registry/file_kind.hpp"
#include "registry/file_stamp.hpp"
#include "registry/python_error.hpp"
#include "registry/python_failures.hpp"
#include "registry/python_interpreter.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// A name that a user wrote, and where.
struct Mention {
  std::string name;
  Location where;
  std::uint32_t length = 1;
  bool of_gxf = false;  ///< in a list that may be for GXF and name what gxr brings itself
};

Mention mention_of(const Value& scalar) {
  std::string name(scalar.text());
  const auto length = static_cast<std::uint32_t>(name.size() + (scalar.quoted() ? 2 : 0));
  return {std::move(name), scalar.location(), std::max(length, 1U), false};
}

/// Problems of a manifest, which was read as a document of its own, in terms of the application's
/// sources.
class SourceTransfer {
 public:
  SourceTransfer(const SourceMap& from, SourceMap& to) {
    for (std::size_t i = 1; i < from.size(); ++i) {
      indices_.push_back(to.add(from.at(static_cast<std::uint16_t>(i))));
    }
  }

  [[nodiscard]] Location operator()(Location where) const {
    if (where.source < indices_.size()) {
      where.source = indices_[where.source];
    }
    return where;
  }

  void report(const Diagnostics& problems, Diagnostics& target) const {
    for (const Diagnostic& problem : problems.all()) {
      Diagnostic& added = target.add(problem.code, (*this)(problem.where), problem.length,
                                     problem.text, problem.hint);
      for (const RelatedPlace& place : problem.related) {
        added.related.push_back({(*this)(place.where), place.text});
      }
    }
  }

 private:
  std::vector<std::uint16_t> indices_{0};  // source 0, the program, is the same everywhere
};

/// Fills a catalog from all places that a user can name.
class ExtensionFinder {
 public:
  ExtensionFinder(Document& document, Diagnostics& diagnostics, bool runs_python,
                  PythonFailures* failures)
      : document_(document),
        diagnostics_(diagnostics),
        runs_python_(runs_python),
        failures_(failures) {}

  void add_argument(const std::string& name);
  void add_manifest(const std::string& file);
  void add_app_lists();
  void add_environment();
  void add_provider(const TypeProvider& provider) { catalog_.add_provider(provider); }
  void add_installed(const fs::path& folder) { catalog_.add_installed_folder(folder); }

  TypeCatalog take() { return std::move(catalog_); }

 private:
  void add_app_lists(const std::vector<DocumentPart>& parts);
  void add_from(const std::vector<fs::path>& places, const Mention& mention);
  void add_file(const fs::path& file, const Mention& mention,
                ExtensionRank rank = ExtensionRank::Named);
  bool passes_over(const Mention& mention, const std::vector<fs::path>& places);
  void add_manifest_entry(const Mention& mention, const std::string& manifest);
  void add_environment_item(const std::string& item, std::uint16_t source, std::size_t offset);
  void read_manifest(const Value& root, const std::string& file, const SourceTransfer& transfer);
  void report_keys(const Value& root, const SourceTransfer& transfer);
  void report_no_list(const Value& root, const SourceTransfer& transfer);
  std::vector<Mention> read_list(const Value& list);
  Mention mention_of_argument(const std::string& option, const std::string& text);
  void report(DiagnosticCode code, const Mention& mention, std::string text,
              std::string hint = {}) {
    Diagnostic& added =
        diagnostics_.add(code, mention.where, mention.length, std::move(text), std::move(hint));
    if (mention.of_gxf && code != DiagnosticCode::ExtensionIncompatible) {
      diagnostics_.tolerate(added);
    }
  }

  TypeCatalog catalog_;
  Document& document_;
  Diagnostics& diagnostics_;
  bool runs_python_;
  PythonFailures* failures_;       // may be null
  std::set<std::string> modules_;  // of Python, that were added
};

void ExtensionFinder::add_file(const fs::path& file, const Mention& mention, ExtensionRank rank) {
  if ((is_python_file(file) || is_python_module(file.string())) && !runs_python_) {
    return;
  }
  if (const PythonError* const known = failures_ != nullptr ? failures_->find(file) : nullptr) {
    report_python_error(*known, {file, mention.where, mention.length}, document_.sources(),
                        diagnostics_);
    return;
  }
  const std::int64_t begin = now_nanoseconds();
  try {
    catalog_.add_extension(file, rank);
  } catch (const PythonError& error) {
    if (failures_ != nullptr) {
      failures_->add(file, error, begin);
    }
    report_python_error(error, {file, mention.where, mention.length}, document_.sources(),
                        diagnostics_);
  } catch (const Error& error) {
    report(extension_code(error), mention, error.message());
  }
}

void ExtensionFinder::add_from(const std::vector<fs::path>& places, const Mention& mention) {
  // A folder has its own message.
  if (const fs::path found = first_found(places); !found.empty()) {
    add_file(found, mention);
    return;
  }
  if (is_python_module(mention.name)) {
    if (modules_.insert(mention.name).second) {
      add_file(mention.name, mention);
    }
    return;
  }
  std::string tried;
  for (const fs::path& place : places) {
    tried += (tried.empty() ? "looked for " : ", ") + place.string();
  }
  report(DiagnosticCode::ExtensionNotFound, mention, "extension '" + mention.name + "' not found",
         tried);
}

/// Command-line texts become sources, so that messages can show them.
Mention ExtensionFinder::mention_of_argument(const std::string& option, const std::string& text) {
  const std::uint16_t source = document_.sources().add({Source::Kind::Argument, option, text});
  return {text, {1, 1, source}, std::max(static_cast<std::uint32_t>(text.size()), 1U), false};
}

void ExtensionFinder::add_argument(const std::string& name) {
  add_from(places_of_argument(name), mention_of_argument("--extension", name));
}

// --- lists in YAML -----------------------------------------------------------------------------

/// The names in an `extensions:` list; what is not a name is reported and left out.
std::vector<Mention> ExtensionFinder::read_list(const Value& list) {
  std::vector<Mention> mentions;
  if (list.is_null()) {
    return mentions;
  }
  if (!list.is_sequence()) {
    diagnostics_.add(DiagnosticCode::ManifestInvalid, list, "'extensions' must be a list of files",
                     "write it as '- file.so', one on each line");
  }
  for (std::size_t i = 0; i < list.size() && list.is_sequence(); ++i) {
    if (list.at(i).is_scalar() && !list.at(i).text().empty()) {
      mentions.push_back(mention_of(list.at(i)));
    } else {
      diagnostics_.add(DiagnosticCode::ManifestInvalid, list.at(i),
                       "an entry of 'extensions' must be the path of a library");
    }
  }
  return mentions;
}

void ExtensionFinder::add_app_lists() {
  add_app_lists(document_.parts());
  for (const IncludedFile& file : document_.included()) {
    add_app_lists(file.parts);
  }
}

void ExtensionFinder::add_app_lists(const std::vector<DocumentPart>& parts) {
  for (const DocumentPart& part : parts) {
    const Value* list = part.root->find("extensions");
    if (list == nullptr) {
      continue;
    }
    const std::string& app_file = document_.sources().at(part.source).name;
    for (Mention& mention : read_list(*list)) {
      mention.of_gxf = true;
      const std::vector<fs::path> places = places_of_app_entry(mention.name, app_file);
      if (!passes_over(mention, places)) {
        add_from(places, mention);
      }
    }
  }
}

/// A library of GXF is no extension of gxr; with --compat gxf it is none that is missed. Those that
/// GXF's CMake functions make of sources have such names, too.
bool ExtensionFinder::passes_over(const Mention& mention, const std::vector<fs::path>& places) {
  const fs::path found = first_found(places);
  if (!is_gxf_library(mention.name) || is_extension_file(found)) {
    return false;
  }
  if (!diagnostics_.compat_gxf()) {
    constexpr const char* kOfGxf =
        "gxr has the types of GXF itself: remove this line, or skip such lines with --compat gxf";
    if (found.empty()) {
      report(
          DiagnosticCode::ExtensionNotFound, mention,
          "'" + mention.name + "' is not there; it has the name of a library of GXF",
          kOfGxf + std::string("; if it is an extension of yours, build it or correct the path"));
    } else {
      report(DiagnosticCode::ExtensionNotFound, mention,
             "'" + mention.name + "' is a library of GXF, which gxr neither needs nor can load",
             kOfGxf + std::string("; if it is an extension of yours, build its sources again with "
                                  "gxr_add_gxf_extension or gxr's GXF package"));
    }
  }
  return true;
}

void ExtensionFinder::add_manifest_entry(const Mention& mention, const std::string& manifest) {
  const std::vector<fs::path> places = places_of_manifest_entry(mention.name, manifest);
  if (!passes_over(mention, places)) {
    add_from(places, mention);
  }
}

void ExtensionFinder::report_no_list(const Value& root, const SourceTransfer& transfer) {
  if (!root.is_map() || root.size() == 0) {
    return;  // an empty manifest is a valid one
  }
  if (!flaw_of_key(root.key(0)).empty()) {
    return;  // reported already
  }
  const Mention key = mention_of(root.key(0));
  const bool is_app = root.find("components") != nullptr || root.find("operator") != nullptr;
  diagnostics_.tolerate(diagnostics_.add(
      DiagnosticCode::ManifestInvalid, transfer(key.where), key.length,
      is_app ? "this is an application, not a manifest" : "a manifest needs the list 'extensions'",
      is_app ? "name application files without -m" : suggestion(key.name, {"extensions"})));
}

/// Other keys mean something to other tools, but what is no text is a mistake.
void ExtensionFinder::report_keys(const Value& root, const SourceTransfer& transfer) {
  for (std::size_t i = 0; i < root.size() && root.is_map(); ++i) {
    if (const std::string flaw = flaw_of_key(root.key(i)); !flaw.empty()) {
      diagnostics_.add(DiagnosticCode::ManifestInvalid, transfer(root.key(i).location()), 1, flaw,
                       "a manifest has the list 'extensions'");
    }
  }
}

void ExtensionFinder::read_manifest(const Value& root, const std::string& file,
                                    const SourceTransfer& transfer) {
  const Value* list = root.find("extensions");
  report_keys(root, transfer);
  if (list == nullptr) {
    report_no_list(root, transfer);
    return;
  }
  Diagnostics problems(diagnostics_.compat_gxf());
  std::vector<Mention> mentions =
      ExtensionFinder(document_, problems, runs_python_, failures_).read_list(*list);
  transfer.report(problems, diagnostics_);
  for (Mention& mention : mentions) {
    mention.where = transfer(mention.where);
    mention.of_gxf = true;
    add_manifest_entry(mention, file);
  }
}

void ExtensionFinder::add_manifest(const std::string& file) {
  if (file != "-" && !is_there(file)) {
    report(DiagnosticCode::FileNotFound, mention_of_argument("--manifest", file),
           "manifest '" + file + "' does not exist");
    return;
  }
  if (file == "-" && has_standard_input(document_.sources())) {
    report(DiagnosticCode::FileUnreadable, mention_of_argument("--manifest", file),
           "cannot read the manifest '-': standard input was read already",
           "name '-' once, and files for the rest");
    return;
  }
  Document manifest;
  Diagnostics problems(diagnostics_.compat_gxf());
  manifest.add_file(file, problems);
  const SourceTransfer transfer(manifest.sources(), document_.sources());
  transfer.report(problems, diagnostics_);
  for (const DocumentPart& part : manifest.parts()) {
    read_manifest(*part.root, file, transfer);
  }
}

// --- environment -------------------------------------------------------------------------------

void ExtensionFinder::add_environment_item(const std::string& item, std::uint16_t source,
                                           std::size_t offset) {
  const Mention mention{item,
                        {1, static_cast<std::uint32_t>(offset + 1), source},
                        static_cast<std::uint32_t>(item.size()),
                        false};
  if (is_folder(item)) {
    catalog_.add_variable_folder(item);
  } else if (is_there(item)) {
    add_file(item, mention, ExtensionRank::InVariable);
  } else {
    report(DiagnosticCode::ExtensionNotFound, mention,
           "'" + item + "' in GXR_EXTENSION_PATH does not exist",
           "it is a list of folders and files, separated by ':'");
  }
}

void ExtensionFinder::add_environment() {
  const char* value = std::getenv("GXR_EXTENSION_PATH");
  if (value == nullptr || *value == '\0') {
    return;
  }
  const std::string list(value);
  const std::uint16_t source =
      document_.sources().add({Source::Kind::Argument, "GXR_EXTENSION_PATH", list});
  std::size_t offset = 0;
  for (const std::string& item : split_path_list(list)) {
    offset = list.find(item, offset);
    add_environment_item(item, source, offset);
    offset += item.size();
  }
}

}  // namespace

// What lies beside the program that embeds the engine is that program's affair: an author's project
// has a folder "extensions" of its own.
fs::path installed_extension_folder() {
  const fs::path& engine = folder_of_own_library();
  const fs::path installed = engine / "gxr/extensions";
  return is_folder(installed) ? installed : engine / "extensions";
}

DiagnosticCode extension_code(const Error& error) {
  switch (error.code()) {
    case ErrorCode::NotFound:
      return DiagnosticCode::ExtensionNotFound;
    case ErrorCode::Incompatible:
      return DiagnosticCode::ExtensionIncompatible;
    default:
      return DiagnosticCode::ExtensionInvalid;
  }
}

void report_extension_error(const Error& error, const fs::path& path, SourceMap& sources,
                            Diagnostics& diagnostics) {
  if (const auto* const of_python = dynamic_cast<const PythonError*>(&error)) {
    report_python_error(*of_python, {path, {}, 1}, sources, diagnostics);
  } else {
    diagnostics.add(extension_code(error), {}, 1, error.message());
  }
}

TypeCatalog find_extensions(const ExtensionSearch& search, Document& document,
                            Diagnostics& diagnostics) {
  ExtensionFinder finder(document, diagnostics, search.runs_python, search.failures);
  for (const TypeProvider& provider : search.providers) {
    finder.add_provider(provider);
  }
  for (const std::string& name : search.files) {
    finder.add_argument(name);
  }
  for (const std::string& file : search.manifests) {
    finder.add_manifest(file);
  }
  if (search.of_files) {
    finder.add_app_lists();
  }
  finder.add_environment();
  if (!search.installed.empty()) {
    finder.add_installed(search.installed);
  }
  return finder.take();
}

}  // namespace gxr
