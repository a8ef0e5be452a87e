#include "plan/polling_entities.hpp"

namespace gxr {

std::vector<bool> polling_entities(const WorkGraph& work, const RegionOf& region_of,
                                   std::uint32_t region, const std::vector<EntityId>& members) {
  std::vector<bool> polls(work.entities.size());
  std::vector<EntityId> open;
  const auto add = [&](EntityId entity) {
    if (region_of[entity] == region && !polls[entity]) {
      polls[entity] = true;
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
  return polls;
}

}  // namespace gxr
