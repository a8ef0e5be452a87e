#include "plan/green_context.hpp"

#include <string>

#include "graph/parameter_value.hpp"
#include "graph/text.hpp"
#include "plan/default_device.hpp"

namespace gxr {
namespace {

/// The GPU of an entity: that of its own GPUDevice, else of one in its group, else the default.
std::int64_t device_of(const Graph& graph, EntityId entity) {
  std::int64_t found = default_device(graph);
  for (const ComponentId id : graph.groups[graph.entities[entity].group].resources) {
    const GraphComponent& resource = graph.components[id];
    if (resource.type != nullptr && resource.type->name == "gxr::GPUDevice") {
      found = integer_parameter(resource, "dev_id").value_or(0);
      if (resource.entity == entity) {
        return found;
      }
    }
  }
  return found;
}

/// The GPU whose SMs a CudaGreenContext is a part of.
std::int64_t device_of_green_context(const Graph& graph, const GraphComponent& green_context) {
  const ComponentId id = green_context.handle("cuda_green_context_pool");
  if (id == kNone) {
    return default_device(graph);  // reported when parameters were checked
  }
  const GraphComponent& pool = graph.components[id];
  return integer_parameter(pool, "dev_id").value_or(device_of(graph, pool.entity));
}

}  // namespace

void apply_green_context(const GraphComponent& executor, const Graph& graph,
                         std::vector<Region>& regions, Diagnostics& diagnostics) {
  const ParameterAssignment* const given = executor.find("green_context");
  const ComponentId green_context = executor.handle("green_context");
  if (given == nullptr || green_context == kNone) {
    return;
  }
  const std::int64_t its_device = device_of_green_context(graph, graph.components[green_context]);
  const std::int64_t device = device_of_executor(graph, executor);
  if (device != its_device) {
    diagnostics.add(DiagnosticCode::RegionGreenContext, *given->value,
                    "green context " + in_quotes(graph.full_name(graph.components[green_context])) +
                        " is a part of GPU " + std::to_string(its_device) +
                        ", but the graph runs on GPU " + std::to_string(device),
                    "set 'device' to " + std::to_string(its_device) +
                        ", or name a green context of GPU " + std::to_string(device));
  }
  for (Region& region : regions) {
    if (region.graph && region.declared_by == executor.id) {
      region.graph->green_context = green_context;
    }
  }
}

}  // namespace gxr
