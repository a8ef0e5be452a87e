#include "language/completion.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "document/choice_words.hpp"
#include "gxr/plain_text.hpp"
#include "language/entity_lists.hpp"
#include "registry/parameter_text.hpp"
#include "registry/short_ports.hpp"

namespace gxr::language {
namespace {

struct KeyText {
  const char* key;
  const char* detail;
};

constexpr KeyText kDocumentKeys[] = {
    {"name", "the entity's name"},
    {"operator", "the codelet that does the work; gxr makes its queues and terms"},
    {"components", "what the entity consists of"},
    {"extensions", "extension libraries to use"},
    {"interfaces", "names that a subgraph shows"},
    {"prerequisites", "components that a subgraph needs from outside"},
    {"EntityGroups", "entities that share resources"},
    {"start_order", "entities that start before others"},
    {"on_failure", "what follows when a tick fails"},
};
constexpr KeyText kShortDocumentKeys[] = {
    {"name", "the entity's name"},
    {"inputs", "where messages come from: port and entity"},
    {"parameters", "values of the operator's parameters"},
    {"ports", "what differs from the usual queues"},
    {"count", "how often it ticks at most"},
    {"period", "the time between two ticks, as 33ms or 30Hz"},
    {"terms", "further scheduling terms"},
    {"on_failure", "what follows when a tick fails"},
};
constexpr KeyText kPortKeys[] = {
    {"capacity", "messages that the queue holds"},
    {"min_size", "messages, or room for messages, that a tick waits for"},
    {"policy", "what happens to a message for which there is no room"},
};
constexpr KeyText kComponentKeys[] = {
    {"name", "the component's name"},
    {"type", "the component's type"},
    {"parameters", "values of the component's parameters"},
};

using Path = std::vector<std::string>;

/// The text of a scalar without the mark of the cursor.
std::string without_cursor(std::string_view text) {
  std::string result(text);
  std::erase(result, kCursor);
  return result;
}

/// Where a word begins in a text, whatever the case of its letters; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word) {
  return lower_case(text).find(lower_case(word));
}

class Completer {
 public:
  Completer(const CursorPlace& place, const std::vector<OutlineNode>& others,
            const TypeCatalog& catalog)
      : place_(place), others_(others), catalog_(catalog) {}

  std::vector<Completion> complete() {
    const bool is_short = document().find("operator") != nullptr;
    const Path& path = place_.path;
    if (path.empty() && place_.at_key && is_short) {
      add_keys(kShortDocumentKeys, document());
    } else if (path.empty() && place_.at_key) {
      add_keys(kDocumentKeys, document());
    } else if (path.size() >= 2 && (path[0] == "components" || (is_short && path[0] == "terms"))) {
      complete_component();
    } else if (!path.empty() && is_short) {
      complete_short();
    }
    return std::move(found_);
  }

 private:
  template <std::size_t N>
  void add_keys(const KeyText (&keys)[N], const OutlineNode& map) {
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
      add_keys(kComponentKeys, component);
    } else if (path.size() == 3 && path[2] == "type") {
      add_types({});
    } else if (path[2] == "parameters") {
      add_parameters(component.text_of("type"), component.find("parameters"), 3);
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
      add_keys(kPortKeys, *place_.nodes.back());
    }
    const TypeInfo* const type = catalog_.find(without_cursor(type_name));
    if (path.size() != 1 || type == nullptr) {
      return;
    }
    for (const ShortPort& port : short_ports(*type, catalog_).ports) {
      const bool is_input = port.direction == PortInfo::Direction::Input;
      if ((is_input || path[0] == "ports") &&
          (known == nullptr || known->find(port.key) == nullptr)) {
        const std::string key(port.key);
        add(Completion::Kind::Parameter, key, key + ": ", is_input ? "input" : "output");
      }
    }
  }

  /// Sources of messages: entities in the short form, and transmitters of others.
  void add_outputs() {
    for_each_document([&](const OutlineNode& document) {
      const std::string name = without_cursor(document.text_of("name"));
      const TypeInfo* const type = catalog_.find(without_cursor(document.text_of("operator")));
      if (name.empty() || &document == &place_.documents[place_.document] || type == nullptr) {
        return;
      }
      const ShortPorts ports = short_ports(*type, catalog_);
      const auto outputs = ports.keys(PortInfo::Direction::Output);
      if (outputs.size() == 1 || ports.has_free_outputs()) {
        add(Completion::Kind::Entity, name, name, type->name);
      }
      for (const std::string_view output : outputs) {
        if (outputs.size() > 1 || place_.word.find('/') != std::string::npos) {
          const std::string full = name + "/" + std::string(output);
          add(Completion::Kind::Component, full, full, type->name);
        }
      }
    });
    add_components("gxr::Transmitter");
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

  /// The short form has keys of its own for queues, and an allocator of its own.
  void add_parameter_keys(const TypeInfo& type, const OutlineNode* known) {
    const bool is_short = place_.path.front() == "parameters";
    const ShortPorts made = is_short ? short_ports(type, catalog_) : ShortPorts{};
    // Those that must be given come first.
    for (const bool mandatory : {true, false}) {
      for (const ParameterInfo& each : type.parameters) {
        if (made.find(each.key) != nullptr) {
          continue;
        }
        const bool has_allocator =
            std::ranges::find(made.allocators, each.key) != made.allocators.end();
        const bool must_be_given = !each.optional && !each.default_value && !has_allocator;
        if (must_be_given == mandatory && (known == nullptr || known->find(each.key) == nullptr)) {
          add(Completion::Kind::Parameter, each.key, each.key + ": ", facts_of(each),
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

  /// All documents of the application.
  template <class Action>
  void for_each_document(Action&& action) const {
    for (const auto* const documents : {&place_.documents, &others_}) {
      for (const OutlineNode& document : *documents) {
        action(document);
      }
    }
  }

  /// Those of the cursor's entity by their names, then those of others.
  void add_components(std::string_view base) {
    const OutlineNode& own = place_.documents[place_.document];
    const std::string entity = without_cursor(own.text_of("name"));
    std::set<std::string> seen;
    const auto add_those_of = [&](const OutlineNode& document, const std::string& prefix) {
      const OutlineNode* const list = document.find("components");
      for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        const OutlineNode& each = list->items[i];
        const std::string name = without_cursor(each.text_of("name"));
        const std::string type_name = without_cursor(each.text_of("type"));
        const TypeInfo* const type = catalog_.find(type_name);
        if (!name.empty() && type != nullptr && catalog_.is_a(*type, base) &&
            seen.insert(prefix + name).second) {
          add(Completion::Kind::Component, prefix + name, prefix + name, type_name);
        }
      }
    };
    add_those_of(own, "");
    for_each_document([&](const OutlineNode& document) {
      const std::string name = without_cursor(document.text_of("name"));
      if (&document != &own && !name.empty()) {
        add_those_of(document, name == entity ? "" : name + "/");
      }
    });
  }

  void add_entities() {
    std::set<std::string> seen;
    for_each_document([&](const OutlineNode& document) {
      const std::string name = without_cursor(document.text_of("name"));
      if (!name.empty() && seen.insert(name).second) {
        add(Completion::Kind::Entity, name, name);
      }
    });
  }

  const CursorPlace& place_;
  const std::vector<OutlineNode>& others_;
  const TypeCatalog& catalog_;
  std::vector<Completion> found_;
};

}  // namespace

std::vector<Completion> complete(const CursorPlace& place, const std::vector<OutlineNode>& others,
                                 const TypeCatalog& catalog) {
  return Completer(place, others, catalog).complete();
}

}  // namespace gxr::language
