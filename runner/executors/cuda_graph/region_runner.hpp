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
#include "executors/cuda_graph/region_memory.hpp"
#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/report.hpp"
#include "observe/trace_events.hpp"
#include "plan/plan.hpp"
#include "plan/region_items.hpp"
#include "runtime/instance.hpp"

namespace gxr {

struct ShapeOrder;

/// A CUDA-graph region, to the CPU's schedulers one entity with one codelet. What regions have in
/// common whoever starts their iterations: ports, shapes, memory, the operators' lives and capture.
///
/// start() starts the operators and builds the graph; if shapes are unknown until then, the first
/// messages do. stop() waits for the iterations that were begun and stops the operators.
class RegionRunner : public Codelet {
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
  /// What the graph did; none before its end, and when it was not built.
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
  class Capture;
  class SameShapes;
  /// What comes from one transmitter outside.
  struct Input {
    TensorId tensor;
    std::vector<Receiver*> receivers;
  };
  struct Output {
    TensorId tensor;
    std::vector<Transmitter*> transmitters;
  };
  /// When a message was made: of an input, for the outputs that follow from it.
  struct Origin {
    std::uint64_t sequence = 0;
    std::int64_t source_time = 0;
    std::optional<std::int64_t> acqtime;
  };

  /// Needs no GPU yet. All must outlive it; `region` is one of a CUDA graph.
  RegionRunner(const Plan& plan, const Region& region, Instance& instance, Context& context);

  /// Makes the graph out of the operators, whose tensors have their places; see capture().
  virtual void build_graph() = 0;
  /// The opposite. Nothing of the graph runs.
  virtual void drop_graph() noexcept = 0;
  /// Returns when nothing of the graph runs any more.
  virtual void finish() = 0;
  /// Device memory that the graph has besides what was taken of memory().
  [[nodiscard]] virtual std::uint64_t graph_bytes() const noexcept { return 0; }
  /// In device memory: the number of the iteration, for the operators' kernels.
  virtual const std::uint64_t* iteration() = 0;
  /// The same for the kernels of a step.
  virtual const std::uint64_t* iteration_of(StepId /*step*/) { return iteration(); }
  /// What the work that is captured now uses, until drop_graph() at least.
  virtual void keep(std::shared_ptr<const void> object);
  /// Of a gxr::cuda::DataReadyHandler, an index in GraphRegion::handlers. See CaptureContext.
  [[nodiscard]] virtual Doorbell doorbell(std::size_t /*handler*/) const { return {}; }
  /// Of an input, or, behind the inputs, of a handler. See CaptureContext.
  [[nodiscard]] virtual const std::uint64_t* is_new(std::size_t /*drive*/) const { return nullptr; }

  /// Call in finish(); the memory is added.
  void set_statistics(GraphStatistics statistics);
  /// What iterations that were measured tell of the operators.
  [[nodiscard]] MeasuredOperators measured_operators(
      std::vector<MeasuredIteration> iterations) const;
  /// Call in finish(), when iterations were to be measured: for the statistics and the trace.
  void add_measures(std::vector<MeasuredIteration> iterations, GraphStatistics& statistics) const;
  [[nodiscard]] GraphRegion& graph() noexcept { return *region_.graph; }
  [[nodiscard]] const GraphRegion& graph() const noexcept { return *region_.graph; }
  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const std::string& region_name() const noexcept { return region_.name; }
  /// What is said when the watchdog trips, without the place.
  [[nodiscard]] std::string hang_text() const;
  [[nodiscard]] std::chrono::nanoseconds end_patience() const noexcept { return end_patience_; }
  /// Has work been given up on its GPU that has not ended?
  [[nodiscard]] bool is_given_up() const noexcept;
  /// Makes it a component of the region's entity.
  void attach_to_entity(Component& component);
  /// Empty: none is wanted.
  [[nodiscard]] const std::string& dot_file() const noexcept { return dot_file_; }
  [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const std::vector<Receiver*>& receivers() const noexcept { return receivers_; }
  [[nodiscard]] const std::vector<Transmitter*>& transmitters() const noexcept {
    return transmitters_;
  }
  [[nodiscard]] const Tensor& tensor(TensorId id) const { return *tensors_[id]; }
  [[nodiscard]] Tensor& tensor(TensorId id) { return *tensors_[id]; }
  [[nodiscard]] GraphOperator& operator_of(StepId step) const { return *operators_[step]; }
  /// What GraphTraits::kept_in_l2 of a step's operator stands for. Throws Error(InvalidArgument)
  /// when the operator has no such memory.
  [[nodiscard]] DeviceRange kept_in_l2(StepId step) const;
  /// The SMs that the graph runs on; nullptr: all.
  [[nodiscard]] DevicePartition* partition() const;
  [[nodiscard]] Component& codelet_of(const GraphStep& step) const;
  /// What the graph is put together from, in this order.
  [[nodiscard]] const std::vector<RegionItem>& items() const noexcept { return items_; }
  /// The item of a step.
  [[nodiscard]] std::size_t item_of(StepId step) const { return item_of_step_[step]; }
  /// Takes what it needs of memory(). Call it in build_graph().
  [[nodiscard]] DeviceBranch device_branch(const RegionItem& item);
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  [[nodiscard]] Copy copy_of(const RegionItem& item) const;
  /// Makes tensors zeros that are read before they are written. Nothing of the graph runs.
  void clear_old_tensors();
  [[nodiscard]] Instance& instance() const noexcept { return instance_; }
  [[nodiscard]] const GraphEntity& entity() const noexcept { return entity_; }
  /// What build_graph() takes of it is given back behind drop_graph().
  [[nodiscard]] RegionMemory& memory() noexcept { return *memory_; }
  /// Call in a tick, with a message of each input.
  [[nodiscard]] bool is_built() const noexcept { return built_; }
  void build_for(const std::vector<Message>& messages);
  /// What a program has changed: the values are in the operators.
  struct Changed {
    std::vector<StepId> steps;  ///< whose components have new values
    std::vector<std::pair<StepId, bool>> switched;
  };
  [[nodiscard]] bool has_changes() const { return instance_.changes().any(members_); }
  /// Call in a tick.
  [[nodiscard]] Changed take_changes();
  /// Have operators new values whose kernels read them from device memory?
  [[nodiscard]] bool read_parameters(const Changed& changed) const;
  /// The memory to which all such values are set, and what is to be in it, one behind the other.
  [[nodiscard]] std::vector<DeviceRange> parameter_ranges() const;
  [[nodiscard]] std::vector<std::byte> parameters() const;
  /// Puts them there, in the order of a stream, or at once, while nothing of the graph runs.
  void write_parameters(DeviceStream& stream) const;
  void write_parameters() const;
  /// What brings them from there to the kernels of a step that runs beside iterations, before its
  /// turn; of no bytes for others, which read them where they are set.
  [[nodiscard]] Copy copied_parameters(StepId step) const;
  /// Is an operator switched off by its nodes, which stay in the graph? Others are replaced.
  [[nodiscard]] virtual bool switches_nodes(StepId /*step*/) const { return false; }
  /// The steps to replace(), in ascending order: those that are switched now, but not by their
  /// nodes, and those with new values that are parts of their nodes, and that are not switched
  /// off. Throws, as the operator's failure, when one cannot be switched off, or, as its parameters
  /// are now, needs other tensors or more scratch than the graph was built for.
  [[nodiscard]] std::vector<StepId> changed_pieces(const Changed& changed);
  /// Puts into a DeviceGraph or DeviceLoop what the operator captures now, or, while it is switched
  /// off, what is in its place.
  template <class Device>
  void replace(StepId step, Device& device) {
    if (off_[step]) {
      const Copy copy = passed_copy(step);
      device.replace_by_copy(item_of(step), copy.to, copy.from, copy.bytes);
      return;
    }
    capture(step, [&](const std::function<void(CUstream_st*)>& work) {
      device.replace(item_of(step), work);
    });
  }
  /// Has `add` called with the work that the operator captures. That may be called later, too, as
  /// long as there is a graph, and passes on what the operator throws as its ComponentFailure.
  void capture(StepId step,
               const std::function<void(const std::function<void(CUstream_st*)>&)>& add);
  [[nodiscard]] static std::string name_of(const Input& input);
  /// The next message of an input, by which it comes to all its receivers.
  static Message receive(const Input& input, const std::function<Message(Receiver&)>& receive_from);
  /// The next message of each input.
  [[nodiscard]] std::vector<Message> receive(
      const std::function<Message(Receiver&)>& receive_from) const;
  /// The tensor of a message for an input. Throws Error(InvalidData) when it is not what the graph
  /// was built for.
  [[nodiscard]] const Tensor& checked_tensor(const Input& input, const Message& message) const;
  [[nodiscard]] static Origin origin_of(const Message& message);
  /// A message for an output, with `memory` of `from` as its tensor.
  [[nodiscard]] Message new_result(const Output& output, Allocator& from, void* memory,
                                   MemoryStorageType storage, const Origin* origin,
                                   std::uint64_t number);
  static void publish(Transmitter& transmitter, Message message, const Origin* origin);

 private:
  /// Memory of a step's parameters; nullptr: it has none.
  struct ParameterBlock {
    void* set = nullptr;   ///< where they are set
    void* read = nullptr;  ///< where its kernels read them
  };
  void find_ports();
  void settle_ports();
  void lay_out(const std::vector<Message>& messages);
  void infer();
  void require_layout() const;
  void build();
  void drop();
  void place_tensors();
  [[nodiscard]] Copy passed_copy(StepId step) const;
  [[nodiscard]] DeviceRange scratch_range(StepId step) const;
  void ask_again(StepId step);
  [[nodiscard]] static bool is_like(const TensorSpec& found, const TensorSpec& wanted,
                                    bool only_bytes);
  /// Do its kernels read its parameters, as infer() told them, from device memory? Else it is to be
  /// captured again when they change.
  [[nodiscard]] bool reads_parameters(StepId step) const;
  [[nodiscard]] TensorId read_by(StepId step, const Receiver& port) const;
  [[nodiscard]] TensorId written_by(StepId step, const Transmitter& port) const;
  void take_memory();
  [[nodiscard]] void* place_of(TensorId id);
  [[nodiscard]] const Tensor& tensor_in(const Input& input, const Message& message) const;
  [[nodiscard]] TensorSpec spec_in(const Input& input, const Message& message,
                                   const Tensor& tensor) const;
  void write_content(const GraphTensor& written, Message& message) const;
  void start_operators();
  void shut_down(std::vector<Failure>& failures);
  void stop_operators(std::vector<Failure>& failures);

  const Plan& plan_;
  const ShapeOrder* shape_order_ = nullptr;
  Region region_;  // a copy: shapes that are found late are put here
  Instance& instance_;
  GraphEntity entity_;
  std::string name_;
  std::string type_;
  std::vector<GraphOperator*> operators_;  // by StepId
  std::vector<bool> off_;                  // by StepId: replaced while it is switched off
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<EntityId> members_;  // of the steps, then those that were dissolved
  std::vector<RegionItem> items_;
  std::vector<std::size_t> item_of_step_;
  std::vector<Receiver*> receivers_;        // of all inputs
  std::vector<Transmitter*> transmitters_;  // of all outputs

  std::unique_ptr<RegionMemory> memory_;  // of everything below, and of what is published
  void* arena_ = nullptr;
  std::vector<ParameterBlock> parameters_;        // by StepId
  std::map<TensorId, void*> slots_;               // inputs and outputs
  std::vector<std::unique_ptr<Tensor>> tensors_;  // by TensorId
  std::map<StepId, std::vector<std::shared_ptr<const void>>> kept_;
  StepId captured_ = kNone;  // now
  bool built_ = false;
  std::size_t started_ = 0;  // operators
  std::optional<GraphStatistics> statistics_;
  std::string dot_file_;  // may be empty
  TraceEvents* trace_ = nullptr;
  std::chrono::nanoseconds end_patience_ = std::chrono::seconds(10);
};

}  // namespace gxr
