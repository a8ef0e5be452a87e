#include "language/names.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "document/utf8.hpp"
#include "graph/subgraph_files.hpp"
#include "graph/subgraphs.hpp"
#include "language/entity_lists.hpp"
#include "language/outline_graph.hpp"
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
    for (const EntityInterface& interface : graph_.interfaces) {
      interfaces_.emplace(interface.entity, &interface);
      for (const InterfaceName& name : interface.names) {
        components_.emplace(name.target, name.component);
      }
    }
    for_each_part([this](const DocumentPart& part) { add_interfaces(*part.root); });
    for (const GraphComponent& component : graph_.components) {
      add_component(component);
    }
    for_each_part([this](const DocumentPart& part) { add_document(part); });
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
  /// Of all files.
  template <class Action>
  void for_each_part(Action&& action) const {
    for (const DocumentPart& part : analysis_.document.parts()) {
      action(part);
    }
    for (const IncludedFile& file : analysis_.document.included()) {
      for (const DocumentPart& part : file.parts) {
        action(part);
      }
    }
  }

  /// The names that a document of a subgraph shows.
  void add_interfaces(const Value& root) {
    const Value* const list = root.find("interfaces");
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value* const name = list->at(i).find("name");
      const Value* const target = list->at(i).find("target");
      if (name != nullptr && target != nullptr && name->is_scalar() && target->is_scalar()) {
        Name& shown = names_.emplace_back();
        shown.kind = Name::Kind::Shown;
        shown.where = begin_of(*name);
        shown.length = characters_of(name->text());
        shown.text = name->text();
        shown.defines = true;
        shown.made = shown.where;
        const auto behind_it = components_.find(target);
        shown.component = behind_it != components_.end() ? behind_it->second : kNone;
        shown_.emplace(target, shown.where);
      }
    }
  }

  /// The names that an entity shows of its subgraph; nullptr: it includes none. `prefix`: stands in
  /// front of the names of the file that mentions it.
  [[nodiscard]] const EntityInterface* host_of(std::string_view text,
                                               const std::string& prefix) const {
    const auto known = interfaces_.find(prefix + std::string(text));
    return text != "prerequisites" && known != interfaces_.end() ? known->second : nullptr;
  }

  void add_host(std::string_view text, Location where, const EntityInterface& host, bool defines) {
    Name& name = names_.emplace_back();
    name.kind = Name::Kind::Host;
    name.where = where;
    name.length = characters_of(text);
    name.text = text;
    name.defines = defines;
    name.made = host.where;
    name.host = &host;
  }

  /// The entities in "camera.left.view" that include subgraphs.
  void add_hosts(std::string_view text, Location where, const std::string& prefix) {
    std::size_t begin = 0;
    for (std::size_t end = text.find('.'); begin < text.size(); end = text.find('.', end + 1)) {
      end = std::min(end, text.size());
      if (const EntityInterface* const host = host_of(text.substr(0, end), prefix)) {
        add_host(text.substr(begin, end - begin),
                 behind(where, characters_of(text.substr(0, begin))), *host, false);
        begin = end + 1;
      }
      if (end == text.size()) {
        return;
      }
    }
  }

  /// The component in "host/component", if the entity includes a subgraph that shows one so.
  bool add_shown(const Value& value, std::size_t slash, const std::string& prefix) {
    const std::string_view text = value.text();
    const EntityInterface* const host = host_of(text.substr(0, slash), prefix);
    return host != nullptr &&
           add_shown(text.substr(slash + 1),
                     behind(begin_of(value), characters_of(text.substr(0, slash)) + 1), *host);
  }

  bool add_shown(std::string_view text, Location where, const EntityInterface& host) {
    const auto shown = std::ranges::find(host.names, text, &InterfaceName::name);
    const auto made = shown != host.names.end() ? shown_.find(shown->target) : shown_.end();
    if (made == shown_.end()) {
      return false;
    }
    Name& name = names_.emplace_back();
    name.kind = Name::Kind::Shown;
    name.where = where;
    name.length = characters_of(text);
    name.text = text;
    name.made = made->second;
    name.component = shown->component;
    return true;
  }

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
        add_reference(*handle.value, graph_.components[handle.target],
                      graph_.scopes[parameter.scope].prefix);
      }
    }
    if (parameter.value != nullptr && parameter.info != nullptr &&
        names_entities(*component.type, *parameter.info)) {
      add_entities(*parameter.value, graph_.scopes[parameter.scope].prefix);
    }
  }

  /// "component" or "entity/component".
  void add_reference(const Value& value, const GraphComponent& target, const std::string& prefix) {
    if (!value.location().known()) {
      return;
    }
    const std::string_view text = value.text();
    const std::size_t slash = text.find('/');
    Location where = begin_of(value);
    std::string_view name = text;
    if (slash != std::string_view::npos) {
      add_hosts(text.substr(0, slash), where, prefix);
      if (add_shown(value, slash, prefix) || text.substr(0, slash) == "prerequisites") {
        return;
      }
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
      add_hosts(value.text(), begin_of(value), prefix);
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
    const std::string_view name = text.substr(0, slash);
    const GraphEntity* const entity = graph_.find_entity(prefix + std::string(name));
    const GraphComponent* const component = entity != nullptr && slash != std::string_view::npos
                                                ? component_of(*entity, text.substr(slash + 1))
                                                : nullptr;
    if (component != nullptr) {
      add_reference(value, *component, prefix);
      return;
    }
    add_hosts(name, begin_of(value), prefix);
    if (entity != nullptr) {
      add_entity(name, begin_of(value), *entity, false);
    }
    if (slash != std::string_view::npos) {
      add_shown(value, slash, prefix);
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
    for (const char* const key : {"prerequisites", "EntityGroups", "start_order"}) {
      if (const Value* const value = part.root->find(key)) {
        add_mentions(*value, prefix);
      }
    }
    const Value* const shown = part.root->find("interfaces");
    for (std::size_t i = 0; shown != nullptr && shown->is_sequence() && i < shown->size(); ++i) {
      if (const Value* const target = shown->at(i).find("target")) {
        add_mentions(*target, prefix);
      }
    }
    const Value* const list = part.root->find("components");
    const GraphEntity* const entity = entity_at(part.root->location());
    const Value* const entity_name = part.root->find("name");
    const EntityInterface* const host =
        entity_name != nullptr ? host_of(entity_name->text(), prefix) : nullptr;
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value* const type = list->at(i).find("type");
      const Value* const name = list->at(i).find("name");
      const Value* const parameters = list->at(i).find("parameters");
      if (type == nullptr && name != nullptr && entity != nullptr) {
        if (const GraphComponent* const meant = component_of(*entity, name->text())) {
          add(Name::Kind::Component, begin_of(*name), name->text(), *meant);
        }
      } else if (type == nullptr && name != nullptr && host != nullptr) {
        add_shown(name->text(), begin_of(*name), *host);
      }
      const Value* const handed_in =
          parameters != nullptr ? parameters->find("prerequisites") : nullptr;
      if (type != nullptr && type->text().ends_with("::Subgraph") && handed_in != nullptr) {
        add_mentions(*handed_in, prefix);
      }
    }
  }

  /// The files that the entries of a document include, and their types, which make no component.
  void add_subgraphs(const Value& root) {
    const Value* const list = root.find("components");
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value* const type = list->at(i).find("type");
      const Value* const parameters = list->at(i).find("parameters");
      if (type == nullptr || !is_subgraph_type(type->text())) {
        continue;
      }
      const TypeInfo* const info = analysis_.catalog.find(type->text());
      add_typed(Name::Kind::Type, *type, info);
      for (std::size_t j = 0;
           parameters != nullptr && parameters->is_map() && j < parameters->size(); ++j) {
        Name& key = add_typed(Name::Kind::Parameter, parameters->key(j), info);
        if (info != nullptr) {
          const auto known = std::ranges::find(info->parameters, key.text, &ParameterInfo::key);
          key.info = known != info->parameters.end() ? &*known : nullptr;
        }
      }
      if (const Value* const location =
              parameters != nullptr ? parameters->find("location") : nullptr) {
        add_files(*location);
      }
    }
  }

  Name& add_typed(Name::Kind kind, const Value& text, const TypeInfo* type) {
    Name& name = names_.emplace_back();
    name.kind = kind;
    name.where = begin_of(text);
    name.length = characters_of(text.text());
    name.text = text.text();
    name.type = type;
    return name;
  }

  void add_files(const Value& value) {
    for (std::size_t i = 0; i < value.size() && value.is_sequence(); ++i) {
      add_files(value.at(i));
    }
    if (!value.is_scalar()) {
      return;
    }
    for (const LocationItem& item : split_location(value.text())) {
      const std::string file = included_file(item.name, value.location().source);
      if (!file.empty()) {
        Name& name = names_.emplace_back();
        name.kind = Name::Kind::Subgraph;
        name.where = behind(begin_of(value), characters_of(value.text().substr(0, item.offset)));
        name.length = characters_of(item.name);
        name.text = item.name;
        name.file = file;
      }
    }
  }

  /// The path of the file that a name in another one includes: beside that one, or elsewhere.
  [[nodiscard]] std::string included_file(std::string_view name, std::uint16_t source) const {
    const std::string& including = analysis_.document.sources().at(source).name;
    const std::string beside = (std::filesystem::path(including).parent_path() / name).string();
    std::string found;
    for (const IncludedFile& file : analysis_.document.included()) {
      if (file.path == beside) {
        return file.path;
      }
      if (found.empty() && (file.path == name || file.path.ends_with("/" + std::string(name)))) {
        found = file.path;
      }
    }
    return found;
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
    } else if (const EntityInterface* const host = host_of(name->text(), prefix_of(part.source))) {
      add_host(name->text(), begin_of(*name), *host, true);
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
      for (const EntityInterface& interface : graph_.interfaces) {
        for (const InterfaceName& name : interface.names) {
          prefixes_.emplace(name.target->location().source, graph_.scopes[name.scope].prefix);
        }
      }
      find_prefixes_of_hosts();
    }
    return prefixes_[source];
  }

  /// Of files that have no entities beside those that include subgraphs.
  void find_prefixes_of_hosts() {
    std::unordered_map<std::uint64_t, std::size_t> lengths;  // of their names, by place
    for_each_part([&](const DocumentPart& part) {
      if (const Value* const name = part.root->find("name")) {
        lengths.emplace(key_of(name->location()), name->text().size());
      }
    });
    for (const EntityInterface& interface : graph_.interfaces) {
      const auto length = lengths.find(key_of(interface.where));
      if (length != lengths.end() && length->second <= interface.entity.size()) {
        prefixes_.emplace(interface.where.source,
                          interface.entity.substr(0, interface.entity.size() - length->second));
      }
    }
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
  std::unordered_map<std::string, const EntityInterface*> interfaces_;  // by full name
  std::unordered_map<const Value*, ComponentId> components_;            // by target of interfaces
  std::unordered_map<const Value*, Location> shown_;  // by target: the name in `interfaces`
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
  if (kind == Kind::Host || kind == Kind::Shown) {
    return made == other.made;
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
