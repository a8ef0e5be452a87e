#pragma once

#include <unordered_map>

#include "document/diagnostics.hpp"
#include "gxr/cuda/device_ports.hpp"
#include "gxr/graph_operator.hpp"
#include "plan/plan.hpp"
#include "plan/shape_order.hpp"

namespace gxr {

/// Where the planner finds the operators: live objects whose parameters are set.
class ShapeSource {
 public:
  virtual ~ShapeSource() = default;
  /// The operator that this codelet is. Throws Error when its library cannot be loaded.
  virtual GraphOperator& graph_operator(ComponentId codelet) = 0;
  /// What this codelet is if it is no operator of a graph but knows what it sends; else nullptr.
  virtual ShapeInference* shape_inference(ComponentId /*codelet*/) { return nullptr; }
  /// The device port that this queue is, or nullptr for other queues and those that may be in use.
  virtual const cuda::DevicePort* device_port(ComponentId /*queue*/) { return nullptr; }
  /// Have initialize() and start() of the regions' operators been called, so that their device
  /// ports say all they will say?
  [[nodiscard]] virtual bool started() const { return false; }
};

/// The tensors that arrive at receivers, as far as somebody knows.
using ArrivingSpecs = std::unordered_map<ComponentId, TensorSpec>;

/// Asks every operator of a CUDA-graph region what its outputs are, in order, and the device ports
/// what they say of it, and lays out the arenas of the regions of which all is known then. Specs
/// that tensors of regions have already, of `inputs` or of a first message, are kept. What
/// operators throw is reported with operator and port, and where device ports contradict each
/// other; an operator that says Error(NotAvailable) leaves its outputs unknown, but for what their
/// device ports say. Returns what arrives at receivers on the CPU, too.
ArrivingSpecs infer_shapes(Plan& plan, ShapeSource& source, Diagnostics& diagnostics);

/// The same with the order of the plan's graph.
ArrivingSpecs infer_shapes(Plan& plan, ShapeSource& source, Diagnostics& diagnostics,
                           const ShapeOrder& order);

}  // namespace gxr
