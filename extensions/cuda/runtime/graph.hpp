#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_graph.hpp"
#include "graph_layout.hpp"
#include "graph_pieces.hpp"
#include "l2_cache.hpp"
#include "measured_records.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// A DeviceGraph by the CUDA runtime.
class RuntimeGraph final : public DeviceGraph {
 public:
  explicit RuntimeGraph(const DeviceGraphOptions& options);
  ~RuntimeGraph() override;

  NodeId add(const std::function<void(CUstream_st*)>& work, const DeviceNode& node,
             const DeviceRange& kept_in_l2 = {}) override;
  void prepare(const std::function<void(CUstream_st*)>& work) override;
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override;
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override;
  [[nodiscard]] std::size_t nodes() const noexcept override;
  void count_launches(std::uint64_t* counter, std::uint64_t next) override;
  void instantiate() override;
  void launch(CUstream_st* stream) override;
  void check() const override;
  [[nodiscard]] std::vector<MeasuredIteration> measured() override;
  [[nodiscard]] std::vector<MeasuredIteration> measured_until_now() const override;
  void write_dot(const std::string& file) const override;

  void replace(NodeId node, const std::function<void(CUstream_st*)>& work) override;
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override;
  EditCost update(const DeviceWork& launched) override;
  [[nodiscard]] DeviceGraphUpdates updates() const noexcept override { return updates_; }
  void enable(NodeId node, bool on) override;
  void keep(std::shared_ptr<const void> object) override { kept_.push_back(std::move(object)); }

  /// All nodes; after instantiate(), all branches.
  [[nodiscard]] cudaGraph_t get() const noexcept { return whole_.graph.get(); }

 private:
  using Work = std::function<void(CUstream_st*)>;
  /// The capture of an operator or a copy: one of the two.
  struct Source {
    GraphHandle graph;       // copied; the copies need the objects that are tied to it
    Work work;               // with memory nodes: captured straight into each graph that has it
    bool stands_in = false;  // for what was captured, and will be again
  };
  /// A node, and its CUDA nodes as they were captured.
  struct GraphNode {
    DeviceNode node;
    // Of an operator or a copy:
    Source source;
    std::optional<Source> replacement;  // its CUDA nodes are wanted from the next update() on
    GraphHandle set_aside;              // what `source` stands in for: keeps what it was given
    PieceAttributes attributes;         // of its copies in the graph, not of `source`
    bool paired = true;   // nodes of `source`, if that is a graph, and of the graph have one order
    bool enabled = true;  // when launched
    // Of a branch:
    BranchMemory memory;
    Choosing choosing = Choosing::Conditional;

    [[nodiscard]] bool is_branch() const noexcept { return node.kind == DeviceNode::Kind::Branch; }
    [[nodiscard]] BoundBranch branch() const { return {node.branch, memory}; }

    [[nodiscard]] const Source& wanted() const noexcept {
      return replacement ? *replacement : source;
    }
    [[nodiscard]] bool has_memory_nodes() const noexcept { return wanted().work != nullptr; }
  };
  /// The kernel that writes the number of the launch.
  struct Counter {
    std::uint64_t* where = nullptr;
    std::uint64_t next = 0;
    GraphHandle captured;
    bool is_placed = false;  // in the graph
    bool is_set = false;
  };
  /// All nodes, put together.
  struct Whole {
    GraphHandle graph;
    GraphLayout layout;
  };
  /// Objects that launched iterations may still use.
  struct Retired {
    DeviceWork needed_by;
    std::vector<GraphExecHandle> execs;
    std::vector<GraphHandle> wholes;
    std::vector<GraphHandle> captured;  // replaced captures of nodes
  };
  /// All nodes with kernels that note the times, made when a launch is to be measured.
  struct Measured {
    MeasuredRecords records;
    RuntimeMemory number;  // of the launch that runs
    std::uint64_t launches = 0;
    std::optional<Whole> whole;  // none: nodes have changed
    GraphExecHandle exec;        // of it
  };

  [[nodiscard]] PieceAttributes attributes_of(const GraphTraits& traits,
                                              const DeviceRange& kept_in_l2) const;
  void place_counter(const Whole& whole) const;
  [[nodiscard]] Source capture_alone(const Work& work, const DeviceBody& body);
  void place(NodeId number, Whole& whole, Stamps* stamps = nullptr);
  void place_captured(const GraphNode& node, Whole& whole, const GraphPiece* begin);
  void tie_kept(cudaGraph_t graph);
  [[nodiscard]] PieceAttributes own_attributes() const;
  [[nodiscard]] Whole begin_whole() const;
  [[nodiscard]] Whole assemble(Measured* measured = nullptr);
  [[nodiscard]] bool can_switch(std::size_t number) const;
  [[nodiscard]] std::optional<std::pair<Whole, GraphExecHandle>> try_switched();
  void add_switched(const Whole& whole);
  [[nodiscard]] GraphExecHandle instantiate(Whole& whole) const;
  [[nodiscard]] bool has_switched_bodies() const noexcept;
  void make_another(cudaStream_t stream);
  void begin_measuring();
  [[nodiscard]] cudaGraphExec_t to_launch(cudaStream_t stream);
  void make_measured();
  void retire_measured(Retired& old);
  [[nodiscard]] bool has_branches() const noexcept;
  [[nodiscard]] bool update_nodes();
  EditCost update_all(Retired& old);
  static void take_over(GraphNode& node, Retired& old);
  void destroy_retired();
  void destroy(GraphExecHandle exec) const;
  void destroy(GraphHandle graph) const;
  void destroy_all(Retired& old) const;

  DeviceGraphOptions options_;
  bool programmatic_edges_;
  OwnedStream stream_;  // nothing runs on it but copies to make graphs ready
  // Of all graphs with switched bodies that there have been; memory is given back only when
  // nothing runs any more, for which CUDA waits.
  std::vector<SwitchedBodies> switched_;
  RuntimeMemory switch_failure_;  // error and limit, when there are such
  std::size_t remakes_ = 0;       // of such a graph, since it was changed
  bool wants_another_ = false;    // graph, since pieces were switched off or on
  Whole whole_;
  GraphExecHandle exec_;  // of it
  std::vector<GraphNode> nodes_;
  std::optional<Counter> counter_;
  std::optional<Measured> measured_;
  std::vector<L2Reservation> in_l2_;
  std::deque<Retired> retired_;                    // in the order of launches
  std::vector<std::shared_ptr<const void>> kept_;  // by the work that is captured now
  DeviceGraphUpdates updates_;
};

}  // namespace gxr::cuda
