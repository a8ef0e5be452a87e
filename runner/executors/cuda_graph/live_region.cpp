#include "executors/cuda_graph/live_region.hpp"

#include <chrono>
#include <utility>

#include "device/device_engine.hpp"
#include "executors/cuda_graph/late_shapes.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/error.hpp"
#include "plan/own_memory.hpp"

namespace gxr {
namespace {

/// Checks the memory that an operator gave. `name`: of the port.
void require_on_device(const cuda::DevicePort::Memory& memory, int device,
                       const std::string& name) {
  DeviceEngine& runtime = DeviceEngine::get();
  if (const int found = runtime.device_of(memory.pointer); found != device) {
    throw Error(ErrorCode::InvalidArgument,
                "the memory of " + name + " is that of " +
                    (found < 0 ? "the host" : "GPU " + std::to_string(found)) +
                    ", but the graph is on GPU " + std::to_string(device));
  }
  const std::size_t bytes = runtime.memory().bytes_behind(memory.pointer);
  if (bytes < memory.bytes) {
    throw Error(ErrorCode::InvalidArgument, "the memory of " + name + " has " +
                                                std::to_string(bytes) + " bytes, not " +
                                                std::to_string(memory.bytes));
  }
}

/// The memory that an operator gives for a tensor.
cuda::DevicePort::Memory memory_of_operator(const LiveRegion& region, TensorId id) {
  const Graph& application = *region.plan.graph;
  LiveOperators live(region.instance, region.graph());
  const auto memory = own_memory(application, region.graph(), id, live);
  require_on_device(
      memory, region.options().device,
      name_with_ends(application, region.graph(), id, region.graph().tensors[id].owner));
  return memory;
}

}  // namespace

LiveRegion::LiveRegion(const Plan& plan_, const Region& planned, Instance& instance_,
                       Context& context, CaptureSource& source, RegionShapes::Tell warn)
    : plan(plan_),
      region(planned),
      instance(instance_),
      operators(graph(), instance),
      ports(region, operators, instance, context),
      shapes(plan, region, instance, ports, std::move(warn)),
      program(plan, region, operators, instance,
              [this](const Region& told) { return shapes.infer_anew(told); }),
      exchanges(graph(), operators, program),
      capture(plan, graph(), operators, program, buffers, source) {}

DevicePartition* LiveRegion::partition() const {
  const ComponentId id = graph().green_context;
  return id == kNone ? nullptr
                     : &dynamic_cast<cuda::CudaGreenContext&>(instance.component(id)).partition();
}

bool LiveRegion::is_given_up() const noexcept {
  return DeviceEngine::get().in_flight().is_given_up(options().device);
}

std::string LiveRegion::hang_text() const {
  const auto watchdog = std::chrono::duration_cast<std::chrono::milliseconds>(options().watchdog);
  return "region '" + name() + "' hangs: no iteration has ended for " +
         std::to_string(watchdog.count()) + " ms ('watchdog_ms')";
}

std::vector<std::string> LiveRegion::operators_by_node() const {
  std::vector<std::string> entities;
  for (const DeviceNode& node : program.running().nodes) {
    // An operator that polls for input is not in an iteration.
    const bool is_in = node.kind == DeviceNode::Kind::Operator && !node.polls;
    entities.push_back(is_in ? operators.entity(node.planned) : std::string());
  }
  return entities;
}

MeasuredOperators LiveRegion::measured_operators(std::vector<MeasuredIteration> iterations) const {
  return {operators_by_node(), std::move(iterations)};
}

void LiveRegion::place() {
  buffers.place(program.running(), graph(), partition(),
                [this](TensorId id) { return memory_of_operator(*this, id); });
  buffers.write_parameters(program.running());
}

}  // namespace gxr
