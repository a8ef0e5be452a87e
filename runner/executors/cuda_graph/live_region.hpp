#pragma once

#include <string>
#include <vector>

#include "executors/cuda_graph/measured_operators.hpp"
#include "executors/cuda_graph/region_buffers.hpp"
#include "executors/cuda_graph/region_capture.hpp"
#include "executors/cuda_graph/region_exchanges.hpp"
#include "executors/cuda_graph/region_operators.hpp"
#include "executors/cuda_graph/region_ports.hpp"
#include "executors/cuda_graph/region_program.hpp"
#include "executors/cuda_graph/region_shapes.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A CUDA-graph region in a run, and the parts that it has in both modes.
struct LiveRegion {
  /// Needs no GPU yet. All must outlive it; `planned` is one of a CUDA graph.
  LiveRegion(const Plan& plan, const Region& planned, Instance& instance, Context& context,
             CaptureSource& source, RegionShapes::Tell warn);
  LiveRegion(const LiveRegion&) = delete;
  LiveRegion& operator=(const LiveRegion&) = delete;
  ~LiveRegion() = default;

  [[nodiscard]] const GraphRegion& graph() const noexcept { return *region.graph; }
  [[nodiscard]] const GraphOptions& options() const noexcept { return graph().options; }
  [[nodiscard]] const std::string& name() const noexcept { return region.name; }
  /// The SMs that the graph runs on; nullptr: all.
  [[nodiscard]] DevicePartition* partition() const;
  /// Has work been given up on its GPU that has not ended?
  [[nodiscard]] bool is_given_up() const noexcept;
  /// The text for a watchdog that trips, without the place.
  [[nodiscard]] std::string hang_text() const;
  /// The names of the operators in an iteration, by NodeId; empty: a node that is no such one.
  [[nodiscard]] std::vector<std::string> operators_by_node() const;
  /// The times of the operators, from measured iterations.
  [[nodiscard]] MeasuredOperators measured_operators(
      std::vector<MeasuredIteration> iterations) const;
  /// Takes memory for the program that runs, and puts its parameters there.
  void place();

  const Plan& plan;
  Region region;  ///< a copy: shapes that are found late are put here
  Instance& instance;
  RegionOperators operators;
  RegionPorts ports;
  RegionShapes shapes;
  RegionProgram program;
  RegionExchanges exchanges;
  RegionBuffers buffers;
  RegionCapture capture;
};

}  // namespace gxr
