#include "plan/draw_plan.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/device_program.hpp"
#include "document/utf8.hpp"
#include "plan/render_graph_region.hpp"

namespace gxr {

namespace {

std::string title(const Graph& graph, const GraphRegion& region, const BranchPlace& place) {
  const GraphBranch& branch = region.branches[place.branch];
  const GraphComponent& component = graph.components[branch.component];
  const std::string launch = launch_text(region, branch);
  return printable((component.name.empty() ? component.type->name : component.name) + ": " +
                   body_name(branch.kind, place.alternative) + ", " + decision_text(graph, branch) +
                   (launch.empty() ? launch : ", " + launch));
}

class ClusterMaker {
 public:
  ClusterMaker(const Plan& plan, Drawing& drawing)
      : graph_(*plan.graph),
        drawing_(drawing),
        cluster_of_(plan.graph->entities.size(), Drawing::kNoCluster) {}

  void add(const Region& region) {
    const std::size_t whole = drawing_.clusters.size();
    drawing_.clusters.push_back({"region " + printable(region.name) + ", " +
                                     to_string(region.executor) + ", GPU " +
                                     std::to_string(region.graph->options.device),
                                 Drawing::kNoCluster});
    std::map<std::pair<BranchId, std::uint32_t>, std::size_t> bodies;
    for (const GraphStep& step : region.graph->steps) {
      std::size_t at = whole;
      for (const BranchPlace& place : step.around) {
        const auto [known, is_new] =
            bodies.try_emplace({place.branch, place.alternative}, drawing_.clusters.size());
        if (is_new) {
          drawing_.clusters.push_back({title(graph_, *region.graph, place), at});
        }
        at = known->second;
      }
      cluster_of_[step.entity] = at;
    }
    for (const EntityId entity : region.graph->dissolved) {
      cluster_of_[entity] = whole;
    }
  }

  void put_nodes() {
    for (Drawing::Node& node : drawing_.nodes) {
      node.cluster = node.entity == kNone ? Drawing::kNoCluster : cluster_of_[node.entity];
      node.short_name = node.name;
    }
  }

 private:
  const Graph& graph_;
  Drawing& drawing_;
  std::vector<std::size_t> cluster_of_;  // by entity
};

}  // namespace

Drawing make_drawing(const Plan& plan) {
  Drawing drawing = make_drawing(*plan.graph, *plan.catalog);
  if (std::ranges::none_of(plan.regions,
                           [](const Region& region) { return region.graph.has_value(); })) {
    return drawing;
  }
  drawing.clusters.clear();  // a region may reach across the borders of subgraphs
  ClusterMaker clusters(plan, drawing);
  for (const Region& region : plan.regions) {
    if (region.graph) {
      clusters.add(region);
    }
  }
  clusters.put_nodes();
  return drawing;
}

}  // namespace gxr
