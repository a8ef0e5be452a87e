#include "language/names.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "document/utf8.hpp"
#include "language/entity_lists.hpp"
#include "language/text.hpp"

namespace gxr::language {
namespace {

std::uint32_t characters_of(std::string_view text) {
  return static_cast<std::uint32_t>(count_characters(text));
}

auto order_of(Location where) { return std::tuple(where.source, where.line, where.column); }

/// The first character of a scalar's text, behind its quote.
Location begin_of(const Value& scalar) {
  Location where = scalar.location();
  where.column += scalar.quoted() ? 1 : 0;
  return where;
}

Location behind(Location where, std::uint32_t characters) {
  where.column += characters;
  return where;
}

class NameFinder {
 public:
  explicit NameFinder(const Analysis& analysis) : analysis_(analysis), graph_(analysis.graph) {}

  std::vector<Name> find() {
    for (const GraphComponent& component : graph_.components) {
      add_component(component);
    }
    for (const DocumentPart& part : analysis_.document.parts()) {
      add_document(part);
    }
    for (const IncludedFile& file : analysis_.document.included()) {
      for (const DocumentPart& part : file.parts) {
        add_document(part);
      }
    }
    std::erase_if(names_, [this](const Name& name) { return !is_written(name); });
    std::ranges::stable_sort(
        names_, [](const Name& a, const Name& b) { return order_of(a.where) < order_of(b.where); });
    const auto is_same = [](const Name& a, const Name& b) {
      return a.where == b.where && a.kind == b.kind;
    };
    names_.erase(std::unique(names_.begin(), names_.end(), is_same), names_.end());
    return std::move(names_);
  }

 private:
  /// Components that the short form makes have no name in the file; its codelet has a type there.
  void add_component(const GraphComponent& component) {
    const bool is_made = component.written != 0;
    if (!component.name.empty() && component.where.known() && !is_made) {
      Name& name = add(Name::Kind::Component, component.where, component.name, component);
      name.defines = true;
    }
    if (component.type_location.known()) {
      add(Name::Kind::Type, component.type_location, component.type_name, component);
    }
    for (const ParameterAssignment& parameter : component.parameters) {
      // The short form has connections at their consumer, which is not written again.
      if (!is_made || parameter.key != "target") {
        add_parameter(component, parameter);
      }
    }
  }

  Name& add(Name::Kind kind, Location where, std::string_view text,
            const GraphComponent& component) {
    Name& name = names_.emplace_back();
    name.kind = kind;
    name.where = where;
    name.length = characters_of(text);
    name.text = text;
    name.entity = first_of(graph_.entities[component.entity]);
    name.component = first_of(component);
    name.type = component.type;
    return name;
  }

  void add_parameter(const GraphComponent& component, const ParameterAssignment& parameter) {
    if (parameter.key_location.known() && !parameter.overridden) {
      add(Name::Kind::Parameter, parameter.key_location, parameter.key, component).info =
          parameter.info;
    }
    for (const HandleReference& handle : parameter.handles) {
      if (handle.target != kNone && handle.value != nullptr) {
        add_reference(*handle.value, graph_.components[handle.target]);
      }
    }
    if (parameter.value != nullptr && parameter.info != nullptr &&
        names_entities(*component.type, *parameter.info)) {
      add_entities(*parameter.value, graph_.scopes[parameter.scope].prefix);
    }
  }

  /// "component" or "entity/component".
  void add_reference(const Value& value, const GraphComponent& target) {
    if (!value.location().known()) {
      return;
    }
    const std::string_view text = value.text();
    const std::size_t slash = text.find('/');
    Location where = begin_of(value);
    std::string_view name = text;
    if (slash != std::string_view::npos) {
      add_entity(text.substr(0, slash), where, graph_.entities[target.entity], false);
      name = text.substr(slash + 1);
      where = behind(where, characters_of(text.substr(0, slash)) + 1);
    } else if (target.written != 0) {
      return;
    }
    if (name == target.name) {
      add(Name::Kind::Component, where, name, target);
    }
  }

  /// The name that an entity has in its own file: outside of it, the prefix of its subgraph stands
  /// in front.
  void add_entity(std::string_view text, Location where, const GraphEntity& entity, bool defines) {
    const std::string& prefix = graph_.scopes[entity.scope].prefix;
    const std::string_view own = entity.name.starts_with(prefix)
                                     ? std::string_view(entity.name).substr(prefix.size())
                                     : std::string_view(entity.name);
    const std::size_t in_front = text.size() - std::min(own.size(), text.size());
    if (own.empty() || text.substr(in_front) != own ||
        (in_front > 0 && text[in_front - 1] != '.')) {
      return;
    }
    Name& name = names_.emplace_back();
    name.kind = Name::Kind::Entity;
    name.where = behind(where, characters_of(text.substr(0, in_front)));
    name.length = characters_of(own);
    name.defines = defines;
    name.text = own;
    name.entity = first_of(entity);
  }

  /// Names of entities in lists and lists of lists.
  void add_entities(const Value& value, const std::string& prefix) {
    if (value.is_scalar()) {
      if (const GraphEntity* const entity =
              graph_.find_entity(prefix + std::string(value.text()))) {
        add_entity(value.text(), begin_of(value), *entity, false);
      }
    }
    for (std::size_t i = 0; i < value.size() && value.is_sequence(); ++i) {
      add_entities(value.at(i), prefix);
    }
  }

  /// "entity/component" and "entity" anywhere below a key that is read for names.
  void add_mentions(const Value& value, const std::string& prefix) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_mentions(value.is_map() ? value.value(i) : value.at(i), prefix);
    }
    if (!value.is_scalar()) {
      return;
    }
    const std::string_view text = value.text();
    const std::size_t slash = text.find('/');
    const GraphEntity* const entity =
        graph_.find_entity(prefix + std::string(text.substr(0, slash)));
    if (entity == nullptr) {
      return;
    }
    if (slash == std::string_view::npos) {
      add_entity(text, begin_of(value), *entity, false);
    } else if (const GraphComponent* const component =
                   component_of(*entity, text.substr(slash + 1))) {
      add_reference(value, *component);
    } else {
      add_entity(text.substr(0, slash), begin_of(value), *entity, false);
    }
  }

  [[nodiscard]] const GraphComponent* component_of(const GraphEntity& entity,
                                                   std::string_view name) const {
    for (const ComponentId id : entity.components) {
      if (graph_.components[id].name == name) {
        return &graph_.components[id];
      }
    }
    return nullptr;
  }

  /// Keys of a document beside its components.
  void add_keys(const DocumentPart& part, const std::string& prefix) {
    for (const char* const key : {"interfaces", "prerequisites", "EntityGroups", "start_order"}) {
      if (const Value* const value = part.root->find(key)) {
        add_mentions(*value, prefix);
      }
    }
    const Value* const list = part.root->find("components");
    const GraphEntity* const entity = entity_at(part.root->location());
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value* const type = list->at(i).find("type");
      const Value* const name = list->at(i).find("name");
      const Value* const parameters = list->at(i).find("parameters");
      if (type == nullptr && name != nullptr && entity != nullptr) {
        if (const GraphComponent* const meant = component_of(*entity, name->text())) {
          add(Name::Kind::Component, begin_of(*name), name->text(), *meant);
        }
      }
      const Value* const handed_in =
          parameters != nullptr ? parameters->find("prerequisites") : nullptr;
      if (type != nullptr && type->text().ends_with("::Subgraph") && handed_in != nullptr) {
        add_mentions(*handed_in, prefix);
      }
    }
  }

  /// The files that the entries of a document include.
  void add_subgraphs(const Value& root) {
    const Value* const list = root.find("components");
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value* const type = list->at(i).find("type");
      const Value* const parameters = list->at(i).find("parameters");
      if (type != nullptr && parameters != nullptr && type->text().ends_with("::Subgraph")) {
        if (const Value* const location = parameters->find("location")) {
          add_files(*location);
        }
      }
    }
  }

  void add_files(const Value& value) {
    for (std::size_t i = 0; i < value.size() && value.is_sequence(); ++i) {
      add_files(value.at(i));
    }
    if (!value.is_scalar()) {
      return;
    }
    const std::string_view text = value.text();
    for (const IncludedFile& file : analysis_.document.included()) {
      if (file.path == text || file.path.ends_with("/" + std::string(text))) {
        Name& name = names_.emplace_back();
        name.kind = Name::Kind::Subgraph;
        name.where = begin_of(value);
        name.length = characters_of(text);
        name.text = text;
        name.file = file.path;
        return;
      }
    }
  }

  /// The names of documents: all of them, where several describe one entity.
  void add_document(const DocumentPart& part) {
    add_subgraphs(*part.root);
    add_keys(part, prefix_of(part.source));
    const Value* const name = part.root->find("name");
    if (name == nullptr || !name->is_scalar()) {
      return;
    }
    if (const GraphEntity* const entity = entity_at(part.root->location())) {
      add_entity(name->text(), begin_of(*name), *entity, true);
    }
  }

  /// The names of a file have this in front; "" in the application's own.
  const std::string& prefix_of(std::uint16_t source) {
    if (prefixes_.empty()) {
      for (const GraphEntity& entity : graph_.entities) {
        if (!entity.documents.empty()) {
          prefixes_.emplace(entity.documents.front().source, graph_.scopes[entity.scope].prefix);
        }
      }
    }
    return prefixes_[source];
  }

  /// Of entities and components that the same text makes, the first.
  EntityId first_of(const GraphEntity& entity) {
    return entity.documents.empty()
               ? entity.id
               : first_entities_.emplace(key_of(entity.documents.front()), entity.id).first->second;
  }
  ComponentId first_of(const GraphComponent& component) {
    const Location where = component.where.known() ? component.where : component.type_location;
    return component.written != 0 || !where.known()
               ? component.id
               : first_components_.emplace(key_of(where), component.id).first->second;
  }

  /// The entity that a document describes; the first of a subgraph that is included twice.
  [[nodiscard]] const GraphEntity* entity_at(Location document) {
    if (by_document_.empty()) {
      for (const GraphEntity& entity : graph_.entities) {
        for (const Location where : entity.documents) {
          by_document_.emplace(key_of(where), entity.id);
        }
      }
    }
    const auto known = by_document_.find(key_of(document));
    return known != by_document_.end() ? &graph_.entities[known->second] : nullptr;
  }

  /// Does the file have the name there? Aliases of YAML, and values that the short form makes, have
  /// places of other texts.
  bool is_written(const Name& name) {
    const std::uint16_t source = name.where.source;
    const auto text = texts_.try_emplace(source, nullptr).first;
    if (text->second == nullptr) {
      text->second = std::make_unique<Text>(analysis_.document.sources().at(source).text);
    }
    const Range range = text->second->range_of(name.where, name.length);
    const std::size_t begin = text->second->offset_of(range.begin);
    return std::string_view(text->second->all()).substr(begin).starts_with(name.text);
  }

  static std::uint64_t key_of(Location where) {
    return std::uint64_t{where.source} << 48U | std::uint64_t{where.line} << 16U |
           (where.column & 0xFFFFU);
  }

  const Analysis& analysis_;
  const Graph& graph_;
  std::vector<Name> names_;
  std::unordered_map<std::uint64_t, EntityId> by_document_;
  std::unordered_map<std::uint16_t, std::string> prefixes_;          // by source
  std::unordered_map<std::uint64_t, EntityId> first_entities_;       // by place
  std::unordered_map<std::uint64_t, ComponentId> first_components_;  // by place
  std::unordered_map<std::uint16_t, std::unique_ptr<Text>> texts_;   // by source
};

}  // namespace

bool Name::means_same(const Name& other) const noexcept {
  const auto is_thing = [](Kind each) { return each == Kind::Entity || each == Kind::Component; };
  if (kind != other.kind) {
    return false;
  }
  if (is_thing(kind)) {
    return entity == other.entity && component == other.component;
  }
  if (kind == Kind::Parameter) {
    return type == other.type && text == other.text;
  }
  return kind == Kind::Type && type != nullptr ? type == other.type : text == other.text;
}

std::vector<Name> find_names(const Analysis& analysis) { return NameFinder(analysis).find(); }

const Name* name_at(const std::vector<Name>& names, Location where) {
  const Name* found = nullptr;
  for (const Name& name : names) {
    if (name.where.source == where.source && name.where.line == where.line &&
        name.where.column <= where.column && where.column <= name.where.column + name.length) {
      found = &name;  // of two that touch, the one that begins here
    }
  }
  return found;
}

}  // namespace gxr::language
