#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_graph.hpp"
#include "graph_nodes.hpp"
#include "l2_cache.hpp"
#include "launch_counter.hpp"
#include "measured_graph.hpp"
#include "owned.hpp"
#include "retired_graphs.hpp"
#include "switched_graphs.hpp"

namespace gxr::cuda {

/// A DeviceGraph by the CUDA runtime. It joins the parts of a graph:
///
/// - GraphNodes: the nodes, as they were captured, and what is wanted of them
/// - LaunchCounter, MeasuredGraph, SwitchedGraphs: of graphs that have such
/// - RetiredGraphs: what a change has replaced
class RuntimeGraph final : public DeviceGraph {
 public:
  explicit RuntimeGraph(const DeviceGraphOptions& options);
  ~RuntimeGraph() override;

  NodeId add(const CapturedWork& work, const DeviceNode& node,
             const DeviceRange& l2_range = {}) override;
  void prepare(const CapturedWork& work) override;
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override {
    return add(copy_work(copy), node);
  }
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override;
  [[nodiscard]] std::size_t nodes() const noexcept override;
  void count_launches(std::uint64_t* counter, std::uint64_t next) override;
  void instantiate() override;
  void launch(CUstream_st* stream) override;
  void check() const override { switched_.check(); }
  [[nodiscard]] std::vector<MeasuredIteration> measured() override;
  [[nodiscard]] std::vector<MeasuredIteration> measured_until_now(
      std::size_t most = kAllMeasured) const override;
  void write_dot(const std::string& file) const override;

  void replace(NodeId node, const CapturedWork& work) override;
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override;
  EditCost update(const DeviceWork& launched) override;
  [[nodiscard]] DeviceGraphUpdates updates() const noexcept override { return updates_; }
  void enable(NodeId node, bool on) override;
  void keep(std::shared_ptr<const void> object) override { nodes_.keep(std::move(object)); }

  /// All nodes; after instantiate(), all branches.
  [[nodiscard]] cudaGraph_t get() const noexcept { return laid_.graph.get(); }

 private:
  [[nodiscard]] LaidGraph assemble(const MeasuredGraph* measured = nullptr);
  [[nodiscard]] std::optional<std::pair<LaidGraph, GraphExecHandle>> try_switched();
  [[nodiscard]] GraphExecHandle instantiate(LaidGraph& graph) const;
  [[nodiscard]] bool has_switched_bodies() const noexcept {
    return !laid_.layout.switched().empty();
  }
  void make_another(cudaStream_t stream);
  [[nodiscard]] cudaGraphExec_t to_launch(cudaStream_t stream);
  [[nodiscard]] bool update_nodes();
  EditCost update_all(RetiredGraph& old);
  [[nodiscard]] bool is_alike(const GraphLayout& layout) const;

  DeviceGraphOptions options_;
  OwnedStream stream_;  // nothing runs on it but copies to make graphs ready
  GraphNodes nodes_;
  SwitchedGraphs switched_;
  bool wants_another_ = false;  // graph, since nodes were switched off or on
  LaidGraph laid_;
  GraphExecHandle exec_;  // of it
  std::optional<LaunchCounter> counter_;
  std::optional<MeasuredGraph> measured_;
  std::vector<L2Reservation> in_l2_;
  RetiredGraphs retired_;
  DeviceGraphUpdates updates_;
};

}  // namespace gxr::cuda
