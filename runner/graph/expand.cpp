#include "graph/expand.hpp"

#include <filesystem>
#include <string>
#include <string_view>

#include "gxr/parameter.hpp"
#include "registry/extension_path.hpp"

namespace gxr {
namespace {

/// Writes block style, two blanks a level; what the author wrote in flow style stays in flow style.
class YamlWriter {
 public:
  void add_document() { text_ += "---\n"; }
  void add_line(std::size_t indent, const std::string& line) {
    text_.append(indent, ' ').append(line).append("\n");
  }
  /// `head` is what stands before the value on its line: "key:" or "-".
  void add_value(std::size_t indent, const std::string& head, const Value& value) {
    const bool block = (value.is_map() || value.is_sequence()) && !value.flow() && value.size() > 0;
    if (!block || !value.tag().empty()) {
      add_line(indent, head + " " + value.to_yaml());
      return;
    }
    add_line(indent, head);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.is_map()) {
        add_value(indent + 2, value.key(i).to_yaml() + ":", value.value(i));
      } else {
        add_value(indent + 2, "-", value.at(i));
      }
    }
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_ = "%YAML 1.2\n";
};

std::string scalar(std::string_view text) { return detail::yaml_of(std::string(text)); }

/// Keys are written as values are; a plain key needs no quotes.
void add_component(const GraphComponent& component, YamlWriter& yaml) {
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
    yaml.add_value(4, scalar(assignment.key) + ":", *assignment.value);
  }
}

void add_entity(const Graph& graph, const GraphEntity& entity, YamlWriter& yaml) {
  yaml.add_document();
  if (entity.named) {
    yaml.add_line(0, "name: " + scalar(entity.name));
  }
  yaml.add_line(0, entity.components.empty() ? "components: []" : "components:");
  for (const ComponentId id : entity.components) {
    add_component(graph.components[id], yaml);
  }
}

void add_groups(const Graph& graph, YamlWriter& yaml) {
  if (graph.groups.empty()) {
    return;
  }
  yaml.add_document();
  yaml.add_line(0, "EntityGroups:");
  for (const EntityGroup& group : graph.groups) {
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

/// The lists of extensions that the files name themselves.
void add_extensions(const Document& document, YamlWriter& yaml) {
  bool first = true;
  for (const DocumentPart& part : document.parts()) {
    const Value* list = part.root->find("extensions");
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      if (first) {
        yaml.add_document();
        yaml.add_line(0, "extensions:");
        first = false;
      }
      yaml.add_line(0, "- " + resolved(list->at(i), document.sources().at(part.source).name));
    }
  }
}

}  // namespace

std::string expand(const Graph& graph, const Document& document) {
  YamlWriter yaml;
  add_extensions(document, yaml);
  for (const GraphEntity& entity : graph.entities) {
    add_entity(graph, entity, yaml);
  }
  add_groups(graph, yaml);
  return yaml.take();
}

}  // namespace gxr
