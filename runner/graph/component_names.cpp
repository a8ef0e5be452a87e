#include "graph/component_names.hpp"

namespace gxr {
namespace {

constexpr std::size_t kSmallEntity = 24;

}  // namespace

const std::vector<ComponentId>& ComponentNames::find(const GraphEntity& entity,
                                                     std::string_view name) {
  if (entity.components.size() > kSmallEntity) {
    return find_indexed(entity, name);
  }
  found_.clear();
  for (const ComponentId id : entity.components) {
    if (graph_.components[id].name == name) {
      found_.push_back(id);
    }
  }
  return found_;
}

const std::vector<ComponentId>& ComponentNames::find_indexed(const GraphEntity& entity,
                                                             std::string_view name) {
  Index& index = indices_[entity.id];
  for (; index.indexed < entity.components.size(); ++index.indexed) {
    const ComponentId id = entity.components[index.indexed];
    index.by_name[graph_.components[id].name].push_back(id);
  }
  const auto entry = index.by_name.find(name);
  found_.clear();
  return entry == index.by_name.end() ? found_ : entry->second;
}

}  // namespace gxr
