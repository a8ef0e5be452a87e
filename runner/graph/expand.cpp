#include "graph/expand.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "document/utf8.hpp"
#include "document/yaml_text.hpp"
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

/// A list or map that a component gets as text, which depends on how it is written.
bool is_yaml_as_text(const ParameterAssignment& assignment) {
  const Value& value = *assignment.value;
  return assignment.info != nullptr && assignment.info->type.kind == ParameterType::Kind::String &&
         (value.is_map() || value.is_sequence()) && !value.flow();
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
    if (is_yaml_as_text(assignment)) {
      yaml.add_line(
          4, scalar(assignment.key) + ": " + scalar(detail::parse_string(*assignment.value)));
    } else {
      yaml.add_entry(4, scalar(assignment.key), *assignment.value,
                     full_handles(graph, component, assignment));
    }
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

void add_entity(const Graph& graph, const GraphEntity& entity, const SourceMap& sources,
                YamlWriter& yaml) {
  yaml.add_document();
  add_origin(graph, entity, sources, yaml);
  if (entity.named) {
    yaml.add_line(0, "name: " + scalar(entity.name));
  }
  yaml.add_line(0, entity.components.empty() ? "components: []" : "components:");
  for (const ComponentId id : entity.components) {
    add_component(graph, graph.components[id], yaml);
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

}  // namespace

std::string expand(const Graph& graph, const Document& document) {
  YamlWriter yaml;
  ExtensionLists extensions(document.sources(), yaml);
  extensions.add(document.parts());
  for (const IncludedFile& file : document.included()) {
    extensions.add(file.parts);
  }
  for (const GraphEntity& entity : graph.entities) {
    add_entity(graph, entity, document.sources(), yaml);
  }
  add_groups(graph, yaml);
  return yaml.take();
}

}  // namespace gxr
