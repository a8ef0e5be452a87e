#include "plan/draw_plan.hpp"

#include <string>
#include <vector>

namespace gxr {

Drawing make_drawing(const Plan& plan) {
  Drawing drawing = make_drawing(*plan.graph, *plan.catalog);
  std::vector<std::size_t> cluster_of(plan.graph->entities.size(), Drawing::kNoCluster);
  for (const Region& region : plan.regions) {
    if (!region.graph) {
      continue;
    }
    for (const GraphStep& step : region.graph->steps) {
      cluster_of[step.entity] = drawing.clusters.size();
    }
    for (const EntityId entity : region.graph->dissolved) {
      cluster_of[entity] = drawing.clusters.size();
    }
    drawing.clusters.push_back("region " + region.name + ", " + to_string(region.executor) +
                               ", GPU " + std::to_string(region.graph->options.device));
  }
  for (Drawing::Node& node : drawing.nodes) {
    node.cluster = cluster_of[node.entity];
  }
  return drawing;
}

}  // namespace gxr
