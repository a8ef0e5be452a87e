#include "graph/expand.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/choice_words.hpp"
#include "document/utf8.hpp"
#include "document/yaml_text.hpp"
#include "graph/entity_places.hpp"
#include "graph/resolve.hpp"
#include "graph/short_form.hpp"
#include "graph/shorten.hpp"
#include "gxr/parameter.hpp"
#include "registry/extension_path.hpp"

namespace gxr {
namespace {

using HandleTexts = std::unordered_map<const Value*, std::string>;

/// Writes block style, two blanks a level; what the author wrote in flow style stays in flow style.
class YamlWriter {
 public:
  void add_document() { text_ += "---\n"; }
  void add_line(std::size_t indent, const std::string& line) {
    text_.append(indent, ' ').append(line).append("\n");
  }
  /// `key` is YAML text. A long one stands on a line of its own, behind "? ".
  void add_entry(std::size_t indent, const std::string& key, const Value& value,
                 const HandleTexts& handles) {
    if (is_short_key(key)) {
      add_value(indent, key + ":", value, handles);
    } else {
      add_line(indent, "? " + key);
      add_value(indent, ":", value, handles);
    }
  }
  /// `head` is what stands before the value on its line: "key:", ":" or "-". Scalars of `handles`
  /// are written as the text given there.
  void add_value(std::size_t indent, const std::string& head, const Value& value,
                 const HandleTexts& handles) {
    const bool collection = (value.is_map() || value.is_sequence()) && value.size() > 0;
    if (!collection || (handles.empty() && (value.flow() || !value.tag().empty()))) {
      const auto handle = handles.find(&value);
      add_line(indent, head + " " + (handle == handles.end() ? value.to_yaml() : handle->second));
      return;
    }
    add_line(indent, head);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.is_map()) {
        add_entry(indent + 2, value.key(i).to_yaml(), value.value(i), handles);
      } else {
        add_value(indent + 2, "-", value.at(i), handles);
      }
    }
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_ = "%YAML 1.2\n";
};

std::string scalar(std::string_view text) { return detail::yaml_of(std::string(text)); }

/// Handles that read differently when their component has the full name of its entity: those
/// written inside of a subgraph, and those that go through an interface.
HandleTexts full_handles(const Graph& graph, const GraphComponent& owner,
                         const ParameterAssignment& assignment) {
  HandleTexts texts;
  for (const HandleReference& handle : assignment.handles) {
    const std::string_view text = handle.value->text();
    const bool own = text.find('/') == std::string_view::npos;
    if (handle.target == kNone) {
      if (assignment.scope != 0 && !own) {
        texts.emplace(handle.value, "<Unspecified>");
      }
      continue;
    }
    const GraphComponent& target = graph.components[handle.target];
    const std::string full = graph.full_name(target);
    if (own ? target.entity != owner.entity || target.name != text : full != text) {
      texts.emplace(handle.value, scalar(full));
    }
  }
  return texts;
}

/// Names of entities in the file of a subgraph, which read differently in the whole application.
HandleTexts full_texts(const Graph& graph, const GraphComponent& component,
                       const ParameterAssignment& assignment) {
  HandleTexts texts = full_handles(graph, component, assignment);
  const std::string& prefix = graph.scopes[assignment.scope].prefix;
  if (prefix.empty() || !places_entities(component, assignment)) {
    return texts;
  }
  for (std::size_t i = 0; i < assignment.value->size(); ++i) {
    const Value& names = assignment.value->value(i);
    if (names.is_scalar()) {
      texts.emplace(&names, scalar(prefix + std::string(names.text())));
    }
    for (std::size_t j = 0; names.is_sequence() && j < names.size(); ++j) {
      texts.emplace(&names.at(j), scalar(prefix + std::string(names.at(j).text())));
    }
  }
  return texts;
}

/// A list or map that a component gets as text, which depends on how it is written.
bool is_yaml_as_text(const ParameterAssignment& assignment) {
  const Value& value = *assignment.value;
  return assignment.info != nullptr && assignment.info->type.kind == ParameterType::Kind::String &&
         (value.is_map() || value.is_sequence()) && !value.flow();
}

void add_parameter(const Graph& graph, const GraphComponent& component, std::string_view key,
                   const ParameterAssignment& assignment, std::size_t indent, YamlWriter& yaml) {
  if (is_yaml_as_text(assignment)) {
    yaml.add_line(indent, scalar(key) + ": " + scalar(detail::parse_string(*assignment.value)));
  } else {
    yaml.add_entry(indent, scalar(key), *assignment.value,
                   full_texts(graph, component, assignment));
  }
}

/// Keys are written as values are; a plain key needs no quotes.
void add_component(const Graph& graph, const GraphComponent& component, YamlWriter& yaml) {
  if (component.name.empty()) {
    yaml.add_line(0, "- type: " + scalar(component.type_name));
  } else {
    yaml.add_line(0, "- name: " + scalar(component.name));
    yaml.add_line(2, "type: " + scalar(component.type_name));
  }
  if (component.parameters.empty()) {
    return;
  }
  yaml.add_line(2, "parameters:");
  for (const ParameterAssignment& assignment : component.parameters) {
    add_parameter(graph, component, assignment.key, assignment, 4, yaml);
  }
}

/// Which file an entity of a subgraph comes from, and who includes that.
void add_origin(const Graph& graph, const GraphEntity& entity, const SourceMap& sources,
                YamlWriter& yaml) {
  if (entity.scope != 0) {
    yaml.add_line(0, printable("# from " + sources.describe(entity.where) + ", included at " +
                               sources.describe(graph.scopes[entity.scope].included_at)));
  }
}

void add_head(const Graph& graph, const GraphEntity& entity, const SourceMap& sources,
              YamlWriter& yaml) {
  yaml.add_document();
  add_origin(graph, entity, sources, yaml);
  if (entity.named) {
    yaml.add_line(0, "name: " + scalar(entity.name));
  }
}

/// In the greatest unit that needs no fraction.
std::string time_text(std::int64_t ns) {
  constexpr std::pair<std::int64_t, const char*> kUnits[] = {
      {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}};
  const auto* const unit =
      std::ranges::find_if(kUnits, [ns](const auto& each) { return ns % each.first == 0; });
  return std::to_string(ns / unit->first) + unit->second;
}

/// With the full names of sources.
std::string deadline_text(const Graph& graph, const DeadlineRule& rule) {
  std::string ages;
  for (const DeadlineRule::Age& age : rule.ages) {
    const std::string name = age.source == kNone ? "" : scalar(graph.entities[age.source].name);
    ages +=
        (ages.empty() ? "" : ", ") + (name.empty() ? "" : name + ": ") + time_text(age.limit_ns);
  }
  const bool is_map = !rule.ages.empty() && rule.ages.front().key != nullptr;
  std::string text = rule.tick_ns ? "tick: " + time_text(*rule.tick_ns) : std::string();
  if (!ages.empty()) {
    text += std::string(text.empty() ? "" : ", ") + "age: " + (is_map ? "{" + ages + "}" : ages);
  }
  return "{" + text + (rule.fails ? ", on_miss: fail}" : "}");
}

/// The keys of an entity beside its components.
void add_rules(const Graph& graph, const GraphEntity& entity, YamlWriter& yaml) {
  if (entity.on_failure != nullptr) {
    yaml.add_entry(0, "on_failure", *entity.on_failure, {});
  }
  if (entity.deadline) {
    yaml.add_line(0, "deadline: " + deadline_text(graph, *entity.deadline));
  }
  if (entity.rank) {
    yaml.add_line(0, "rank: " + std::to_string(entity.rank->rank));
  }
}

void add_entity(const Graph& graph, const GraphEntity& entity, const SourceMap& sources,
                YamlWriter& yaml) {
  add_head(graph, entity, sources, yaml);
  add_rules(graph, entity, yaml);
  yaml.add_line(0, entity.components.empty() ? "components: []" : "components:");
  for (const ComponentId id : entity.components) {
    add_component(graph, graph.components[id], yaml);
  }
}

// --- the short form ----------------------------------------------------------------------------

std::string list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    text += (text.size() > 1 ? ", " : "") + scalar(item);
  }
  return text + "]";
}

/// "{a: 1, b: 2}" below `key`.
void add_flow_map(const char* key, const std::vector<std::string>& entries, YamlWriter& yaml) {
  std::string text;
  for (const std::string& entry : entries) {
    text += (text.empty() ? "" : ", ") + entry;
  }
  if (!entries.empty()) {
    yaml.add_line(0, std::string(key) + ": {" + text + "}");
  }
}

/// The value; of a number that has a word, the word: "pop".
std::string in_words(const ParameterAssignment& assignment) {
  std::string text = assignment.value->to_yaml();
  if (assignment.info != nullptr) {
    const auto choice = std::ranges::find(assignment.info->choices, text, &Choice::name);
    if (choice != assignment.info->choices.end() && !word_of(*choice).empty()) {
      text = word_of(*choice);
    }
  }
  return text;
}

std::string flow_map(const std::vector<const ParameterAssignment*>& assignments) {
  std::string text = "{";
  for (const ParameterAssignment* const assignment : assignments) {
    text += (text.size() > 1 ? ", " : "") + scalar(assignment->key) + ": " + in_words(*assignment);
  }
  return text + "}";
}

void add_short_parameters(const Graph& graph, const ShortText& text, YamlWriter& yaml) {
  const GraphComponent& codelet = *text.codelet;
  bool first = true;
  const auto begin = [&] {
    if (std::exchange(first, false)) {
      yaml.add_line(0, "parameters:");
    }
  };
  for (const ParameterAssignment& assignment : codelet.parameters) {
    if (std::ranges::find(text.made, assignment.key) == text.made.end()) {
      begin();
      add_parameter(graph, codelet, assignment.key, assignment, 2, yaml);
    }
  }
  for (const std::string_view key : text.unspecified) {
    begin();
    yaml.add_line(2, scalar(key) + ": <Unspecified>");
  }
}

void add_short_entity(const Graph& graph, const GraphEntity& entity, const ShortText& text,
                      const SourceMap& sources, YamlWriter& yaml) {
  add_head(graph, entity, sources, yaml);
  yaml.add_line(0, "operator: " + scalar(text.codelet->type_name));
  std::vector<std::string> entries;
  for (const auto& [port, from] : text.inputs) {
    entries.push_back(scalar(port) + ": " + (from.size() == 1 ? scalar(from.front()) : list(from)));
  }
  add_flow_map("inputs", entries, yaml);
  entries.clear();
  for (const ShortText::Port& port : text.ports) {
    entries.push_back(scalar(port.name) + ": " + flow_map(port.settings));
  }
  add_flow_map("ports", entries, yaml);
  for (const auto& [key, assignment] :
       {std::pair("count", text.count), std::pair("period", text.period)}) {
    if (assignment != nullptr) {
      yaml.add_line(0, std::string(key) + ": " + assignment->value->to_yaml());
    }
  }
  if (!text.terms.empty()) {
    yaml.add_line(0, "terms:");
  }
  for (const ComponentId id : text.terms) {
    add_component(graph, graph.components[id], yaml);
  }
  add_rules(graph, entity, yaml);
  add_short_parameters(graph, text, yaml);
}

/// An entity with components of which some are said otherwise; nothing if none is left.
void add_rest(const Graph& graph, const GraphEntity& entity, const std::vector<bool>& without,
              const SourceMap& sources, YamlWriter& yaml) {
  const auto stays = [&](ComponentId id) { return !without[id]; };
  const bool made = entity.name == kShortConnections;  // other connections will have this name
  if (!made && std::ranges::all_of(entity.components, stays)) {
    add_entity(graph, entity, sources, yaml);
    return;
  }
  if ((made || !entity.named) && std::ranges::none_of(entity.components, stays)) {
    return;
  }
  if (made) {
    yaml.add_document();
  } else {
    add_head(graph, entity, sources, yaml);
    add_rules(graph, entity, yaml);
  }
  yaml.add_line(0,
                std::ranges::none_of(entity.components, stays) ? "components: []" : "components:");
  for (const ComponentId id : entity.components) {
    if (stays(id)) {
      add_component(graph, graph.components[id], yaml);
    }
  }
}

void add_groups(const Graph& graph, YamlWriter& yaml) {
  if (graph.groups.size() < 2) {
    return;  // nothing but the default
  }
  yaml.add_document();
  yaml.add_line(0, "EntityGroups:");
  for (std::size_t i = 1; i < graph.groups.size(); ++i) {
    const EntityGroup& group = graph.groups[i];
    yaml.add_line(0, "- name: " + scalar(group.name));
    yaml.add_line(2, group.members.empty() ? "target: []" : "target:");
    for (const EntityId member : group.members) {
      yaml.add_line(2, "- " + scalar(graph.entities[member].name));
    }
  }
}

/// Where the library lies that an app file names, so that the entry means the same in any folder;
/// the entry as it is when there is none (--compat gxf goes on then).
std::string resolved(const Value& entry, const std::string& app_file) {
  const std::filesystem::path found =
      entry.is_scalar() ? first_found(places_of_app_entry(std::string(entry.text()), app_file))
                        : std::filesystem::path();
  return found.empty() ? entry.to_yaml()
                       : scalar(std::filesystem::absolute(found).lexically_normal().string());
}

/// The lists of extensions that files name themselves.
class ExtensionLists {
 public:
  ExtensionLists(const SourceMap& sources, YamlWriter& yaml) : sources_(sources), yaml_(yaml) {}

  void add(const std::vector<DocumentPart>& parts) {
    for (const DocumentPart& part : parts) {
      const Value* list = part.root->find("extensions");
      for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
        if (std::exchange(first_, false)) {
          yaml_.add_document();
          yaml_.add_line(0, "extensions:");
        }
        yaml_.add_line(0, "- " + resolved(list->at(i), sources_.at(part.source).name));
      }
    }
  }

 private:
  const SourceMap& sources_;
  YamlWriter& yaml_;
  bool first_ = true;
};

void add_extensions(const Document& document, YamlWriter& yaml) {
  ExtensionLists extensions(document.sources(), yaml);
  extensions.add(document.parts());
  for (const IncludedFile& file : document.included()) {
    extensions.add(file.parts);
  }
}

std::string write_short(const Graph& graph, const Document& document, const ShortTexts& texts) {
  YamlWriter yaml;
  add_extensions(document, yaml);
  for (const GraphEntity& entity : graph.entities) {
    if (const auto text = texts.entities.find(entity.id); text != texts.entities.end()) {
      add_short_entity(graph, entity, text->second, document.sources(), yaml);
    } else if (!texts.left_out[entity.id]) {
      add_rest(graph, entity, texts.connections, document.sources(), yaml);
    }
  }
  add_groups(graph, yaml);
  return yaml.take();
}

/// Reads the text again and notes in `without` which entities do not come back; false if all do.
bool find_different(const Graph& graph, const std::string& text, const TypeCatalog& catalog,
                    std::vector<bool>& without) {
  Document again;
  Diagnostics problems;
  again.add_text({Source::Kind::Program, "", text}, problems);
  const Graph other = resolve(again, catalog, problems);
  const std::vector<EntityId> different = different_entities(graph, other, catalog);
  bool any = false;
  for (const EntityId id : different) {
    any = any || !without[id];
    without[id] = true;
  }
  if (!different.empty() && !any) {
    without.assign(without.size(), true);
  }
  return !different.empty();
}

}  // namespace

std::string expand(const Graph& graph, const Document& document) {
  YamlWriter yaml;
  add_extensions(document, yaml);
  for (const GraphEntity& entity : graph.entities) {
    add_entity(graph, entity, document.sources(), yaml);
  }
  add_groups(graph, yaml);
  return yaml.take();
}

std::string expand_short(const Graph& graph, const Document& document, const TypeCatalog& catalog) {
  std::vector<bool> without(graph.entities.size());
  for (;;) {
    const ShortTexts texts = shorten(graph, catalog, without);
    if (texts.entities.empty()) {
      return expand(graph, document);
    }
    std::string text = write_short(graph, document, texts);
    if (!find_different(graph, text, catalog, without)) {
      return text;
    }
  }
}

}  // namespace gxr
