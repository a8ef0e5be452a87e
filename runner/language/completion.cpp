#include "language/completion.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

#include "document/choice_words.hpp"
#include "gxr/plain_text.hpp"
#include "registry/parameter_text.hpp"

namespace gxr::language {
namespace {

struct KeyText {
  const char* key;
  const char* detail;
};

constexpr KeyText kDocumentKeys[] = {
    {"name", "the entity's name"},
    {"components", "what the entity consists of"},
    {"extensions", "extension libraries to use"},
    {"interfaces", "names that a subgraph shows"},
    {"prerequisites", "components that a subgraph needs from outside"},
    {"EntityGroups", "entities that share resources"},
    {"start_order", "entities that start before others"},
};
constexpr KeyText kComponentKeys[] = {
    {"name", "the component's name"},
    {"type", "the component's type"},
    {"parameters", "values of the component's parameters"},
};

using Path = std::vector<std::string>;

bool is_path(const Path& path, std::initializer_list<std::string_view> keys) {
  return std::ranges::equal(path, keys);
}

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

/// The type inside of lists.
const ParameterType& element_of(const ParameterType& type) {
  return type.of.empty() || type.kind == ParameterType::Kind::Pair ? type
                                                                   : element_of(type.of.front());
}

bool names_entities(std::string_view type, std::string_view key) {
  constexpr std::string_view kKeys[] = {"entities", "body", "then", "else", "cases"};
  return type.find("::cuda::") != std::string_view::npos &&
         std::ranges::find(kKeys, key) != std::end(kKeys);
}

class Completer {
 public:
  Completer(const CursorPlace& place, const std::vector<OutlineNode>& others,
            const TypeCatalog& catalog)
      : place_(place), others_(others), catalog_(catalog) {}

  std::vector<Completion> complete() {
    const Path& path = place_.path;
    if (path.empty() && place_.at_key) {
      add_keys(kDocumentKeys, *place_.nodes.front());
    } else if (is_path(path, {"components", ""})) {
      add_keys(kComponentKeys, *place_.nodes.back());
    } else if (is_path(path, {"components", "", "type"})) {
      add_types();
    } else if (path.size() >= 3 && path[0] == "components" && path[2] == "parameters") {
      add_parameters();
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

  /// Names that begin with the word come first; those of GXF come behind those of gxr.
  void add_types() {
    const auto types = catalog_.types();
    for (const bool begins : {true, false}) {
      for (const TypeInfo* const type : types) {
        add_type(*type, type->name, begins);
      }
      for (const TypeInfo* const type : types) {
        for (const std::string& alias : type->aliases) {
          add_type(*type, alias, begins);
        }
      }
    }
  }

  void add_type(const TypeInfo& type, const std::string& name, bool begins) {
    const std::size_t at = find_word(name, place_.word);
    if (type.component && !type.abstract && at != std::string_view::npos && (at == 0) == begins) {
      add(Completion::Kind::Type, name, name, type.headline,
          name == type.name ? type.description : "The same as " + type.name);
    }
  }

  /// The component's map: two levels down from the document.
  [[nodiscard]] const OutlineNode& component() const { return *place_.nodes[2]; }

  void add_parameters() {
    const TypeInfo* const type = catalog_.find(without_cursor(component().text_of("type")));
    if (type == nullptr || place_.nodes.size() < 3) {
      return;
    }
    if (place_.path.size() == 3) {
      add_parameter_keys(*type);
      return;
    }
    const auto parameter = std::ranges::find(type->parameters, place_.path[3], &ParameterInfo::key);
    if (parameter != type->parameters.end()) {
      add_values(*type, *parameter);
    }
  }

  void add_parameter_keys(const TypeInfo& type) {
    const OutlineNode* const known = component().find("parameters");
    // Those that must be given come first.
    for (const bool mandatory : {true, false}) {
      for (const ParameterInfo& each : type.parameters) {
        const bool must_be_given = !each.optional && !each.default_value;
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
    } else if (names_entities(type.name, parameter.key)) {
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
