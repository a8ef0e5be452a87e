#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_loop.hpp"
#include "graph_layout.hpp"
#include "graph_pieces.hpp"
#include "l2_cache.hpp"
#include "loop_kernels.hpp"
#include "measured_records.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// A DeviceLoop by the CUDA runtime: a WHILE node whose body is one iteration, or
/// (GraphLoop::TailLaunch) an iteration whose last kernel launches the graph again.
///
/// Small tensors (kMostSmallTensorBytes) pass through slots in page-locked memory: the host writes
/// data and then a number, or, from and to device memory, a stream does; the control kernels, which
/// wait for the number, copy. Large ones pass through slots in device memory: copies and numbers
/// are written in the order of a stream.
/// All numbers count, from the launch, what was done: nobody sets anything back.
///
/// With pieces that poll, the body has two halves: those pieces and a kernel that decides, and a
/// WHILE node in it for the iterations, each followed by another poll. So nothing runs twice, and
/// nothing in vain, and iterations follow each other in the inner node while there is input.
class RuntimeLoop final : public DeviceLoop {
 public:
  explicit RuntimeLoop(const DeviceLoopOptions& options);
  ~RuntimeLoop() override;

  NodeId add(const std::function<void(CUstream_st*)>& work, const DeviceNode& node,
             const DeviceRange& kept_in_l2 = {}) override;
  NodeId add_copy(const DeviceCopy& copy, const DeviceNode& node) override;
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node) override;
  [[nodiscard]] const std::uint64_t* iteration() const noexcept override { return &state()->done; }
  [[nodiscard]] const std::uint64_t* iteration_in(NodeId branch) const noexcept override;
  void instantiate() override;
  void write_dot(const std::string& file) const override;
  void launch(std::uint64_t limit) override { launch_from(0, limit); }
  void launch_from(std::uint64_t done, std::uint64_t limit) override;
  void replace(NodeId node, const std::function<void(CUstream_st*)>& work) override;
  void replace_by_copy(NodeId node, const DeviceCopy& copy) override;
  [[nodiscard]] Doorbell doorbell(std::size_t number) const noexcept override;
  [[nodiscard]] const std::uint64_t* is_new(std::size_t drive) const noexcept override {
    return table_.is_new == nullptr ? nullptr : table_.is_new + drive;
  }
  void set_limit(std::uint64_t limit) override;
  void drain() override;
  void set_sleep_interval(std::chrono::nanoseconds interval) override;
  void set_parameters(const std::vector<std::byte>& bytes) override;
  bool is_running() override;
  [[nodiscard]] bool waits_for_siblings() const noexcept override;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept override {
    return device_bytes_ + switched_.bytes() + side_bytes() +
           (stages_.empty() ? 0 : (stages_.size() + 1) * sizeof(cudaGraphExec_t));
  }
  [[nodiscard]] std::uint64_t finished() const noexcept override;
  [[nodiscard]] std::uint64_t heartbeat() const noexcept override;
  [[nodiscard]] std::uint64_t taken(std::size_t drive,
                                    std::uint64_t iterations) const noexcept override;
  DeviceLoopReport report() override;
  bool put(std::size_t input, const void* data, bool readable, DeviceStream& stream) override;
  DeviceWork take(std::size_t output, void* to, bool writable, DeviceStream& stream) override;
  void drop_results() override;
  [[nodiscard]] std::vector<MeasuredIteration> measured() const override {
    return records_ ? records_->read() : std::vector<MeasuredIteration>{};
  }
  /// Of the last launch, after its end.
  [[nodiscard]] LoopState end_state() const;
  /// After instantiate(): the graph and the bodies of its conditional nodes.
  [[nodiscard]] const std::vector<cudaGraph_t>& graphs() const noexcept { return graphs_; }

 private:
  /// A node and what it is made of.
  struct Part {
    DeviceNode node;
    // Of an operator or a copy:
    GraphHandle captured;
    DeviceRange kept_in_l2;
    L2Reservation in_l2;
    // Of a branch:
    BranchMemory memory;
    Choosing choosing = Choosing::Conditional;

    [[nodiscard]] bool is_branch() const noexcept { return node.kind == DeviceNode::Kind::Branch; }
    [[nodiscard]] BoundBranch branch() const { return {node.branch, memory}; }
  };
  /// A graph of an iteration that is several (loop_stages.cpp).
  struct Stage {
    std::size_t number = 0;  ///< branches that are decided before
    std::uint32_t body = 0;  ///< of the last of them: the one that is chosen; beyond all: none
    bool goes_on = false;    ///< the next iteration's first graph is behind it
  };
  struct StageGraph {
    Stage stage;
    GraphHandle graph;
    GraphExecHandle exec;
  };
  /// What a body of an Every is launched as, when it is a graph of its own.
  struct Side {
    std::size_t branch = 0;  // its part
    GraphHandle graphs[3];   // those of LaunchedBody: body, in, out
    GraphExecHandle execs[3];
  };
  /// One input or output.
  struct Port {
    DeviceLoopPort port;
    bool is_small = false;
    std::size_t stride = 0;
    std::byte* slots = nullptr;
    std::uint64_t* word = nullptr;  ///< how many were put or taken, for the GPU
    std::uint64_t count = 0;        ///< the same
    /// Of a small one: streams write `word` from now on, not the processor.
    bool is_counted_by_stream = false;
    /// Of a large input, in device memory: `count` of the last one that was put into the tensor
    /// itself, for the GPU. nullptr: all go through slots.
    std::uint64_t* placed = nullptr;
  };

  [[nodiscard]] LoopState* state() const noexcept {
    return reinterpret_cast<LoopState*>(device_begin_);
  }
  [[nodiscard]] bool polls() const noexcept { return options_.doorbells > 0; }
  /// By a kernel; else it is a WHILE node.
  [[nodiscard]] bool launches_itself() const noexcept {
    return options_.loop == GraphLoop::TailLaunch || !dividing_.empty();
  }
  /// Is the branch of that number a graph of its own?
  [[nodiscard]] bool is_side(NodeId number) const {
    return launches_itself() && number != kNoNode && parts_[number].is_branch() &&
           parts_[number].node.branch.launch != BranchLaunch::InIteration;
  }
  /// Is a part in such a graph, or such a branch?
  [[nodiscard]] bool stands_aside(std::size_t number) const {
    const DeviceNode& node = parts_[number].node;
    return is_side(number) || is_side(node.body.branch) || is_side(node.crosses);
  }
  [[nodiscard]] bool has_siblings() const;
  [[nodiscard]] LaunchedBodyState* state_of(std::size_t branch) const noexcept;
  [[nodiscard]] std::vector<GraphExecHandle*> execs();
  [[nodiscard]] std::vector<cudaGraph_t> graphs_besides() const;
  [[nodiscard]] std::vector<std::size_t> find_stages() const;
  [[nodiscard]] bool is_between(std::size_t branch) const;
  void make_stages();
  void lay_stages();
  void upload_stages(cudaStream_t stream);
  [[nodiscard]] std::optional<std::size_t> dividing(std::size_t number) const;
  [[nodiscard]] bool is_in(const Stage& stage, std::size_t number) const;
  [[nodiscard]] bool join_body(const GraphLayout& layout, cudaGraph_t graph,
                               const Stage& stage) const;
  [[nodiscard]] DeviceBody body_in_graph(std::size_t number) const;
  [[nodiscard]] const cudaGraphExec_t* place_of(const Stage& stage) const;
  [[nodiscard]] GraphPiece add_launch(cudaGraph_t graph, std::size_t stage) const;
  [[nodiscard]] GraphPiece add_end(cudaGraph_t graph, LoopRole end, const Stage& stage) const;
  [[nodiscard]] bool takes_any() const noexcept { return options_.ready == GraphReady::Any; }
  [[nodiscard]] std::size_t drives() const noexcept { return inputs_.size() + options_.doorbells; }
  void require_few_ports() const;
  void leave() noexcept;
  void destroy_graphs() noexcept;
  void make_exec();
  [[nodiscard]] bool try_exec();
  void make_starter();
  void add_side(std::size_t branch);
  void make_sides();
  void make_side(Side& side) const;
  [[nodiscard]] GraphHandle lay_side(std::size_t branch, std::size_t which) const;
  void upload_sides(cudaStream_t stream);
  void begin_sides(std::uint64_t done);
  [[nodiscard]] std::uint64_t left_out(std::uint64_t done) const;
  [[nodiscard]] std::uint64_t side_bytes() const noexcept;
  void make_memory();
  void fill_table();
  [[nodiscard]] std::size_t log_entries() const noexcept { return options_.slots + 1; }
  void clear_inputs();
  void make_records();
  [[nodiscard]] std::byte* slot(const Port& port) const noexcept;
  void write_word(std::uint64_t* word, std::uint64_t value, StreamRef stream) const;
  void write_words(const std::array<std::pair<std::uint64_t*, std::uint64_t>, 2>& words,
                   StreamRef stream) const;
  DeviceWork pass_small(Port& port, void* to, const void* from, bool by_processor,
                        DeviceStream& stream);
  [[nodiscard]] bool is_free(const Port& input) const noexcept;

  [[nodiscard]] GraphPiece add_control(cudaGraph_t graph, LoopRole role) const;
  [[nodiscard]] GraphPiece add_input(cudaGraph_t graph, std::size_t input) const;
  [[nodiscard]] GraphPiece add_output(cudaGraph_t graph, std::size_t output) const;
  [[nodiscard]] GraphPiece add_move(cudaGraph_t graph, const Port& port, bool into_tensor,
                                    LoopMove move) const;
  [[nodiscard]] PieceAttributes attributes_of(const Part& part) const;
  [[nodiscard]] GraphPiece add_part(cudaGraph_t graph, const Part& part) const;
  [[nodiscard]] PieceAttributes own_attributes() const;
  void lay_part(GraphLayout& layout, std::size_t number, const std::vector<GraphPiece>& before,
                const GraphPiece* begin, Stamps* stamps, const Stage& stage) const;
  GraphPiece lay_iteration(cudaGraph_t graph, const GraphPiece* begin, LoopRole end,
                           const Stage& stage);
  GraphPiece lay_iteration(cudaGraph_t graph, const GraphPiece* begin, LoopRole end) {
    return lay_iteration(graph, begin, end, {});
  }
  GraphPiece lay_poll(cudaGraph_t graph, const GraphPiece* begin) const;
  void lay_polling_loop(cudaGraph_t body);
  cudaGraph_t add_body(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                       cudaGraphConditionalHandle handle, cudaGraphNode_t& node);
  [[nodiscard]] std::uint32_t iterations_in_round() const;
  void lay_loop(cudaGraph_t graph);
  [[nodiscard]] std::vector<BodyPiece> in_bodies_of(std::size_t branch) const;
  [[nodiscard]] bool can_switch(std::size_t number) const;
  void lay_round(cudaGraph_t round);

  DeviceLoopOptions options_;
  bool programmatic_edges_ = true;
  OwnedStream capture_stream_;
  OwnedStream stream_;   // of the loop
  OwnedStream control_;  // for what changes while it runs
  std::size_t device_bytes_ = 0;
  RuntimeMemory device_memory_;
  std::byte* device_begin_ = nullptr;  // in it
  RuntimeMemory host_memory_;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
  std::vector<std::uint64_t*> bells_;  // of the doorbells, in device memory
  LoopTable table_{};
  LoopHandles handles_{};
  std::size_t words_at_ = 0;  // from device_begin_ on: begin of what each launch sets to 0
  std::size_t words_end_ = 0;
  std::vector<Part> parts_;
  GraphHandle graph_;
  std::vector<cudaGraph_t> graphs_;  // it, and the bodies of its conditional nodes
  std::vector<SwitchedBranch> switched_branches_;
  SwitchedBodies switched_;  // of them
  GraphExecHandle exec_;
  GraphExecHandle starter_;            // of a loop that launches itself: begins its first iteration
  GraphExecHandle anew_;               // of one with siblings: launches that, again and again
  std::vector<std::size_t> dividing_;  // the branches between graphs of the iteration, in order
  std::vector<StageGraph> stages_;     // but the first, which is graph_
  RuntimeMemory stage_memory_;         // all of them, for the control kernels
  std::vector<Side> sides_;
  RuntimeMemory side_memory_;  // what the control kernels and the sides share
  bool sides_have_begun_ = false;
  std::optional<MeasuredRecords> records_;  // of iterations that are measured
  // Of parameters, in page-locked memory:
  std::uint64_t* parameter_sequence_ = nullptr;  // odd while they are written
  std::byte* staged_ = nullptr;
  bool launched_ = false;
  std::uint64_t limit_ = 0;
  bool drains_ = false;
};

}  // namespace gxr::cuda
