#include "language/workspace.hpp"

#include <algorithm>
#include <utility>

#include "document/read_file.hpp"
#include "document/utf8.hpp"
#include "graph/part_alone.hpp"
#include "language/outline.hpp"
#include "language/uri.hpp"

namespace gxr::language {
namespace {

/// Texts of the program and of the command line have no file.
bool is_file(const Source& source) { return source.kind == Source::Kind::File; }

bool has_entity(const OutlineNode& document) {
  const OutlineNode* const components = document.find("components");
  const bool has_component =
      components != nullptr && std::ranges::any_of(components->items, [](const OutlineNode& each) {
        return each.find("type") != nullptr || each.find("name") != nullptr;
      });
  return has_component || document.text_of("operator").find("::") != std::string_view::npos;
}

bool is_python(std::string_view name) { return name.ends_with(".py"); }

/// The entry of an `extensions:` list whose file is not read in a workspace that is not trusted.
struct Unread {
  std::string name;
  FileRange where;  // no path: it is named in the editor's options
};

/// `paths`: the files of the application. In other files, which are manifests, Python alone needs
/// trust.
void add_unread(const Source& source, const std::set<std::string>& paths,
                std::vector<Unread>& unread) {
  const std::string path = absolute_path(source.name);
  const bool is_of_application = paths.contains(path);
  const Text text(source.text);
  for (const OutlineNode& document : read_outline(source.text)) {
    const OutlineNode* const list = document.find("extensions");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const OutlineNode& item = list->items[i];
      if (!item.text.empty() && (is_of_application || is_python(item.text))) {
        unread.push_back(
            {item.text, {path, {text.position_of(item.begin), text.position_of(item.end)}}});
      }
    }
  }
}

std::vector<Unread> find_unread(const Analysis& analysis, const std::vector<std::string>& options,
                                const std::set<std::string>& paths) {
  std::vector<Unread> unread;
  for (const std::string& name : options) {
    if (is_python(name)) {
      unread.push_back({name, {}});
    }
  }
  const SourceMap& sources = analysis.document.sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (const Source& source = sources.at(static_cast<std::uint16_t>(i)); is_file(source)) {
      add_unread(source, paths, unread);
    }
  }
  return unread;
}

/// A type may be unknown because its file was not read.
void explain_unread(const std::vector<Unread>& unread, FileDiagnostic& diagnostic) {
  std::string names;
  for (const Unread& each : unread) {
    const std::string name = quote_text(each.name);
    if (names.find(name) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + name;
    }
    if (!each.where.path.empty()) {
      diagnostic.diagnostic.related.push_back({{}, "gxr has not read this file"});
      diagnostic.related.push_back(each.where);
    }
  }
  const std::string text =
      "gxr has not read " + names + ", which may have the type, because this workspace is not " +
      "trusted; to trust it, set 'trusted' to true in the options of 'gxr lsp', or trust the " +
      "folder in VS Code";
  std::string& hint = diagnostic.diagnostic.hint;
  hint = hint.starts_with("did you mean") ? hint + "\n" + text : text;
}

bool has(const std::vector<std::string>& files, const std::string& path) {
  return std::ranges::any_of(files,
                             [&](const std::string& file) { return absolute_path(file) == path; });
}

}  // namespace

bool is_application(std::string_view text) {
  // One document after the other: in most texts the first one says it.
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n---", begin), text.size());
    if (std::ranges::any_of(read_outline(text.substr(begin, end - begin)), has_entity)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

void Workspace::open(const std::string& path, std::string uri, std::string text,
                     std::int64_t version) {
  open_.insert_or_assign(path, OpenFile{Text(std::move(text)), std::move(uri), version});
  changed_.insert(path);
}

void Workspace::close(const std::string& path) {
  open_.erase(path);
  changed_.insert(path);
}

void Workspace::files_changed() {
  has_all_changed_ = true;
  types_.reset();
  failures_->forget();
}

std::string Workspace::uri_of(const std::string& path) const {
  const auto known = open_.find(path);
  return known != open_.end() ? known->second.uri : uri_of_path(path);
}

void Workspace::change(const std::string& path, const std::optional<Range>& range,
                       std::string_view with) {
  const auto known = open_.find(path);
  if (known == open_.end()) {
    return;
  }
  if (range) {
    known->second.text.replace(*range, with);
  } else {
    known->second.text = Text(std::string(with));
  }
  changed_.insert(path);
}

void Workspace::set_version(const std::string& path, std::int64_t version) {
  if (const auto known = open_.find(path); known != open_.end()) {
    known->second.version = version;
  }
}

const Text* Workspace::text_of(const std::string& path) const {
  const auto known = open_.find(path);
  return known != open_.end() ? &known->second.text : nullptr;
}

std::string Workspace::read(const std::string& path) const {
  if (const Text* const text = text_of(path)) {
    return text->all();
  }
  SourceMap sources;
  Diagnostics ignored;
  FileRules rules;
  rules.only_regular = true;
  return read_file(path, "file", rules, sources, ignored).value_or("");
}

std::optional<std::int64_t> Workspace::version_of(const std::string& path) const {
  const auto known = open_.find(path);
  return known != open_.end() ? std::optional(known->second.version) : std::nullopt;
}

AnalysisRequest Workspace::request_for(const std::vector<std::string>& files) const {
  AnalysisRequest request;
  request.files = files;
  for (const auto& [path, file] : open_) {
    request.open.emplace(path, file.text.all());
  }
  request.extensions = options_.extensions;
  request.manifests = options_.manifests;
  request.root = options_.root;
  request.compat_gxf = options_.compat_gxf;
  request.is_trusted = options_.trusted;
  return request;
}

/// The files of the application that the editor has named, or this one alone.
std::vector<std::string> Workspace::files_with(const std::string& path) const {
  for (const std::vector<std::string>& files : options_.applications) {
    if (has(files, path)) {
      return files;
    }
  }
  return {path};
}

const std::vector<Name>& Workspace::Application::names() const {
  if (!found_names) {
    found_names = find_names(*analysis);
  }
  return *found_names;
}

std::unique_ptr<Workspace::Application> Workspace::look_at(
    const std::vector<std::string>& files) const {
  auto application = std::make_unique<Application>();
  application->files = files;
  application->analysis = analyse(request_for(files), *cache_, *failures_);
  for (const std::string& file : files) {
    application->paths.insert(absolute_path(file));
  }
  for (const IncludedFile& file : application->analysis->document.included()) {
    application->paths.insert(absolute_path(file.path));
  }
  add_diagnostics(*application);
  return application;
}

void Workspace::add_diagnostics(Application& application) const {
  const Analysis& analysis = *application.analysis;
  const bool has_unknown_types = std::ranges::any_of(
      analysis.diagnostics.all(),
      [](const Diagnostic& each) { return each.code == DiagnosticCode::UnknownType; });
  const std::vector<Unread> unread =
      options_.trusted || !has_unknown_types
          ? std::vector<Unread>{}
          : find_unread(analysis, options_.extensions, application.paths);
  const bool is_part =
      is_part_alone(analysis.document, analysis.graph, analysis.catalog, application.files.size());
  for (const Diagnostic& diagnostic : analysis.diagnostics.all()) {
    if (is_part && concerns_the_includer(diagnostic)) {
      continue;
    }
    FileDiagnostic& added = application.diagnostics.emplace_back();
    added.diagnostic = diagnostic;
    added.where = range_of(analysis, diagnostic.where, diagnostic.length);
    if (added.where.path.empty()) {  // of no file: it is said at the begin of the first
      added.where.path = absolute_path(application.files.front());
    }
    for (const RelatedPlace& related : diagnostic.related) {
      added.related.push_back(range_of(analysis, related.where, 1));
    }
    if (diagnostic.code == DiagnosticCode::UnknownType && !unread.empty()) {
      explain_unread(unread, added);
    }
  }
}

void Workspace::refresh() {
  if (changed_.empty() && !has_all_changed_) {
    return;
  }
  std::vector<std::vector<std::string>> wanted;
  for (const auto& [path, file] : open_) {
    const std::vector<std::string> files = files_with(path);
    if (is_application(file.text.all()) && std::ranges::find(wanted, files) == wanted.end()) {
      wanted.push_back(files);
    }
  }
  std::vector<std::unique_ptr<Application>> earlier = std::exchange(applications_, {});
  for (const std::vector<std::string>& files : wanted) {
    const auto before = std::ranges::find_if(
        earlier, [&](const auto& each) { return each != nullptr && each->files == files; });
    if (before != earlier.end() && !has_changed(**before)) {
      applications_.push_back(std::move(*before));
      continue;
    }
    applications_.push_back(look_at(files));
    if (before != earlier.end()) {
      keep_types(*applications_.back(), **before);
    }
  }
  cache_->forget_unread();
  drop_included();
  changed_.clear();
  has_all_changed_ = false;
}

bool Workspace::has_changed(const Application& application) const {
  return has_all_changed_ || std::ranges::any_of(changed_, [&](const std::string& path) {
           return application.paths.contains(path);
         });
}

std::unique_ptr<Analysis> Workspace::analyse_with(
    const Application& application, const std::map<std::string, std::string>& texts) const {
  AnalysisRequest request = request_for(application.files);
  for (const auto& [path, text] : texts) {
    request.open.insert_or_assign(path, text);
  }
  return analyse(request, *cache_, *failures_);
}

/// A text that is no YAML names no extensions; those that it named before are still meant.
void Workspace::keep_types(Application& application, Application& before) {
  if (application.analysis->catalog.names().empty()) {
    application.last_with_types = before.analysis->catalog.names().empty()
                                      ? std::move(before.last_with_types)
                                      : std::move(before.analysis);
  }
}

/// A file that another open application includes is a part of that one.
void Workspace::drop_included() {
  std::set<const Application*> dropped;
  for (const auto& each : applications_) {
    const bool is_included = std::ranges::any_of(applications_, [&](const auto& other) {
      return other != each && !dropped.contains(other.get()) &&
             other->paths.contains(absolute_path(each->files.front()));
    });
    if (each->files.size() == 1 && is_included) {
      dropped.insert(each.get());
    }
  }
  std::erase_if(applications_, [&](const auto& each) { return dropped.contains(each.get()); });
}

const Workspace::Application* Workspace::application_of(const std::string& path) const {
  const auto found = std::ranges::find_if(
      applications_, [&](const auto& each) { return each->paths.contains(path); });
  return found != applications_.end() ? found->get() : nullptr;
}

const TypeCatalog& Workspace::catalog_for(const std::string& path) {
  const Application* const application = application_of(path);
  if (application != nullptr && application->last_with_types != nullptr) {
    return application->last_with_types->catalog;
  }
  if (application != nullptr && !application->analysis->catalog.names().empty()) {
    return application->analysis->catalog;
  }
  if (types_ == nullptr) {
    types_ = std::make_unique<TypeCatalog>(read_types(request_for({}), *failures_));
  }
  return *types_;
}

std::optional<std::uint16_t> Workspace::source_of(const Analysis& analysis,
                                                  const std::string& path) {
  const SourceMap& sources = analysis.document.sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources.at(static_cast<std::uint16_t>(i));
    if (is_file(source) && absolute_path(source.name) == path) {
      return static_cast<std::uint16_t>(i);
    }
  }
  return std::nullopt;
}

Location Workspace::location_of(std::uint16_t source, const std::string& path,
                                Position position) const {
  const Text* const text = text_of(path);
  return text != nullptr ? text->location_of(position, source) : Location{};
}

FileRange Workspace::range_of(const Analysis& analysis, Location where, std::size_t length) const {
  const Source& source = analysis.document.sources().at(where.source);
  if (!is_file(source)) {
    return {};
  }
  std::string path = absolute_path(source.name);
  if (const Text* const text = text_of(path)) {
    return {std::move(path), text->range_of(where, length)};
  }
  return {std::move(path), Text(source.text).range_of(where, length)};
}

}  // namespace gxr::language
