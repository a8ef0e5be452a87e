#include "ranks/rank_plan.hpp"

#include "ranks/rank_rules.hpp"

namespace gxr {

RankPlan make_rank_plan(const Plan& plan, const Document& document, Rank ranks,
                        Diagnostics& diagnostics) {
  const Graph& graph = *plan.graph;
  RankPlan result{&graph, place_entities(document, graph, *plan.catalog, ranks, diagnostics), {}};
  check_ranks(graph, *plan.catalog, result.map, diagnostics);
  check_regions_of_ranks(plan, result.map, diagnostics);
  for (const Link& link : graph.links) {
    const EntityId from = graph.components[link.transmitter].entity;
    const EntityId to = graph.components[link.receiver].entity;
    if (!link.duplicate && !result.map.together(from, to)) {
      result.links.push_back({link, result.map.rank_of[from], result.map.rank_of[to], {}});
    }
  }
  return result;
}

void add_tensors(const ArrivingSpecs& arriving, RankPlan& plan) {
  for (RankLink& link : plan.links) {
    if (const auto found = arriving.find(link.link.receiver); found != arriving.end()) {
      link.tensor = found->second;
    }
  }
}

}  // namespace gxr
