#pragma once

#include <optional>

#include "gxr/run_status.hpp"

namespace gxr {

/// A codelet that stands for a CUDA graph.
class MeasuredGraph {
 public:
  virtual ~MeasuredGraph() = default;
  /// What is known of the graph now; nothing when it does not run. Any thread.
  [[nodiscard]] virtual std::optional<GraphStatus> graph_status() const = 0;

 protected:
  MeasuredGraph() = default;
  MeasuredGraph(const MeasuredGraph&) = default;
  MeasuredGraph& operator=(const MeasuredGraph&) = default;
};

}  // namespace gxr
