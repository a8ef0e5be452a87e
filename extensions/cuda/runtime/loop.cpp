#include "loop.hpp"

#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "gxr/error.hpp"
#include "iteration_stages.hpp"
#include "loop_builders.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

PieceOptions own_piece_options(const DeviceLoopOptions& options) {
  PieceOptions piece_options;
  piece_options.traits.priority = options.priority;
  piece_options.device = options.device;
  piece_options.graph_priority = options.priority;
  piece_options.programmatic_edges = has_programmatic_edges(options.device);
  piece_options.memory_sync_domain = options.memory_sync_domain;
  return piece_options;
}

OwnedStream make_loop_stream(const DeviceLoopOptions& options) {
  return make_capture_stream(options.device, options.priority, options.partition);
}

}  // namespace

RuntimeLoop::RuntimeLoop(const DeviceLoopOptions& options)
    : RuntimeLoop(options, DeviceGuard(options.device)) {}

/// While the device is the current one.
RuntimeLoop::RuntimeLoop(const DeviceLoopOptions& options, const DeviceGuard& /*guard*/)
    : options_(options),
      piece_options_(own_piece_options(options)),
      capture_stream_(make_loop_stream(options)),
      stream_(make_loop_stream(options)),
      control_stream_(make_loop_stream(options)),
      memory_(options, stream_.get()),
      launched_(options.device),
      ports_(memory_, launched_, options, control_stream_.get()),
      control_(memory_, options, control_stream_.get()),
      nodes_(options, capture_stream_.get(), piece_options_) {}

RuntimeLoop::~RuntimeLoop() {
  if (is_launched_ && cudaStreamQuery(stream_.get()) == cudaErrorNotReady) {
    leave();
    return;
  }
  if (is_launched_) {
    runtime().in_flight().loop_ended(control_);
  }
}

/// It does not end: all that would wait for it is left as it is.
void RuntimeLoop::leave() noexcept {
  runtime().in_flight().loop_left(control_);
  graphs_.release();
  nodes_.release();
  stream_.release();
}

NodeId RuntimeLoop::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  const NodeId number = nodes_.add_branch(memory, node);
  if (options_.loop == GraphLoop::TailLaunch && node.branch.launch != BranchLaunch::InIteration) {
    launched_.add(number, node.branch);
  }
  return number;
}

const std::uint64_t* RuntimeLoop::iteration_in(NodeId branch) const noexcept {
  const LaunchedBodyState* const state = launched_.state_of(branch);
  return state == nullptr ? iteration() : &state->turn;
}

Doorbell RuntimeLoop::doorbell(std::size_t number) const noexcept {
  return {memory_.bell(number), memory_.takes_any()
                                    ? memory_.table().taken + memory_.inputs().size() + number
                                    : iteration()};
}

const std::uint64_t* RuntimeLoop::is_new(std::size_t drive) const noexcept {
  return memory_.takes_any() ? memory_.table().is_new + drive : nullptr;
}

LoopMaterial RuntimeLoop::material() const {
  return {options_,       nodes_,       memory_, launched_, records_ ? &*records_ : nullptr,
          piece_options_, stream_.get()};
}

void RuntimeLoop::make_records() {
  std::vector<MeasuredRecords::Node> nodes;
  for (const LoopNode& node : nodes_) {
    nodes.push_back({node.node.after, node.node.body,
                     node.is_branch() ? node.node.branch.bodies : std::uint32_t{0},
                     !node.node.polls});
  }
  records_.emplace(options_.device, options_.instrument_every, std::move(nodes));
}

/// Tries the fastest way to decide branches first; CUDA may refuse it.
void RuntimeLoop::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  if (options_.instrument_every > 0 && !records_) {
    make_records();
  }
  const std::uint32_t unroll = iterations_in_round(options_, nodes_);
  const std::vector<NodeId> dividing = find_dividing_branches(options_, nodes_, unroll);
  bool is_built =
      !dividing.empty() && try_to_build([&] { return build_launching(material(), dividing); });
  if (!is_built && options_.loop != GraphLoop::TailLaunch && nodes_.choose_switched()) {
    is_built = try_to_build([&] { return build(unroll); });
  }
  if (!is_built) {
    nodes_.choose_conditional();
    graphs_.destroy();
    graphs_ = build(unroll);
  }
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

/// False: CUDA refuses it.
bool RuntimeLoop::try_to_build(const std::function<LoopGraphs()>& build) {
  graphs_.destroy();
  try {
    graphs_ = build();
  } catch (const Error&) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return true;
}

/// In the shape that the options ask for.
LoopGraphs RuntimeLoop::build(std::uint32_t unroll) const {
  if (options_.loop == GraphLoop::TailLaunch) {
    return build_launching(material(), {});
  }
  if (options_.doorbells > 0) {
    return build_polling(material());
  }
  if (options_.loop == GraphLoop::HeadTail) {
    return build_head_tail(material());
  }
  return build_control_at_end(material(), unroll);
}

void RuntimeLoop::write_dot(const std::string& file) const {
  const DeviceGuard guard(options_.device);
  graphs_.write_dot(file);
}

void RuntimeLoop::launch_from(std::uint64_t done, std::uint64_t limit) {
  if (graphs_.first() == nullptr) {
    throw Error(ErrorCode::InvalidState, "a loop was launched before its instantiate()");
  }
  if (is_running()) {
    throw Error(ErrorCode::InvalidState, "a loop was launched that runs");
  }
  const DeviceGuard guard(options_.device);
  control_.begin(done, limit, stream_.get());
  ports_.begin(done, stream_.get());
  if (records_) {
    records_->begin(control_stream_.get());
  }
  launched_.begin(done, stream_.get());
  // Others write the numbers on streams of their own.
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  runtime().in_flight().loop_began(control_, options_.device);
  is_launched_ = true;
  const cudaError_t result = cudaGraphLaunch(graphs_.first(), stream_.get());
  if (result != cudaSuccess) {
    is_launched_ = false;
    runtime().in_flight().loop_ended(control_);
    cuda_check("cudaGraphLaunch", result);
  }
}

bool RuntimeLoop::is_running() {
  if (!is_launched_) {
    return false;
  }
  const cudaError_t result = cudaStreamQuery(stream_.get());
  if (result == cudaErrorNotReady) {
    return true;
  }
  is_launched_ = false;
  runtime().in_flight().loop_ended(control_);
  cuda_check("cudaStreamQuery", result);
  cuda_check(graphs_.launches_itself() ? "cudaGraphLaunch on the GPU"
                                       : "cudaGraphKernelNodeSetEnabled on the GPU",
             control_.launch_error());
  return false;
}

bool RuntimeLoop::waits_for_siblings() const noexcept {
  return is_launched_ && launched_.has_siblings() && control_.is_over();
}

DeviceLoopReport RuntimeLoop::report() {
  const DeviceGuard guard(options_.device);
  const LoopState end = end_state();
  if (records_) {
    records_->end(control_stream_.get());
  }
  return {end.done, end.began_ns == 0 ? 0 : static_cast<std::int64_t>(end.ended_ns - end.began_ns),
          end.late, launched_.left_out(end.done, stream_.get())};
}

}  // namespace gxr::cuda
