#include "plan/connected_regions.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

/// Entities with one component each, from which and to which all connections lead.
struct Entities {
  explicit Entities(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      graph.add_component(graph.add_entity("", {}).id);
    }
  }
  void connect(EntityId from, EntityId to) { graph.links.push_back({from, to, kNone, false}); }

  Graph graph;
  TypeCatalog catalog = make_catalog();
};

using Sets = std::vector<std::vector<EntityId>>;

RegionOf outside(const Entities& entities) {
  return RegionOf(entities.graph.entities.size(), kNone);
}

Sets regions(const Entities& entities, const std::vector<bool>& candidate) {
  return connected_regions(WorkGraph(entities.graph, entities.catalog), outside(entities),
                           candidate);
}

/// Some connections, now and then backwards.
Entities random_entities(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t count = 2 + below(30);
  Entities entities(count);
  for (std::uint32_t i = below(3 * count); i > 0; --i) {
    EntityId from = below(count);
    EntityId to = below(count);
    if (below(20) != 0 && from > to) {
      std::swap(from, to);
    }
    entities.connect(from, to);
  }
  return entities;
}

}  // namespace

TEST_CASE("connected candidates are one set, others are not") {
  Entities entities(5);
  entities.connect(0, 1);
  entities.connect(1, 2);
  entities.connect(3, 4);
  CHECK(regions(entities, {true, true, true, true, true}) == Sets{{0, 1, 2}, {3, 4}});
  CHECK(regions(entities, {true, false, true, true, true}) == Sets{{0}, {2}, {3, 4}});
}

TEST_CASE("a way through another entity divides a set") {
  Entities entities(4);  // 0 -> 1 -> 3 and 0 -> 2 -> 3, where 2 is no candidate
  entities.connect(0, 1);
  entities.connect(0, 2);
  entities.connect(1, 3);
  entities.connect(2, 3);
  CHECK(regions(entities, {true, true, false, true}) == Sets{{0, 1}, {3}});
}

TEST_CASE("a source of another entity joins nothing and divides nothing") {
  Entities entities(4);  // 0 -> 2, 1 -> 3 -> 2, where 1 is no candidate
  entities.connect(0, 2);
  entities.connect(1, 3);
  entities.connect(3, 2);
  CHECK(regions(entities, {true, false, true, true}) == Sets{{0, 2, 3}});
}

TEST_CASE("ways back into a region are found, through other regions, too") {
  Entities entities(5);  // region 0: 0 and 4; region 1: 1 and 2, which are not connected
  entities.connect(0, 1);
  entities.connect(2, 3);
  entities.connect(3, 4);
  const WorkGraph work(entities.graph, entities.catalog);
  CHECK(way_back(work, {0, 1, 1, kNone, 0}, 0) == std::vector<EntityId>{0, 1, 2, 3, 4});
  CHECK(way_back(work, {0, kNone, kNone, kNone, 0}, 0).empty());
  CHECK(way_back(work, {0, 1, kNone, kNone, 0}, 0).empty());
}

TEST_CASE("in 2,000 random graphs no set waits for itself, and each is connected") {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const Entities entities = random_entities(random);
    const WorkGraph work(entities.graph, entities.catalog);
    RegionOf region_of = outside(entities);
    // A region that the files name, if it does not wait for itself.
    RegionOf named = region_of;
    for (std::uint32_t& region : named) {
      region = random() % 6 == 0 ? 0 : kNone;
    }
    if (way_back(work, named, 0).empty()) {
      region_of = named;
    }
    const std::vector<bool> cyclic = on_cycles(work, region_of);
    std::vector<bool> candidate(region_of.size());
    for (EntityId entity = 0; entity < candidate.size(); ++entity) {
      candidate[entity] = !cyclic[entity] && region_of[entity] == kNone && random() % 3 != 0;
    }
    const Sets sets = connected_regions(work, region_of, candidate);
    std::uint32_t number = 0;
    std::size_t members = 0;
    for (const std::vector<EntityId>& set : sets) {
      ++number;
      members += set.size();
      for (const EntityId entity : set) {
        region_of[entity] = number;
      }
    }
    CHECK(members == static_cast<std::size_t>(std::ranges::count(candidate, true)));
    for (std::uint32_t region = 0; region <= number; ++region) {
      INFO("graph " << i << ", region " << region);
      CHECK(way_back(work, region_of, region).empty());
    }
  }
}
