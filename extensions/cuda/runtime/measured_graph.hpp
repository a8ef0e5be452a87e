#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph_nodes.hpp"
#include "measured_records.hpp"
#include "owned.hpp"
#include "retired_graphs.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// A second graph of the same nodes, with kernels that note the times, and what they have noted.
/// Every Nth launch launches it instead.
class MeasuredGraph {
 public:
  /// `stream`: of copies; waits for it.
  MeasuredGraph(const DeviceGraphOptions& options, const GraphNodes& nodes, StreamRef stream);

  /// Counts a launch. Is it to be measured?
  [[nodiscard]] bool begin_launch() noexcept;
  [[nodiscard]] bool is_made() const noexcept { return graph_.has_value(); }
  /// The kernels that note the times, in a graph that is being laid out.
  [[nodiscard]] Stamps stamps(const PieceOptions& piece_options, cudaGraph_t graph) const;
  void set(LaidGraph graph, GraphExecHandle exec);
  /// To be launched next on `stream`; it is made.
  [[nodiscard]] cudaGraphExec_t next(StreamRef stream) const;
  /// If it is made.
  void enable(NodeId node, bool on) const;
  /// The nodes have changed: it has to be made again.
  void retire(RetiredGraph& old);
  /// Destroys the graph, if it is made, when CUDA need not wait for the end of loops.
  void destroy_late() noexcept;
  [[nodiscard]] std::vector<MeasuredIteration> read(std::size_t most) const {
    return records_.read(most);
  }
  /// The times that were noted become exact; see MeasuredRecords.
  void end(StreamRef stream) { records_.end(stream); }

 private:
  std::uint32_t every_;
  MeasuredRecords records_;
  RuntimeMemory number_;  // of the launch that runs
  std::uint64_t launches_ = 0;
  std::optional<LaidGraph> graph_;
  GraphExecHandle exec_;  // of it
};

}  // namespace gxr::cuda
