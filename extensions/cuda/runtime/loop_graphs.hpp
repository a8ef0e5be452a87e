#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "graph_layout.hpp"
#include "loop_material.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"
#include "switched_bodies.hpp"

namespace gxr::cuda {

/// A graph that is launched beside the main one: a stage, a launched body or a copy of one.
struct LoopGraph {
  GraphHandle graph;
  GraphExecHandle exec;
};

/// The graphs of a loop, and all that the host needs to launch, draw and destroy them. A builder
/// makes it (loop_builders.hpp).
class LoopGraphs {
 public:
  /// None.
  LoopGraphs() = default;
  /// With an empty main graph, for a builder.
  static LoopGraphs begin();
  LoopGraphs(LoopGraphs&&) = default;
  LoopGraphs& operator=(LoopGraphs&&) = default;
  /// Destroys them.
  ~LoopGraphs() { destroy(); }

  [[nodiscard]] cudaGraph_t main() const noexcept { return main_.get(); }
  /// The main graph, the bodies of its conditional nodes, and stages.
  [[nodiscard]] const std::vector<cudaGraph_t>& all() const noexcept { return all_; }

  // For a builder:
  struct While {
    cudaGraphNode_t node = nullptr;
    cudaGraph_t body = nullptr;
  };
  /// Adds a WHILE node behind `after`.
  While add_while(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                  cudaGraphConditionalHandle handle);
  /// Adds a graph beside the main one, which may be empty yet, and gets its exec later. The object
  /// stays where it is.
  LoopGraph& add(GraphHandle graph);
  /// A stage, which was added.
  void note_stage(cudaGraph_t graph) { all_.push_back(graph); }
  /// The bodies of conditional nodes, and the branches that are switched, of a graph that was laid.
  void note(const GraphLayout& layout);
  /// Makes the main graph ready, when all of it is laid. `by_kernels`: as cuda::instantiate().
  void instantiate(const LoopMaterial& material, bool by_kernels);
  [[nodiscard]] cudaGraphExec_t main_exec() const noexcept { return exec_.get(); }
  /// Gives it memory that its kernels read.
  void add(RuntimeMemory memory, std::size_t bytes);
  /// The host launches this one instead of the main graph.
  void launch_by(GraphExecHandle starter) { starter_ = std::move(starter); }
  /// The host launches this one, which launches the starter again and again.
  void launch_anew_by(GraphExecHandle anew) { anew_ = std::move(anew); }
  [[nodiscard]] cudaGraphExec_t starter() const noexcept { return starter_.get(); }

  /// The graph that the host launches; nullptr: there are no graphs.
  [[nodiscard]] cudaGraphExec_t first() const noexcept;
  [[nodiscard]] bool launches_itself() const noexcept { return starter_.get() != nullptr; }
  /// Device memory of its own.
  [[nodiscard]] std::size_t bytes() const noexcept { return switched_.bytes() + bytes_; }
  /// See DeviceLoop::write_dot(). Graphs beside the main one get files of their own, with numbers.
  void write_dot(const std::string& file) const;
  /// Then there are none. CUDA waits for the end of all loops when it destroys a graph with
  /// conditional nodes, and might when one has kernels that are switched; so that is put off.
  void destroy() noexcept;
  /// Leaves all as it is: a loop that does not end uses it.
  void release() noexcept;

 private:
  [[nodiscard]] std::vector<GraphExecHandle*> execs();
  void switch_bodies(const LoopMaterial& material);

  GraphHandle main_;
  std::vector<cudaGraph_t> all_;
  std::vector<SwitchedBranch> switched_branches_;
  SwitchedBodies switched_;  // of them
  GraphExecHandle exec_;
  GraphExecHandle starter_;
  GraphExecHandle anew_;
  std::deque<LoopGraph> others_;
  RuntimeMemory memory_;
  std::size_t bytes_ = 0;
};

}  // namespace gxr::cuda
