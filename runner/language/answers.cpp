#include "language/answers.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/utf8.hpp"
#include "graph/short_form.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "language/completion.hpp"
#include "language/hover.hpp"
#include "language/key_texts.hpp"
#include "language/uri.hpp"

namespace gxr::language {
namespace {

// Numbers of the protocol.
constexpr int kSeverityError = 1;
constexpr int kSeverityWarning = 2;
constexpr int kSymbolClass = 5;
constexpr int kSymbolField = 8;
constexpr int kItemField = 5;
constexpr int kItemVariable = 6;
constexpr int kItemClass = 7;
constexpr int kItemProperty = 10;
constexpr int kItemEnumMember = 20;
constexpr int kItemModule = 9;
constexpr int kItemFile = 17;

Position position_in(const Json& json) {
  return {json.at("line").get<std::uint32_t>(), json.at("character").get<std::uint32_t>()};
}

Json to_json(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json to_json(const Range& range) {
  return {{"start", to_json(range.begin)}, {"end", to_json(range.end)}};
}

Json to_json(const FileRange& place, const Workspace& workspace) {
  return {{"uri", workspace.uri_of(place.path)}, {"range", to_json(place.range)}};
}

int item_kind(Completion::Kind kind) {
  switch (kind) {
    case Completion::Kind::Key:
      return kItemField;
    case Completion::Kind::Parameter:
      return kItemProperty;
    case Completion::Kind::Type:
      return kItemClass;
    case Completion::Kind::Value:
      return kItemEnumMember;
    case Completion::Kind::Component:
      return kItemVariable;
    case Completion::Kind::Entity:
      return kItemModule;
    case Completion::Kind::File:
      return kItemFile;
  }
  return kItemField;
}

/// The other files of the application in which names of entities have the same meaning: those that
/// the editor names together, or that one subgraph includes.
std::vector<OutlineFile> files_beside(Workspace& workspace, const std::string& path,
                                      OutlineGraph& graph) {
  std::set<std::string> paths;
  const Workspace::Application* const application = workspace.application_of(path);
  if (application == nullptr) {
    return {};
  }
  for (const std::string& file : application->files) {
    paths.insert(absolute_path(file));
  }
  if (!paths.contains(path)) {
    paths.clear();
    for (const std::string& file : application->paths) {
      for (const OutlineNode& document : read_outline(workspace.read(file))) {
        const std::vector<std::string> included = graph.included_by(document, file);
        if (std::ranges::find(included, path) != included.end()) {
          paths.insert(included.begin(), included.end());
        }
      }
    }
  }
  paths.erase(path);
  std::vector<OutlineFile> files;
  for (const std::string& each : paths) {
    files.push_back({each, read_outline(workspace.read(each))});
  }
  return files;
}

/// The name under the cursor, as one application knows it.
struct Found {
  const Workspace::Application* application = nullptr;
  const Name* name = nullptr;
};

/// Of all applications that have the file.
std::vector<Found> find_all(Workspace& workspace, const Json& parameters) {
  workspace.refresh();
  const std::string path = path_in(parameters);
  const Position position = position_in(parameters.at("position"));
  std::vector<Found> all;
  for (const auto& application : workspace.applications()) {
    const auto source = Workspace::source_of(*application->analysis, path);
    if (!source) {
      continue;
    }
    const Name* const name =
        name_at(application->names(), workspace.location_of(*source, path, position));
    if (name != nullptr) {
      all.push_back({application.get(), name});
    }
  }
  return all;
}

Found find_name(Workspace& workspace, const Json& parameters) {
  const std::vector<Found> all = find_all(workspace, parameters);
  return all.empty() ? Found{} : all.front();
}

FileRange place_of(const Workspace& workspace, const Found& found, const Name& name) {
  return workspace.range_of(*found.application->analysis, name.where, name.length);
}

/// Where the names stand that mean the same and are wanted, each place once.
template <class Wanted>
std::vector<FileRange> places_of(const Workspace& workspace, const std::vector<Found>& all,
                                 Wanted&& wanted) {
  std::vector<FileRange> places;
  for (const Found& found : all) {
    for (const Name& each : found.application->names()) {
      if (each.means_same(*found.name) && wanted(each)) {
        const FileRange place = place_of(workspace, found, each);
        if (std::ranges::find(places, place) == places.end()) {
          places.push_back(place);
        }
      }
    }
  }
  return places;
}

bool can_be_renamed(const Name& name) {
  using Kind = Name::Kind;
  return name.kind == Kind::Entity || name.kind == Kind::Component || name.kind == Kind::Host ||
         name.kind == Kind::Shown;
}

/// Where lists of extensions in an application or a manifest name a file.
std::vector<FileRange> mentions_of(const ExtensionFile& file, const Analysis& analysis) {
  std::vector<FileRange> places;
  const SourceMap& sources = analysis.document.sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources.at(static_cast<std::uint16_t>(i));
    if (source.kind != Source::Kind::File) {
      continue;
    }
    const Text text(source.text);
    for (const OutlineNode& document : read_outline(source.text)) {
      const OutlineNode* const list = document.find("extensions");
      for (std::size_t j = 0; list != nullptr && j < list->items.size(); ++j) {
        const OutlineNode& item = list->items[j];
        if (std::filesystem::path(item.text).filename() == file.path.filename()) {
          places.push_back({absolute_path(source.name),
                            {text.position_of(item.begin), text.position_of(item.end)}});
        }
      }
    }
  }
  return places;
}

/// Of a type: its Python file, or what names its library, which no editor can show.
std::vector<FileRange> definition_of(const TypeInfo& type, const Analysis& analysis) {
  const ExtensionFile* const file = analysis.catalog.file_of(type);
  if (file == nullptr || file->provided) {
    return {};
  }
  std::error_code ignored;
  if (file->is_python && std::filesystem::is_regular_file(file->path, ignored)) {
    return {{absolute_path(file->path.string()), {}}};
  }
  return mentions_of(*file, analysis);
}

/// Of a component that the short form makes: what names the operator of its entity.
std::vector<FileRange> definition_of_made(const Workspace& workspace, const Found& found) {
  const Analysis& analysis = *found.application->analysis;
  const GraphComponent& made = analysis.graph.components[found.name->component];
  for (const ComponentId id : analysis.graph.entities[made.entity].components) {
    const GraphComponent& each = analysis.graph.components[id];
    if (made.written != 0 && each.written != 0 && each.name == kShortCodelet) {
      return {workspace.range_of(analysis, each.type_location, each.written)};
    }
  }
  return {};
}

/// A key that no type declares, as the lines of the text tell.
Json hover_of_key(const Workspace& workspace, const Json& parameters) {
  const Text* const text = workspace.text_of(path_in(parameters));
  const auto place =
      text != nullptr
          ? find_cursor(text->all(), text->offset_of(position_in(parameters.at("position"))))
          : std::nullopt;
  if (!place || !place->at_key || place->nodes.empty()) {
    return nullptr;
  }
  for (const OutlineEntry& entry : place->nodes.back()->entries) {
    const std::string key = without_cursor(entry.key);
    const bool is_short = place->nodes.front()->find("operator") != nullptr ||
                          (place->path.empty() && key == "operator");
    for (const KeyText& each : keys_at(place->path, is_short)) {
      if (entry.key.size() > key.size() && key == each.key) {
        const Range range{text->position_of(entry.begin), text->position_of(entry.end - 1)};
        return {{"contents", {{"kind", "markdown"}, {"value", "**" + key + "**: " + each.detail}}},
                {"range", to_json(range)}};
      }
    }
  }
  return nullptr;
}

/// A name of an entity or component.
void require_name(const std::string& name) {
  const bool has_bad = std::ranges::any_of(name, [](char c) {
    return std::string_view("/:#{}[],&*!|>'\"%@`\\ \t\n\r").find(c) != std::string_view::npos;
  });
  const bool is_null = name == "~" || lower_case(name) == "null";
  if (name.empty() || has_bad || is_null || name.starts_with('-')) {
    throw Error(ErrorCode::InvalidArgument, quote_text(name) + " cannot be a name");
  }
}

/// The short form makes components, and subgraphs entities, whose names stand nowhere.
void require_definition(const Found& found) {
  const bool is_defined = std::ranges::any_of(found.application->names(), [&](const Name& each) {
    return each.defines && each.means_same(*found.name);
  });
  if (!is_defined) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(found.name->text) + " has its name from gxr, and no other");
  }
}

/// The files with a new name in all places.
std::map<std::string, std::string> texts_with(const Workspace& workspace,
                                              const Workspace::Application& application,
                                              std::vector<FileRange> places,
                                              const std::string& name) {
  std::ranges::sort(places, [](const FileRange& a, const FileRange& b) {
    return b.range.begin < a.range.begin;  // the last first: those before stay where they are
  });
  std::map<std::string, Text> texts;
  const SourceMap& sources = application.analysis->document.sources();
  for (const FileRange& place : places) {
    const auto source = Workspace::source_of(*application.analysis, place.path);
    if (!source) {
      continue;
    }
    const Text* const open = workspace.text_of(place.path);
    const auto text =
        texts.try_emplace(place.path, open != nullptr ? *open : Text(sources.at(*source).text));
    text.first->second.replace(place.range, name);
  }
  std::map<std::string, std::string> all;
  for (const auto& [path, text] : texts) {
    all.emplace(path, text.all());
  }
  return all;
}

/// Refuses a rename after which the application would be another one: another thing has the name,
/// or a place was not found.
void require_same_meaning(const Workspace& workspace, const Workspace::Application& application,
                          const std::vector<FileRange>& places, const std::string& name) {
  const Analysis& before = *application.analysis;
  const auto after =
      workspace.analyse_with(application, texts_with(workspace, application, places, name));
  const bool is_same = after->graph.entities.size() == before.graph.entities.size() &&
                       after->graph.components.size() == before.graph.components.size() &&
                       after->graph.links.size() == before.graph.links.size() &&
                       after->diagnostics.errors() <= before.diagnostics.errors();
  if (!is_same) {
    std::string why;
    for (const Diagnostic& each : after->diagnostics.all()) {
      if (why.empty() && each.severity == Severity::Error) {
        why = ": " + each.text;
      }
    }
    throw Error(ErrorCode::InvalidArgument, "with the name " + quote_text(name) +
                                                " the application would be another one" + why);
  }
}

Json symbol(const std::string& name, const std::string& detail, int kind, const Range& whole,
            const Range& selected) {
  return {{"name", name.empty() ? "(unnamed)" : name},
          {"detail", detail},
          {"kind", kind},
          {"range", to_json(whole)},
          {"selectionRange", to_json(selected)},
          {"children", Json::array()}};
}

const OutlineEntry* entry_of(const OutlineNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &OutlineEntry::key);
  return found != map.entries.end() ? &*found : nullptr;
}

Json symbol_of_component(const OutlineNode& component, const Text& text) {
  const OutlineEntry* const name = entry_of(component, "name");
  const OutlineEntry* const type = entry_of(component, "type");
  const OutlineEntry* const shown = name != nullptr ? name : type;
  if (shown == nullptr) {
    return nullptr;
  }
  const Range range{text.position_of(shown->value.begin), text.position_of(shown->value.end)};
  const std::string& type_name = type != nullptr ? type->value.text : shown->value.text;
  return symbol(shown->value.text, shown == type ? "" : type_name, kSymbolField, range, range);
}

Json symbol_of_document(const OutlineNode& document, const Text& text) {
  const OutlineEntry* const name = entry_of(document, "name");
  const OutlineNode* const components = document.find("components");
  if (document.entries.empty()) {
    return nullptr;
  }
  const OutlineEntry& first = document.entries.front();
  const Range whole{text.position_of(document.begin), text.position_of(document.end)};
  const Range selected =
      name != nullptr
          ? Range{text.position_of(name->value.begin), text.position_of(name->value.end)}
          : Range{text.position_of(first.begin), text.position_of(first.end)};
  Json json = symbol(name != nullptr ? name->value.text : "",
                     std::string(document.text_of("operator")), kSymbolClass, whole, selected);
  for (std::size_t i = 0; components != nullptr && i < components->items.size(); ++i) {
    if (Json component = symbol_of_component(components->items[i], text); !component.is_null()) {
      json["children"].push_back(std::move(component));
    }
  }
  return json;
}

/// The texts that a hint proposes: "did you mean 'x' or 'y'?".
std::vector<std::string> proposed_by(std::string_view hint) {
  constexpr std::string_view kBegin = "did you mean '";
  constexpr std::string_view kBetween = "' or '";
  std::vector<std::string> proposed;
  std::size_t begin = hint.find(kBegin);
  const std::size_t end = hint.find("'?", std::min(begin, hint.size()));
  if (end == std::string_view::npos) {
    return proposed;
  }
  for (begin += kBegin.size(); begin < end;) {
    const std::size_t next = std::min(hint.find(kBetween, begin), end);
    proposed.emplace_back(hint.substr(begin, next - begin));
    begin = next + kBetween.size();
  }
  return proposed;
}

/// Of "entity/component" a hint may say the wrong half alone.
std::string in_place_of(const std::string& old, std::string proposed) {
  const std::size_t slash = old.find('/');
  if (slash != std::string::npos && proposed.find('/') == std::string::npos) {
    proposed = old.substr(0, slash + 1) + proposed;
  }
  return old.starts_with('"') || old.starts_with('\'') ? old.front() + proposed + old.front()
                                                       : proposed;
}

bool meet(const Range& a, const Range& b) { return !(b.end < a.begin) && !(a.end < b.begin); }

Json to_json(const FileDiagnostic& each, const Workspace& workspace) {
  const Diagnostic& diagnostic = each.diagnostic;
  Json json{
      {"range", to_json(each.where.range)},
      {"severity", diagnostic.severity == Severity::Error ? kSeverityError : kSeverityWarning},
      {"code", info(diagnostic.code).name},
      {"source", "gxr"},
      {"message", diagnostic.text + (diagnostic.hint.empty() ? "" : "\nhint: " + diagnostic.hint)}};
  Json related = Json::array();
  for (std::size_t i = 0; i < each.related.size(); ++i) {
    if (!each.related[i].path.empty()) {
      related.push_back({{"location", to_json(each.related[i], workspace)},
                         {"message", diagnostic.related[i].text}});
    }
  }
  if (!related.empty()) {
    json["relatedInformation"] = std::move(related);
  }
  return json;
}

}  // namespace

std::string path_in(const Json& parameters) {
  return absolute_path(path_of_uri(parameters.at("textDocument").at("uri").get<std::string>()));
}

Range range_in(const Json& json) {
  return {position_in(json.at("start")), position_in(json.at("end"))};
}

Json complete(Workspace& workspace, const Json& parameters) {
  const std::string path = path_in(parameters);
  const Text* const text = workspace.text_of(path);
  Json items = Json::array();
  if (text == nullptr) {
    return items;
  }
  const std::size_t cursor = text->offset_of(position_in(parameters.at("position")));
  const std::optional<CursorPlace> place = find_cursor(text->all(), cursor);
  if (!place) {
    return items;
  }
  OutlineGraph graph(
      workspace.catalog_for(path), [&](const std::string& file) { return workspace.read(file); },
      workspace.options().root);
  const CompletionRequest request{*place, path, files_beside(workspace, path, graph)};
  // A quote in front of the word stays.
  const Range word{text->position_of(cursor - place->word.size()), text->position_of(cursor)};
  std::size_t number = 0;
  for (const Completion& each : complete(request, graph)) {
    std::string order = std::to_string(number++);
    order.insert(0, 6 - std::min<std::size_t>(order.size(), 6), '0');
    Json item{{"label", each.label},
              {"kind", item_kind(each.kind)},
              {"sortText", order},
              {"textEdit", {{"range", to_json(word)}, {"newText", each.insert}}}};
    if (!each.detail.empty()) {
      item["detail"] = each.detail;
    }
    if (!each.text.empty()) {
      item["documentation"] = {{"kind", "markdown"}, {"value", each.text}};
    }
    items.push_back(std::move(item));
  }
  return items;
}

Json hover(Workspace& workspace, const Json& parameters) {
  const Found found = find_name(workspace, parameters);
  const std::string text =
      found.name != nullptr ? hover_text(*found.name, *found.application->analysis) : "";
  if (text.empty()) {
    return hover_of_key(workspace, parameters);
  }
  return {{"contents", {{"kind", "markdown"}, {"value", text}}},
          {"range", to_json(place_of(workspace, found, *found.name).range)}};
}

Json find_definition(Workspace& workspace, const Json& parameters) {
  const std::vector<Found> all = find_all(workspace, parameters);
  if (all.empty()) {
    return Json::array();
  }
  const Name& name = *all.front().name;
  std::vector<FileRange> found =
      places_of(workspace, all, [](const Name& name_of) { return name_of.defines; });
  if (name.kind == Name::Kind::Subgraph) {
    found.push_back({absolute_path(name.file), {}});
  } else if (name.kind == Name::Kind::Type && name.type != nullptr) {
    found = definition_of(*name.type, *all.front().application->analysis);
  } else if (name.kind == Name::Kind::Component && found.empty()) {
    found = definition_of_made(workspace, all.front());
  }
  Json places = Json::array();
  for (const FileRange& each : found) {
    places.push_back(to_json(each, workspace));
  }
  return places;
}

Json find_references(Workspace& workspace, const Json& parameters) {
  const bool with_definition =
      !parameters.contains("context") || parameters.at("context").value("includeDeclaration", true);
  Json places = Json::array();
  for (const FileRange& each :
       places_of(workspace, find_all(workspace, parameters),
                 [&](const Name& name) { return with_definition || !name.defines; })) {
    places.push_back(to_json(each, workspace));
  }
  return places;
}

Json prepare_rename(Workspace& workspace, const Json& parameters) {
  const Found found = find_name(workspace, parameters);
  if (found.name == nullptr || !can_be_renamed(*found.name)) {
    return nullptr;
  }
  return {{"range", to_json(place_of(workspace, found, *found.name).range)},
          {"placeholder", found.name->text}};
}

Json rename(Workspace& workspace, const Json& parameters) {
  const auto name = parameters.at("newName").get<std::string>();
  const std::vector<Found> all = find_all(workspace, parameters);
  if (all.empty() || !can_be_renamed(*all.front().name)) {
    throw Error(ErrorCode::InvalidArgument, "only names of entities and components can be changed");
  }
  require_name(name);
  require_definition(all.front());
  const std::vector<FileRange> places =
      places_of(workspace, all, [](const Name& /*each*/) { return true; });
  for (const Found& found : all) {
    require_same_meaning(workspace, *found.application, places, name);
  }
  Json changes = Json::object();
  for (const FileRange& place : places) {
    changes[workspace.uri_of(place.path)].push_back(
        {{"range", to_json(place.range)}, {"newText", name}});
  }
  return {{"changes", std::move(changes)}};
}

Json list_symbols(Workspace& workspace, const Json& parameters) {
  Json symbols = Json::array();
  const Text* const text = workspace.text_of(path_in(parameters));
  if (text == nullptr) {
    return symbols;
  }
  for (const OutlineNode& document : read_outline(text->all())) {
    if (Json each = symbol_of_document(document, *text); !each.is_null()) {
      symbols.push_back(std::move(each));
    }
  }
  return symbols;
}

Json list_fixes(Workspace& workspace, const Json& parameters) {
  workspace.refresh();
  Json fixes = Json::array();
  const std::string path = path_in(parameters);
  const Text* const text = workspace.text_of(path);
  const Workspace::Application* const application = workspace.application_of(path);
  if (text == nullptr || application == nullptr) {
    return fixes;
  }
  const Range range = range_in(parameters.at("range"));
  for (const FileDiagnostic& each : application->diagnostics) {
    if (each.where.path != path || !meet(each.where.range, range)) {
      continue;
    }
    const std::size_t begin = text->offset_of(each.where.range.begin);
    const std::string old =
        text->all().substr(begin, text->offset_of(each.where.range.end) - begin);
    for (const std::string& proposed : proposed_by(each.diagnostic.hint)) {
      const std::string fixed = in_place_of(old, proposed);
      Json edits;
      edits[workspace.uri_of(path)] = {{{"range", to_json(each.where.range)}, {"newText", fixed}}};
      fixes.push_back({{"title", "Change " + old + " to " + fixed},
                       {"kind", "quickfix"},
                       {"diagnostics", {to_json(each, workspace)}},
                       {"edit", {{"changes", std::move(edits)}}}});
    }
  }
  return fixes;
}

Json diagnostics_of(const Workspace::Application& application, const std::string& path,
                    const Workspace& workspace) {
  Json diagnostics = Json::array();
  for (const FileDiagnostic& each : application.diagnostics) {
    if (each.where.path == path) {
      diagnostics.push_back(to_json(each, workspace));
    }
  }
  return diagnostics;
}

}  // namespace gxr::language
