#include "plan/default_device.hpp"

#include "graph/parameter_value.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr {

std::int32_t default_device(const Graph& graph) {
  if (graph.rank_of_host == 0) {
    return 0;  // CUDA's libraries need not be loaded
  }
  const DeviceRuntime* const runtime = DeviceRuntime::find();
  if (runtime == nullptr) {
    return 0;
  }
  const auto devices = static_cast<std::uint32_t>(runtime->device_count());
  return static_cast<std::int32_t>(graph.rank_of_host % devices);
}

std::int32_t device_of_executor(const Graph& graph, const GraphComponent& executor) {
  if (executor.find("device") == nullptr) {
    return default_device(graph);
  }
  return static_cast<std::int32_t>(integer_parameter(executor, "device").value_or(0));
}

}  // namespace gxr
