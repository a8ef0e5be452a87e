#include "executors/cuda_graph/late_shapes.hpp"

#include <algorithm>

#include "gxr/error.hpp"
#include "plan/region_changes.hpp"

namespace gxr {

GraphOperator& LiveOperators::graph_operator(ComponentId codelet) {
  if (std::ranges::find(region_.steps, codelet, &GraphStep::codelet) == region_.steps.end()) {
    throw Error(ErrorCode::NotAvailable, "others may be running, and are not asked");
  }
  return dynamic_cast<GraphOperator&>(instance_.component(codelet));
}

const cuda::DevicePort* LiveOperators::device_port(ComponentId queue) {
  const EntityId entity = instance_.graph().components[queue].entity;
  const bool is_here =
      std::ranges::find(region_.dissolved, entity) != region_.dissolved.end() ||
      std::ranges::find(region_.steps, entity, &GraphStep::entity) != region_.steps.end();
  return is_here ? dynamic_cast<const cuda::DevicePort*>(&instance_.component(queue)) : nullptr;
}

Region infer_late(const Plan& plan, const Region& region, const Instance& instance,
                  const ShapeOrder* order, const std::function<void(const std::string&)>& warn) {
  Plan late;
  late.graph = plan.graph;
  late.catalog = plan.catalog;
  late.regions = {region};
  late.regions.front().graph->chooses_mode = false;  // its runner has been chosen
  LiveOperators operators(instance, *region.graph);
  Diagnostics diagnostics;
  if (order != nullptr) {
    infer_shapes(late, operators, diagnostics, *order);
  } else {
    infer_shapes(late, operators, diagnostics);
  }
  for (const Diagnostic& found : diagnostics.all()) {
    if (found.severity == Severity::Error) {
      throw Error(ErrorCode::InvalidData, found.text);
    }
    warn(found.text);
  }
  return late.regions.front();
}

void require_layout(const Plan& plan, const Region& region) {
  if (!region.graph->laid_out) {
    throw Error(ErrorCode::NotAvailable,
                "the shapes of region '" + region.name +
                    "' are not known, though every input is: an operator's infer() does not tell "
                    "its outputs: " +
                    unknown_tensors(*plan.graph, *region.graph));
  }
}

}  // namespace gxr
