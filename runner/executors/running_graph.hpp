#pragma once

#include <optional>

#include "gxr/run_status.hpp"

namespace gxr {

/// A codelet that stands for a CUDA graph.
class RunningGraph {
 public:
  virtual ~RunningGraph() = default;
  /// The status of the graph; none when it does not run. Any thread.
  [[nodiscard]] virtual std::optional<GraphStatus> graph_status() const = 0;

 protected:
  RunningGraph() = default;
  RunningGraph(const RunningGraph&) = default;
  RunningGraph& operator=(const RunningGraph&) = default;
};

}  // namespace gxr
