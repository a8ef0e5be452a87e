#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device_loop.hpp"
#include "launched_bodies.hpp"
#include "loop_control.hpp"
#include "loop_graphs.hpp"
#include "loop_kernels.hpp"
#include "loop_memory.hpp"
#include "loop_nodes.hpp"
#include "loop_ports.hpp"
#include "measured_records.hpp"
#include "owned.hpp"

namespace gxr::cuda {

class DeviceGuard;

/// A DeviceLoop by the CUDA runtime. It joins the parts of a loop:
///
/// - LoopNodes: the nodes, as they were captured
/// - LoopMemory: the memory that the control kernels share with the host
/// - LoopPorts: tensors put and taken
/// - LoopControl: the words by which the host controls the loop, and tells how far it is
/// - LaunchedBodies, MeasuredRecords: of loops that have such
/// - LoopGraphs: the graphs, made by a builder for the shape of the loop (loop_builders.hpp)
class RuntimeLoop final : public DeviceLoop {
 public:
  explicit RuntimeLoop(const DeviceLoopOptions& options);
  ~RuntimeLoop() override;

  NodeId add(const CapturedWork& work, const DeviceNode& node,
             const DeviceRange& l2_range = {}) override {
    return nodes_.add(work, node, l2_range);
  }
  void prepare(const CapturedWork& work) override { nodes_.prepare(work); }
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override {
    return add(copy_work(copy), node);
  }
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override;
  [[nodiscard]] const std::uint64_t* iteration() const noexcept override {
    return &memory_.state()->done;
  }
  [[nodiscard]] const std::uint64_t* iteration_in(NodeId branch) const noexcept override;
  [[nodiscard]] Doorbell doorbell(std::size_t number) const noexcept override;
  [[nodiscard]] const std::uint64_t* is_new(std::size_t drive) const noexcept override;
  void instantiate() override;
  void replace(NodeId node, const CapturedWork& work) override { nodes_.replace(node, work); }
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override {
    nodes_.replace_by_copy(node, copy);
  }
  void write_dot(const std::string& file) const override;

  void launch_from(std::uint64_t done, std::uint64_t limit) override;
  [[nodiscard]] DeviceLoopControl& control() noexcept override { return control_; }
  [[nodiscard]] DeviceLoopPorts& ports() noexcept override { return ports_; }
  bool is_running() override;
  [[nodiscard]] bool waits_for_siblings() const noexcept override;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return memory_.bytes() + graphs_.bytes() + launched_.bytes();
  }
  DeviceLoopReport report() override;
  [[nodiscard]] std::vector<MeasuredIteration> measured(
      std::size_t most = kAllMeasured) const override {
    return records_ ? records_->read(most) : std::vector<MeasuredIteration>{};
  }

  /// Of the last launch, after its end.
  [[nodiscard]] LoopState end_state() const { return control_.end_state(stream_.get()); }
  /// After instantiate(): the main graph, the bodies of its conditional nodes, and stages.
  [[nodiscard]] const std::vector<cudaGraph_t>& graphs() const noexcept { return graphs_.all(); }

 private:
  RuntimeLoop(const DeviceLoopOptions& options, const DeviceGuard& guard);
  [[nodiscard]] LoopMaterial material() const;
  void make_records();
  [[nodiscard]] bool try_to_build(const std::function<LoopGraphs()>& build);
  [[nodiscard]] LoopGraphs build(std::uint32_t unroll) const;
  void leave() noexcept;

  DeviceLoopOptions options_;
  PieceOptions piece_options_;  // of kernels that are none of the operators'
  OwnedStream capture_stream_;
  OwnedStream stream_;          // of the loop
  OwnedStream control_stream_;  // for words that change while it runs
  LoopMemory memory_;
  LaunchedBodies launched_;
  LoopPorts ports_;
  LoopControl control_;
  LoopNodes nodes_;
  std::optional<MeasuredRecords> records_;
  LoopGraphs graphs_;
  bool is_launched_ = false;
};

}  // namespace gxr::cuda
