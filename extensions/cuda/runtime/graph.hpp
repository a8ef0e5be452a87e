#pragma once

#include <string>
#include <vector>

#include "graph_pieces.hpp"
#include "gxr/device_graph.hpp"
#include "l2_cache.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// A DeviceGraph by the CUDA runtime.
class RuntimeGraph final : public DeviceGraph {
 public:
  explicit RuntimeGraph(const DeviceGraphOptions& options);
  ~RuntimeGraph() override;

  std::size_t add(const std::function<void(CUstream_st*)>& work,
                  const std::vector<std::size_t>& after, const GraphTraits& traits,
                  const DeviceRange& kept_in_l2) override;
  [[nodiscard]] std::size_t nodes() const noexcept override { return nodes_; }
  void instantiate() override;
  void launch(CUstream_st* stream, std::uint64_t number, std::uint64_t* counter) override;
  void write_dot(const std::string& file) const override;
  /// All pieces.
  [[nodiscard]] cudaGraph_t get() const noexcept { return graph_.get(); }

 private:
  DeviceGraphOptions options_;
  bool programmatic_edges_;
  OwnedStream stream_;  // only ever captured
  GraphHandle graph_;
  GraphExecHandle exec_;
  std::vector<GraphPiece> pieces_;
  std::vector<GraphHandle> captured_;  // what libraries tied to them is needed by the copies
  std::vector<L2Reservation> in_l2_;
  std::size_t nodes_ = 0;
};

}  // namespace gxr::cuda
