#pragma once

#include <string>
#include <vector>

#include "gxr/device_graph.hpp"
#include "owned.hpp"

namespace gxr::cuda {

using GraphHandle = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// A DeviceGraph by the CUDA runtime. Captured nodes are copied into one flat graph, so that edges
/// between pieces can be programmatic, and by the driver's functions, since those of the runtime do
/// not know kernels of libraries that have a runtime of their own.
class RuntimeGraph final : public DeviceGraph {
 public:
  RuntimeGraph(int device, int priority);
  ~RuntimeGraph() override;

  std::size_t add(const std::function<void(CUstream_st*)>& work,
                  const std::vector<std::size_t>& after, const GraphTraits& traits) override;
  [[nodiscard]] std::size_t nodes() const noexcept override { return nodes_; }
  void instantiate() override;
  void launch(CUstream_st* stream, std::uint64_t number, std::uint64_t* counter) override;
  void write_dot(const std::string& file) const override;

 private:
  using Node = cudaGraphNode_t;
  struct Piece {
    std::vector<Node> first;  ///< nodes that wait for none of the piece
    std::vector<Node> last;   ///< nodes that none of the piece waits for
    bool dependent_launch = false;
  };

  [[nodiscard]] GraphHandle capture(const std::function<void(CUstream_st*)>& work) const;
  Piece copy_nodes(cudaGraph_t from, const GraphTraits& traits);
  Node copy_node(Node node);
  Node copy_kernel(Node node);
  Node copy_memcpy(Node node);
  Node copy_memset(Node node);
  void join(const Piece& before, const Piece& behind);

  int device_;
  OwnedStream stream_;  // only ever captured
  GraphHandle graph_;
  GraphExecHandle exec_;
  std::vector<Piece> pieces_;
  std::vector<GraphHandle> captured_;  // what libraries tied to them is needed by the copies
  std::size_t nodes_ = 0;
};

}  // namespace gxr::cuda
