#include "document/document.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "document/alias_limit.hpp"
#include "document/arena.hpp"
#include "document/components_alone.hpp"
#include "document/duplicate_keys.hpp"
#include "document/override_reader.hpp"
#include "document/parallel_parse.hpp"
#include "document/parameter_file.hpp"
#include "document/read_file.hpp"
#include "document/single_value.hpp"
#include "document/text_check.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {

namespace {

Source::Kind kind_of(const std::string& path) {
  return path == "-" ? Source::Kind::StandardInput : Source::Kind::File;
}

void report_all(std::vector<Diagnostic>& problems, Diagnostics& diagnostics) {
  for (Diagnostic& problem : problems) {
    diagnostics
        .add(problem.code, problem.where, problem.length, std::move(problem.text),
             std::move(problem.hint))
        .related = std::move(problem.related);
  }
}

bool report_encoding(const Source& source, std::uint16_t index, Diagnostics& diagnostics) {
  const std::optional<TextFlaw> flaw = find_foreign_encoding(source.text);
  if (flaw) {
    diagnostics.add(DiagnosticCode::YamlSyntax, {0, 0, index}, 1, flaw->text, flaw->hint);
  }
  return flaw.has_value();
}

const char* kind_name(const Value& root) {
  return lists_components(root) ? "a list of components"
         : root.is_sequence()   ? "a list"
                                : "a single value";
}

bool lists_entities(const Value& root) {
  return root.is_sequence() && root.size() > 0 && root.at(0).is_map() &&
         (root.at(0).find("operator") != nullptr || root.at(0).find("components") != nullptr);
}

const char* hint_for_list(const Value& root) {
  if (lists_entities(root)) {
    return "put '---' between entities instead of '- '";
  }
  return lists_components(root) ? "put these under 'components:' of an entity"
                                : "a document has keys such as 'name:' and 'components:'";
}

/// A document of an app file is a map; an empty one is nothing. `broken`: an error in it was
/// reported, so it may have been meant as one.
bool is_application_document(const Value& root, bool broken, Diagnostics& diagnostics) {
  if (!root.is_map() && !root.is_null() && !broken) {
    diagnostics.add(DiagnosticCode::DocumentNotMap, root,
                    std::string("this YAML document is ") + kind_name(root) + ", not a map",
                    hint_for_list(root));
  }
  return root.is_map();
}

/// Is it a document of addresses, in the place of an application's?
bool report_parameter_file(const Value& root, const std::string& file, Diagnostics& diagnostics) {
  const Value* const address = address_in(root);
  if (address != nullptr) {
    diagnostics.tolerate(
        diagnostics.add(DiagnosticCode::ParameterFile, *address,
                        quote_text(address->text()) +
                            " is the address of a parameter: this looks like a parameter file",
                        "write --params " + file));
  }
  return address != nullptr;
}

bool is_shallow(const YamlTree& tree, Diagnostics& diagnostics) {
  const bool shallow = tree.depth <= kDeepestSetValue;
  if (!shallow) {
    diagnostics.add(DiagnosticCode::ParameterFile, *tree.root,
                    "values of this parameter file are nested too deeply",
                    std::to_string(kDeepestSetValue) + " levels are possible");
  }
  return shallow;
}

void report_empty(std::uint16_t source, Diagnostics& diagnostics) {
  diagnostics.add(DiagnosticCode::EmptyFile, {0, 0, source}, 1, "this file has no YAML document",
                  "");
}

}  // namespace

Document::Document() : sources_(std::make_unique<SourceMap>()) {}
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Arena& Document::arena() {
  if (arenas_.empty()) {
    arenas_.push_back(std::make_unique<Arena>());
  }
  return *arenas_.front();
}

void Document::add_file(const std::string& path, Diagnostics& diagnostics) {
  add_read(path, {"app file", {}, false}, parts_, diagnostics);
}

void Document::show_instead(std::string path, std::string text) {
  shown_instead_.insert_or_assign(std::move(path), std::move(text));
}

std::optional<std::string> Document::shown_text(const std::string& path) const {
  if (shown_instead_.empty() || path == "-") {
    return std::nullopt;
  }
  std::error_code ignored;
  const auto shown = shown_instead_.find(std::filesystem::weakly_canonical(path, ignored).string());
  return shown != shown_instead_.end() ? std::optional(shown->second) : std::nullopt;
}

/// What is wrong with a file, memory included, is said with its name.
void Document::add_read(const std::string& path, const Reading& reading,
                        std::vector<DocumentPart>& parts, Diagnostics& diagnostics) {
  std::optional<std::string> text = shown_text(path);
  if (!text) {
    text = read_file(path, reading.what, reading.rules, *sources_, diagnostics);
  }
  if (!text) {
    return;
  }
  try {
    normalise_line_ends(*text);
    add_documents(sources_->add({kind_of(path), path, std::move(*text)}), reading.parameters, parts,
                  diagnostics);
  } catch (const std::bad_alloc&) {
    throw no_memory_for(path, reading.what);
  }
}

void Document::add_text(Source source, Diagnostics& diagnostics) {
  normalise_line_ends(source.text);
  add_documents(sources_->add(std::move(source)), false, parts_, diagnostics);
}

void Document::add_parameter_file(const std::string& path, Diagnostics& diagnostics) {
  add_read(path, {"parameter file", {}, true}, parts_, diagnostics);
}

void Document::add_watched_file(const std::string& path, Diagnostics& diagnostics) {
  add_read(path, {"parameter file", kWatchedFileRules, true}, parts_, diagnostics);
}

void Document::add_place_file(const std::string& path, Diagnostics& diagnostics) {
  constexpr const char* kWhat = "place file";
  std::optional<std::string> text = read_file(path, kWhat, {}, *sources_, diagnostics);
  if (!text) {
    return;
  }
  try {
    normalise_line_ends(*text);
    const std::uint16_t source = sources_->add({kind_of(path), path, std::move(*text)});
    if (report_encoding(sources_->at(source), source, diagnostics)) {
      return;
    }
    const Value* const value = read_value({sources_->at(source).text, source, 1, 1, {}},
                                          DiagnosticCode::PlaceFile, diagnostics);
    if (value != nullptr) {
      place_files_.push_back(value);
    }
  } catch (const std::bad_alloc&) {
    throw no_memory_for(path, kWhat);
  }
}

const IncludedFile& Document::include(const std::string& path, Diagnostics& diagnostics) {
  const auto known = std::ranges::find(included_, path, &IncludedFile::path);
  if (known != included_.end()) {
    return *known;
  }
  IncludedFile& file = included_.emplace_back(IncludedFile{path, {}});
  // Nobody named this file but another file: it must not make anybody wait.
  add_read(path, {"subgraph file", {.only_regular = true}, false}, file.parts, diagnostics);
  return file;
}

void Document::add_documents(std::uint16_t source, bool parameter_file,
                             std::vector<DocumentPart>& parts, Diagnostics& diagnostics) {
  const Source& added = sources_->at(source);
  if (report_encoding(added, source, diagnostics)) {
    return;
  }
  arena();  // stays the first: values made later go there
  ParsedText parsed = cache_ != nullptr
                          ? parse_documents(added.text, source, *cache_)
                          : parse_documents(added.text, source, threads_for(added.text.size()));
  arenas_.insert(arenas_.end(), std::make_move_iterator(parsed.arenas.begin()),
                 std::make_move_iterator(parsed.arenas.end()));
  const bool intact = parsed.result.problems.empty();
  // In the line where the document begins.
  const auto has_problem = [&problems = parsed.result.problems](const Value& root) {
    return std::ranges::any_of(problems, [&](const Diagnostic& problem) {
      return problem.where.line == root.location().line;
    });
  };
  report_all(parsed.result.problems, diagnostics);
  bool any = drop_wide_trees(parsed.result.trees, alias_nodes_, diagnostics);
  for (const YamlTree& tree : parsed.result.trees) {
    any = any || !tree.root->is_null();
    if (parameter_file && is_parameter_map(*tree.root)) {
      if (is_shallow(tree, diagnostics)) {
        read_parameter_map(*tree.root, overrides_, diagnostics);
      }
      continue;
    }
    const bool is_other_file =
        &parts == &parts_ && report_parameter_file(*tree.root, added.name, diagnostics);
    if (!is_other_file &&
        is_application_document(*tree.root, has_problem(*tree.root), diagnostics)) {
      // GXF takes the map as it is.
      add_parts(*tree.root, source, intact || diagnostics.compat_gxf(), parts);
    } else if (!tree.root->is_null()) {
      unusable_.push_back({tree.root, source});
    }
  }
  if (!any && intact) {
    report_empty(source, diagnostics);
  }
}

/// Unless `as_it_is`, where a separator is missing, which was reported, the documents that were
/// meant.
void Document::add_parts(const Value& root, std::uint16_t source, bool as_it_is,
                         std::vector<DocumentPart>& parts) {
  const std::vector<Value> meant =
      as_it_is ? std::vector<Value>{} : split_documents_without_separator(root);
  if (meant.size() < 2) {
    parts.push_back({&root, source});
    return;
  }
  const Value* const kept = arena().keep(meant);
  for (std::size_t i = 0; i < meant.size(); ++i) {
    parts.push_back({kept + i, source});
  }
}

void Document::add_override(std::string_view argument, Diagnostics& diagnostics) {
  std::string text(argument);
  normalise_line_ends(text);
  const std::uint16_t source = sources_->add({Source::Kind::Argument, "--param", std::move(text)});
  std::vector<Diagnostic> problems;
  if (std::optional<Override> found =
          read_override(sources_->at(source).text, source, arena(), problems)) {
    overrides_.push_back(std::move(*found));
  }
  report_all(problems, diagnostics);
}

void Document::set_device(std::string_view choice) {
  const std::uint16_t source =
      sources_->add({Source::Kind::Argument, "--device", std::string(choice)});
  const Location where{1, 1, source};
  const Value text = Value::make_scalar(ValueKind::Scalar, sources_->at(source).text, false, where);
  device_ = DeviceOverride{arena().keep(std::span(&text, 1)), where};
}

const Value* Document::read_value(const YamlStretch& stretch, DiagnosticCode code,
                                  Diagnostics& diagnostics) {
  std::vector<Diagnostic> problems;
  const Value* const value = read_single_value(stretch, code, arena(), problems);
  report_all(problems, diagnostics);
  return value;
}

void Document::put_first(std::span<const DocumentPart> parts) {
  parts_.insert(parts_.begin(), parts.begin(), parts.end());
}

const Value* Document::keep(std::span<const Value> values) { return arena().keep(values); }

std::string_view Document::keep(std::string_view text) { return arena().keep(text); }

const Value& Document::make_value(std::string_view yaml, std::uint16_t source, Location where) {
  where.source = source;
  YamlTrees result;
  parse_yaml({arena().keep(yaml), source, 1, 1, where}, arena(), result);
  if (!result.problems.empty()) {
    throw Error(ErrorCode::InvalidData, "invalid YAML: " + result.problems.front().text);
  }
  if (result.trees.size() > 1) {
    throw Error(ErrorCode::InvalidData, "one YAML document expected");
  }
  if (result.trees.empty()) {
    const Value null = Value::make_scalar(ValueKind::Null, {}, false, where);
    return *arena().keep(std::span(&null, 1));
  }
  return *result.trees.front().root;
}

}  // namespace gxr
