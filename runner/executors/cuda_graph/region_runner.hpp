#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_engine.hpp"
#include "executors/cuda_graph/measured_operators.hpp"
#include "executors/cuda_graph/operator_capture.hpp"
#include "executors/cuda_graph/region_buffers.hpp"
#include "executors/cuda_graph/region_operators.hpp"
#include "executors/cuda_graph/region_ports.hpp"
#include "executors/cuda_graph/region_program.hpp"
#include "gxr/codelet.hpp"
#include "gxr/report.hpp"
#include "observe/trace_events.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

struct ShapeOrder;

/// A CUDA-graph region, to the CPU's schedulers one entity with one codelet. Joins what regions
/// have in common whoever starts their iterations: ports, operators, program and buffers.
///
/// start() starts the operators and builds the graph; if shapes are unknown until then, the first
/// messages do. stop() waits for the iterations that were begun and stops the operators.
class RegionRunner : public Codelet, protected CaptureSource {
 public:
  RegionRunner(const RegionRunner&) = delete;
  RegionRunner& operator=(const RegionRunner&) = delete;
  ~RegionRunner() override;

  /// One entity in the place of the region's: their queues that face the outside, and this codelet.
  [[nodiscard]] virtual LiveEntity merge(const std::vector<LiveEntity>& entities);

  /// Has CUDA's picture of the graph written to a file when it is built; see
  /// DeviceGraph::write_dot().
  void set_dot_file(std::string file) { dot_file_ = std::move(file); }
  /// Gets the operators of iterations that are measured; may be nullptr. Must outlive the run.
  void set_trace(TraceEvents* trace) { trace_ = trace; }
  /// The order of the application's entities, which all regions need; must outlive the run. Without
  /// it the region makes its own.
  void set_shape_order(const ShapeOrder* order) { shape_order_ = order; }
  /// The counts of the graph; none before its end, and when it was not built.
  [[nodiscard]] const std::optional<GraphStatistics>& statistics() const noexcept {
    return statistics_;
  }

  /// So long what the region waits for may make no progress when it is to end; 0: no limit.
  void set_end_patience(std::chrono::nanoseconds patience) noexcept { end_patience_ = patience; }

  /// After a stop() that threw: does it run, and will not end? Then nothing that it uses is
  /// touched again.
  [[nodiscard]] virtual bool hangs() const noexcept { return false; }
  /// The application is about to stop all entities: what runs by itself ends first, since CUDA
  /// waits for it when another one's stop() gives memory back. What fails, stop() tells.
  virtual void end_early() noexcept {}
  /// Stops the operators that stop() has left for later, when no loop runs any more.
  void stop_late(std::vector<Failure>& failures);
  /// Throws Error when there is no such GPU.
  void initialize() override;
  void start() final;
  void stop() final;

 protected:
  using Input = RegionPorts::Input;
  using Output = RegionPorts::Output;
  using Origin = RegionPorts::Origin;

  /// Needs no GPU yet. All must outlive it; `region` is one of a CUDA graph.
  RegionRunner(const Plan& plan, const Region& region, Instance& instance, Context& context);

  /// Makes the graph out of program(), whose buffers have their places; see add_nodes().
  virtual void make_graph() = 0;
  /// There is one now, the first since start().
  virtual void open_graph() = 0;
  /// The opposite of both. Nothing of the graph runs.
  virtual void drop_graph() noexcept = 0;
  /// Returns when nothing of the graph runs any more.
  virtual void finish() = 0;
  /// Device memory that the graph has besides the region's.
  [[nodiscard]] virtual std::uint64_t graph_bytes() const noexcept { return 0; }
  // CaptureSource
  void keep(std::shared_ptr<const void> object) override;

  /// Call in finish(); the memory is added.
  void set_statistics(GraphStatistics statistics);
  /// The times of the operators, from measured iterations.
  [[nodiscard]] MeasuredOperators measured_operators(
      std::vector<MeasuredIteration> iterations) const;
  /// Call in finish(), when iterations were to be measured: for the statistics and the trace.
  void add_measures(std::vector<MeasuredIteration> iterations, GraphStatistics& statistics) const;

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const GraphRegion& graph() const noexcept { return *region_.graph; }
  [[nodiscard]] const GraphOptions& options() const noexcept { return graph().options; }
  [[nodiscard]] const std::string& region_name() const noexcept { return region_.name; }
  [[nodiscard]] Instance& instance() const noexcept { return instance_; }
  [[nodiscard]] const RegionOperators& operators() const noexcept { return operators_; }
  [[nodiscard]] const RegionPorts& ports() const noexcept { return ports_; }
  [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return ports_.inputs(); }
  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return ports_.outputs(); }
  /// The program that runs on the GPU; when it is built.
  [[nodiscard]] RegionProgram& program() noexcept { return program_; }
  [[nodiscard]] const RegionProgram& program() const noexcept { return program_; }
  [[nodiscard]] RegionBuffers& buffers() noexcept { return buffers_; }
  [[nodiscard]] const RegionBuffers& buffers() const noexcept { return buffers_; }
  /// The SMs that the graph runs on; nullptr: all.
  [[nodiscard]] DevicePartition* partition() const;
  /// The text for a watchdog that trips, without the place.
  [[nodiscard]] std::string hang_text() const;
  [[nodiscard]] std::chrono::nanoseconds end_patience() const noexcept { return end_patience_; }
  /// Has work been given up on its GPU that has not ended?
  [[nodiscard]] bool is_given_up() const noexcept;
  /// Makes it a component of the region's entity.
  void attach_to_entity(Component& component);
  /// Empty: none is wanted.
  [[nodiscard]] const std::string& dot_file() const noexcept { return dot_file_; }

  [[nodiscard]] bool is_built() const noexcept { return built_; }
  /// Call in a tick, with a message of each input.
  void build_for(const std::vector<Message>& messages);
  /// The tensors of messages, by input, nullptr for an input without one. False: there are some for
  /// which the graph was not built; see want_shapes_of().
  [[nodiscard]] bool find_tensors(const std::vector<Message>& messages);
  /// The same for the graph of now. Throws Error(InvalidState) when there are any.
  void require_tensors(const std::vector<Message>& messages);
  /// What these found last.
  [[nodiscard]] const Tensor& tensor_of(std::size_t input) const { return *tensors_[input]; }
  /// Wants the program with the shapes of these messages. Throws Error(InvalidData) that names
  /// input and both shapes when there can be none.
  void want_shapes_of(const std::vector<Message>& messages, const RegionProgram::News& news);
  /// Makes the graph of the wanted region out of its program, with all operators on; the program's
  /// edits say which are off. Tensors that have the same shape as before keep what they hold from
  /// one iteration to the next, others begin anew. Nothing of the graph runs.
  void rebuild();

  /// Adds all nodes of the program to a DeviceGraph or DeviceLoop, in their order.
  template <class Device>
  void add_nodes(Device& device) {
    const std::vector<DeviceNode>& nodes = program_.running().nodes;
    for (NodeId id = 0; id < nodes.size(); ++id) {
      add_node(id, nodes[id], device);
    }
  }
  /// Puts into it what an operator captures now, or, `is_on` false, what is in the place of one
  /// that is switched off.
  template <class Device>
  void replace(NodeId id, bool is_on, Device& device) {
    if (!is_on) {
      device.replace_by_copy(id, passed_copy(id));
      return;
    }
    capture(id, [&](const std::function<void(CUstream_st*)>& work) { device.replace(id, work); });
  }
  /// The edits of the program, for tell_edits().
  [[nodiscard]] std::string edits_text() const;
  /// Logs the edits of the program and what they cost.
  void tell_edits(const std::string& edits, const std::string& cost) const;
  /// The branch around a node that is launched as a graph of its own; kNoNode: there is none.
  [[nodiscard]] NodeId launched_around(NodeId id) const;

 private:
  using Add = std::function<void(const std::function<void(CUstream_st*)>&)>;

  template <class Device>
  void add_node(NodeId id, const DeviceNode& node, Device& device) {
    switch (node.kind) {
      case DeviceNode::Kind::Branch:
        device.add_branch(branch_memory(id), node);
        return;
      case DeviceNode::Kind::Copy:
        device.add_copy(buffers_.copy_of(node), node);
        return;
      case DeviceNode::Kind::Operator:
        prepare(id, [&](const std::function<void(CUstream_st*)>& work) { device.prepare(work); });
        capture(id, [&](const std::function<void(CUstream_st*)>& work) {
          device.add(work, node, kept_in_l2(node, buffers_));
        });
    }
  }
  /// Has `add` called with the work that the operator captures. That may be called later, too, as
  /// long as there is a graph, and passes on what the operator throws as its ComponentFailure.
  void capture(NodeId id, const Add& add);
  /// Has `run` called with what a CapturePreparation does before it is captured.
  void prepare(NodeId id, const Add& run);
  [[nodiscard]] BranchMemory branch_memory(NodeId id);
  /// Of no bytes when nothing is passed on.
  [[nodiscard]] DeviceCopy passed_copy(NodeId id) const;
  void settle_ports();
  void lay_out(const std::vector<Message>& messages);
  void infer();
  [[nodiscard]] Region infer_anew(const Region& told) const;
  [[nodiscard]] std::string told_by(std::size_t input, const Message& message, Region& told) const;
  [[nodiscard]] std::vector<BufferId> kept_by_next() const;
  void place();
  void build();
  void drop();
  [[nodiscard]] cuda::DevicePort::Memory memory_of_operator(TensorId id);
  void shut_down(std::vector<Failure>& failures);

  const Plan& plan_;
  const ShapeOrder* shape_order_ = nullptr;
  Region region_;  // a copy: shapes that are found late are put here
  Instance& instance_;
  RegionOperators operators_;
  RegionPorts ports_;
  RegionProgram program_;
  RegionBuffers buffers_;
  std::vector<const Tensor*> tensors_;  // by input, of the messages of now
  GraphEntity entity_;
  std::string name_;
  std::string type_;
  std::map<NodeId, std::vector<std::shared_ptr<const void>>> kept_;
  NodeId captured_ = kNoNode;  // now
  bool built_ = false;
  std::optional<GraphStatistics> statistics_;
  std::string dot_file_;  // may be empty
  TraceEvents* trace_ = nullptr;
  std::chrono::nanoseconds end_patience_ = std::chrono::seconds(10);
};

}  // namespace gxr
