#include "language/completion.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "document/choice_words.hpp"
#include "graph/subgraphs.hpp"
#include "gxr/plain_text.hpp"
#include "language/entity_lists.hpp"
#include "language/key_texts.hpp"
#include "language/uri.hpp"
#include "registry/parameter_text.hpp"
#include "registry/short_ports.hpp"

namespace gxr::language {
namespace {

using Path = std::vector<std::string>;

constexpr std::size_t kMostFiles = 1000;  // of a folder, in a list

/// Where a word begins in a text, whatever the case of its letters; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word) {
  return lower_case(text).find(lower_case(word));
}

/// Names of YAML files and folders beside others; folders end with a slash.
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    std::error_code ignored;
    const std::string name = each->path().filename().string();
    const bool is_yaml = name.ends_with(".yaml") || name.ends_with(".yml");
    if (name.starts_with('.') || names.size() == kMostFiles) {
      continue;
    }
    if (each->is_directory(ignored)) {
      names.push_back(name + "/");
    } else if (is_yaml && each->is_regular_file(ignored)) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

class Completer {
 public:
  Completer(const CompletionRequest& request, OutlineGraph& graph)
      : request_(request), place_(request.place), graph_(graph), catalog_(graph.catalog()) {}

  std::vector<Completion> complete() {
    const bool is_short = document().find("operator") != nullptr;
    const Path& path = place_.path;
    if (path.empty() && place_.at_key) {
      add_keys(document_keys(is_short), document());
    } else if (path.size() >= 2 && (path[0] == "components" || (is_short && path[0] == "terms"))) {
      complete_component();
    } else if (path.size() >= 2 && path[0] == "interfaces") {
      complete_interface();
    } else if (!path.empty() && is_short) {
      complete_short();
    }
    return std::move(found_);
  }

 private:
  void add_keys(std::span<const KeyText> keys, const OutlineNode& map) {
    for (const KeyText& each : keys) {
      if (map.find(each.key) == nullptr) {
        add(Completion::Kind::Key, each.key, std::string(each.key) + ": ", each.detail);
      }
    }
  }

  void add(Completion::Kind kind, std::string label, std::string insert, std::string detail = {},
           std::string text = {}) {
    found_.push_back(
        {kind, std::move(label), std::move(insert), std::move(detail), std::move(text)});
  }

  /// Those that are a `base`, or all. Names that begin with the word come first; those of GXF come
  /// behind those of gxr.
  void add_types(std::string_view base) {
    const auto types = catalog_.types();
    for (const bool begins : {true, false}) {
      for (const TypeInfo* const type : types) {
        add_type(*type, type->name, base, begins);
      }
      for (const TypeInfo* const type : types) {
        for (const std::string& alias : type->aliases) {
          add_type(*type, alias, base, begins);
        }
      }
    }
  }

  void add_type(const TypeInfo& type, const std::string& name, std::string_view base, bool begins) {
    const std::size_t at = find_word(name, place_.word);
    if (!base.empty() && !catalog_.is_a(type, base)) {
      return;
    }
    if (type.component && !type.abstract && at != std::string_view::npos && (at == 0) == begins) {
      add(Completion::Kind::Type, name, name, type.headline,
          name == type.name ? type.description : "The same as " + type.name);
    }
  }

  [[nodiscard]] const OutlineNode& document() const { return *place_.nodes.front(); }

  /// In an entry of a list of components, whose map is two levels down from the document.
  void complete_component() {
    const Path& path = place_.path;
    const OutlineNode& component = *place_.nodes[std::min<std::size_t>(2, place_.nodes.size() - 1)];
    if (path.size() == 2) {
      add_keys(component_keys(), component);
    } else if (path.size() == 3 && path[2] == "type") {
      add_types({});
    } else if (path[2] == "parameters" && path.size() > 3 && path[3] == "location" &&
               is_subgraph_type(component.text_of("type"))) {
      add_files();
    } else if (path[2] == "parameters") {
      add_parameters(component.text_of("type"), component.find("parameters"), 3);
    }
  }

  /// In an entry of a subgraph's list of names.
  void complete_interface() {
    const Path& path = place_.path;
    if (path.size() == 2) {
      add_keys(interface_keys(), *place_.nodes.back());
    } else if (path[2] == "target") {
      add_components({});
    }
  }

  void complete_short() {
    const Path& path = place_.path;
    const std::string_view type_name = document().text_of("operator");
    if (path[0] == "operator") {
      add_types("gxr::Codelet");
    } else if (path[0] == "parameters") {
      add_parameters(type_name, document().find("parameters"), 1);
    } else if (path[0] == "inputs" && path.size() >= 2) {
      add_outputs();
    } else if (path[0] == "inputs" || path[0] == "ports") {
      complete_ports(type_name);
    }
  }

  void complete_ports(std::string_view type_name) {
    const Path& path = place_.path;
    const OutlineNode* const known = document().find(path[0]);
    if (path.size() == 2) {
      add_keys(port_keys(), *place_.nodes.back());
    } else if (path.size() == 3) {
      add_setting(path[1], path[2]);
    }
    const TypeInfo* const type = catalog_.find(without_cursor(type_name));
    if (path.size() != 1 || type == nullptr) {
      return;
    }
    for (const ShortPort& port : graph_.ports_of(*type).ports) {
      const bool is_input = port.direction == PortInfo::Direction::Input;
      if ((is_input || path[0] == "ports") &&
          (known == nullptr || known->find(port.key) == nullptr)) {
        const std::string key(port.key);
        add(Completion::Kind::Parameter, key, key + ": ", is_input ? "input" : "output");
      }
    }
  }

  /// Values for a queue that the short form makes.
  void add_setting(const std::string& port, const std::string& key) {
    for (const OutlineComponent& queue : graph_.components_of(document(), request_.path)) {
      const auto parameter = std::ranges::find(queue.type->parameters, key, &ParameterInfo::key);
      if (queue.name == port && parameter != queue.type->parameters.end()) {
        add_values(*queue.type, *parameter);
      }
    }
  }

  /// Sources of messages: entities with one output, and the outputs of others.
  void add_outputs() {
    for_each_document([&](const OutlineNode& document, const std::string& path) {
      const std::string name = without_cursor(document.text_of("name"));
      if (name.empty() || &document == &place_.documents[place_.document]) {
        return;
      }
      std::vector<OutlineComponent> outputs = graph_.components_of(document, path);
      std::erase_if(outputs, [&](const OutlineComponent& each) {
        return !catalog_.is_a(*each.type, "gxr::Transmitter");
      });
      const std::string type_name = without_cursor(document.text_of("operator"));
      const TypeInfo* const type = catalog_.find(type_name);
      if (outputs.size() == 1 || (type != nullptr && graph_.ports_of(*type).has_free_outputs())) {
        add(Completion::Kind::Entity, name, name, described(document, path));
      }
      for (const OutlineComponent& output : outputs) {
        if (outputs.size() > 1 || place_.word.find('/') != std::string::npos) {
          const std::string full = name + "/" + output.name;
          add(Completion::Kind::Component, full, full, described(document, path));
        }
      }
    });
  }

  /// A description of an entity in a few words.
  std::string described(const OutlineNode& document, const std::string& path) {
    const std::vector<std::string> files = graph_.included_by(document, path);
    return files.empty() ? without_cursor(document.text_of("operator"))
                         : "subgraph " + std::filesystem::path(files.front()).filename().string();
  }

  /// Files of subgraphs, relative to the folders in which they are looked for.
  void add_files() {
    const std::string& word = place_.word;
    const std::string folder_in_word = word.substr(0, word.rfind('/') + 1);
    std::set<std::string> seen;
    for (const std::string& folder : graph_.folders_for(request_.path)) {
      for (const std::string& name : names_in(std::filesystem::path(folder) / folder_in_word)) {
        const std::filesystem::path file = std::filesystem::path(folder) / folder_in_word / name;
        if (absolute_path(file.string()) != request_.path && seen.insert(name).second) {
          add(Completion::Kind::File, folder_in_word + name, folder_in_word + name);
        }
      }
    }
  }

  /// `depth`: keys of the path in front of the parameter's.
  void add_parameters(std::string_view type_name, const OutlineNode* given, std::size_t depth) {
    const TypeInfo* const type = catalog_.find(without_cursor(type_name));
    if (type == nullptr) {
      return;
    }
    if (place_.path.size() == depth) {
      add_parameter_keys(*type, given);
      return;
    }
    const auto parameter =
        std::ranges::find(type->parameters, place_.path[depth], &ParameterInfo::key);
    if (parameter != type->parameters.end()) {
      add_values(*type, *parameter);
    }
  }

  /// The short form has keys of its own for queues. What it makes itself comes last.
  void add_parameter_keys(const TypeInfo& type, const OutlineNode* known) {
    const bool is_short = place_.path.front() == "parameters";
    const ShortPorts made = is_short ? graph_.ports_of(type) : ShortPorts{};
    const auto rank = [&](const ParameterInfo& each) {
      const bool is_made = each.key == made.end ||
                           std::ranges::find(made.allocators, each.key) != made.allocators.end();
      return is_made ? 2 : !each.optional && !each.default_value ? 0 : 1;
    };
    // Those that must be given come first.
    for (const int wanted : {0, 1, 2}) {
      for (const ParameterInfo& each : type.parameters) {
        if (made.find(each.key) == nullptr && rank(each) == wanted &&
            (known == nullptr || known->find(each.key) == nullptr)) {
          add(Completion::Kind::Parameter, each.key, each.key + ": ",
              wanted == 2 ? "gxr makes one where it is left out" : facts_of(each),
              each.headline + (each.description.empty() ? "" : "\n\n" + each.description));
        }
      }
    }
  }

  void add_values(const TypeInfo& type, const ParameterInfo& parameter) {
    const ParameterType& element = element_of(parameter.type);
    if (element.kind == ParameterType::Kind::Bool) {
      add(Completion::Kind::Value, "true", "true");
      add(Completion::Kind::Value, "false", "false");
    }
    for (const auto* const choices : {&parameter.choices, &element.choices}) {
      for (const Choice& choice : *choices) {
        const std::string_view word = word_of(choice);
        const std::string text(word.empty() ? std::string_view(choice.name) : word);
        add(Completion::Kind::Value, text, text, std::string(text_beside_word(choice)));
      }
    }
    if (element.kind == ParameterType::Kind::Handle) {
      add_components(element.name);
    } else if (names_entities(type, parameter)) {
      add_entities();
    }
  }

  /// All documents whose names have a meaning here, with their files.
  template <class Action>
  void for_each_document(Action&& action) const {
    for (const OutlineNode& document : place_.documents) {
      action(document, request_.path);
    }
    for (const OutlineFile& file : request_.others) {
      for (const OutlineNode& document : file.documents) {
        action(document, file.path);
      }
    }
  }

  /// Those of the cursor's entity by their names, then those of others. `base`: their type, or
  /// one that they are derived from; "" for all.
  void add_components(std::string_view base) {
    const OutlineNode& own = place_.documents[place_.document];
    const std::string entity = without_cursor(own.text_of("name"));
    std::set<std::string> seen;
    const auto add_those_of = [&](const OutlineNode& document, const std::string& path,
                                  const std::string& prefix) {
      for (const OutlineComponent& each : graph_.components_of(document, path)) {
        if ((base.empty() || catalog_.is_a(*each.type, base)) &&
            seen.insert(prefix + each.name).second) {
          add(Completion::Kind::Component, prefix + each.name, prefix + each.name, each.type->name);
        }
      }
    };
    add_those_of(own, request_.path, "");
    for_each_document([&](const OutlineNode& document, const std::string& path) {
      const std::string name = without_cursor(document.text_of("name"));
      if (&document != &own && !name.empty()) {
        add_those_of(document, path, name == entity ? "" : name + "/");
      }
    });
  }

  void add_entities() {
    std::set<std::string> seen;
    for_each_document([&](const OutlineNode& document, const std::string& /*path*/) {
      const std::string name = without_cursor(document.text_of("name"));
      if (!name.empty() && seen.insert(name).second) {
        add(Completion::Kind::Entity, name, name);
      }
    });
  }

  const CompletionRequest& request_;
  const CursorPlace& place_;
  OutlineGraph& graph_;
  const TypeCatalog& catalog_;
  std::vector<Completion> found_;
};

}  // namespace

std::vector<Completion> complete(const CompletionRequest& request, OutlineGraph& graph) {
  return Completer(request, graph).complete();
}

}  // namespace gxr::language
