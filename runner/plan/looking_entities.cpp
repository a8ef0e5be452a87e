#include "plan/looking_entities.hpp"

namespace gxr {

std::vector<bool> looking_entities(const WorkGraph& work, const RegionOf& region_of,
                                   std::uint32_t region, const std::vector<EntityId>& members) {
  std::vector<bool> looks(work.entities.size());
  std::vector<EntityId> open;
  const auto add = [&](EntityId entity) {
    if (region_of[entity] == region && !looks[entity]) {
      looks[entity] = true;
      open.push_back(entity);
    }
  };
  for (const EntityId entity : members) {
    if (!work.at(entity).handlers.empty()) {
      add(entity);
    }
  }
  while (!open.empty()) {
    const EntityId entity = open.back();
    open.pop_back();
    for (const Link& link : work.at(entity).incoming) {
      add(work.entity_of(link.transmitter));
    }
  }
  return looks;
}

}  // namespace gxr
