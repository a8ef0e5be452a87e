// Bodies of an Every that a loop launches as graphs of their own, because it launches itself.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "gxr/error.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

enum Which : std::uint8_t { kBody, kIn, kOut };

/// What a loop shares with its sides, in device memory.
struct SharedWithLaunched {
  LaunchedBody graphs[kMostLaunchedBranches];
  LaunchedBodyState states[kMostLaunchedBranches];
  cudaGraphExec_t starter;  ///< the graph of the first kernel
};

SharedWithLaunched* shared_of(const RuntimeMemory& memory) {
  return reinterpret_cast<SharedWithLaunched*>(memory.get());
}

/// The first turn of a branch that is not before an iteration.
std::uint64_t turn_from(const DeviceBranch& branch, std::uint64_t iteration) {
  if (branch.first >= iteration) {
    return branch.first;
  }
  const std::uint64_t behind = iteration - branch.first;
  return branch.first + (behind + branch.count - 1) / branch.count * branch.count;
}

}  // namespace

bool RuntimeLoop::has_siblings() const {
  return std::ranges::any_of(sides_, [&](const Side& side) {
    return parts_[side.branch].node.branch.launch == BranchLaunch::Sibling;
  });
}

/// Before its pieces, which may read the number of the iteration from there.
void RuntimeLoop::add_side(std::size_t branch) {
  if (sides_.size() == kMostLaunchedBranches) {
    throw Error(ErrorCode::NotSupported,
                "more than " + std::to_string(kMostLaunchedBranches) +
                    " branches that a loop launches as graphs of their own");
  }
  sides_.emplace_back().branch = branch;
  if (side_memory_.get() != nullptr) {
    return;
  }
  const DeviceGuard guard(options_.device);
  side_memory_ =
      RuntimeMemory(sizeof(SharedWithLaunched), MemoryStorageType::Device, options_.device);
  SharedWithLaunched* const shared = shared_of(side_memory_);
  table_.launched = shared->graphs;
  table_.launched_states = shared->states;
  table_.starter = &shared->starter;
}

std::uint64_t RuntimeLoop::side_bytes() const noexcept {
  return sides_.empty() ? 0 : sizeof(SharedWithLaunched);
}

/// In device memory; nullptr: the branch is none of them.
LaunchedBodyState* RuntimeLoop::state_of(std::size_t branch) const noexcept {
  const auto side = std::ranges::find(sides_, branch, &Side::branch);
  return side == sides_.end() ? nullptr : table_.launched_states + (side - sides_.begin());
}

const std::uint64_t* RuntimeLoop::iteration_in(std::size_t branch) const noexcept {
  const LaunchedBodyState* const state = state_of(branch);
  return state == nullptr ? iteration() : &state->turn;
}

/// Before the graph of the loop is laid, whose kernels get to know of them.
void RuntimeLoop::make_sides() {
  table_.launched_count = static_cast<std::uint32_t>(sides_.size());
  for (Side& side : sides_) {
    make_side(side);
  }
}

void RuntimeLoop::make_side(Side& side) const {
  for (std::size_t which = 0; which < std::size(side.graphs); ++which) {
    side.graphs[which] = lay_side(side.branch, which);
    if (side.graphs[which].get() != nullptr) {
      side.execs[which] = cuda::instantiate(side.graphs[which].get(), stream_.get(), true);
    }
  }
}

/// The pieces of a body, or the copies to or from it, as a graph; nothing when there are none.
GraphHandle RuntimeLoop::lay_side(std::size_t branch, std::size_t which) const {
  const auto belongs = [&](std::size_t number) {
    const DeviceNode& node = parts_[number].node;
    const bool crosses = node.crosses == branch;
    const bool in_body = node.body.branch == branch;
    return which == kBody ? in_body && !crosses : crosses && in_body == (which == kOut);
  };
  GraphHandle graph = make_graph();
  GraphLayout layout(graph.get(), graph.get(), own_attributes());
  bool any = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!belongs(i)) {
      layout.note({}, {}, {});
      continue;
    }
    any = true;
    std::vector<std::size_t> after = parts_[i].node.after;
    std::erase_if(after, [&](std::size_t each) { return !belongs(each); });
    layout.add(add_part(graph.get(), parts_[i]), after, {});
  }
  if (!any) {
    return {};
  }
  if (which == kBody && parts_[branch].node.branch.launch == BranchLaunch::Sibling) {
    LaunchedBodyState* state = state_of(branch);
    void* arguments[] = {&state};
    const GraphPiece end =
        add_kernel(graph.get(), sibling_end_kernel(), 1, 1, arguments, own_attributes());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (belongs(i) && !layout.is_followed(i)) {
        join_pieces(graph.get(), layout.piece(i), end);
      }
    }
  }
  return graph;
}

/// When all graphs are there.
void RuntimeLoop::upload_sides(cudaStream_t stream) {
  std::vector<LaunchedBody> graphs;
  for (const Side& side : sides_) {
    const DeviceBranch& branch = parts_[side.branch].node.branch;
    graphs.push_back({side.execs[kBody].get(), side.execs[kIn].get(), side.execs[kOut].get(),
                      branch.count, branch.launch == BranchLaunch::Sibling});
  }
  SharedWithLaunched* const shared = shared_of(side_memory_);
  upload(shared->graphs, graphs, stream);
  upload(&shared->starter, std::vector{starter_.get()}, stream);
  if (has_siblings()) {
    const GraphHandle graph = make_graph();
    LoopTable table = table_;
    void* arguments[] = {&table};
    static_cast<void>(add_kernel(graph.get(), anew_kernel(), 1, 1, arguments, own_attributes()));
    anew_ = cuda::instantiate(graph.get(), stream, true);
  }
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

/// Before iteration `done`, when nothing has been launched yet. What is launched beside the first
/// iteration reads what was never written.
void RuntimeLoop::begin_sides(std::uint64_t done) {
  std::vector<LaunchedBodyState> states(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const DeviceBranch& branch = parts_[sides_[i].branch].node.branch;
    LaunchedBodyState& state = states[i];
    state.next_turn = turn_from(branch, done);
    state.left_out_turn = ~std::uint64_t{0};
    if (branch.launch == BranchLaunch::Sibling && state.next_turn == done) {
      state.turn = done;
      state.is_due = 1;
      state.next_turn += branch.count;
    }
  }
  upload(shared_of(side_memory_)->states, states, stream_.get());
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  sides_have_begun_ = true;
}

/// Turns of all siblings, of iterations before `done`.
std::uint64_t RuntimeLoop::left_out(std::uint64_t done) const {
  if (sides_.empty()) {
    return 0;
  }
  std::vector<LaunchedBodyState> states(sides_.size());
  cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(states.data(), shared_of(side_memory_)->states,
                                                states.size() * sizeof(LaunchedBodyState),
                                                cudaMemcpyDeviceToHost, stream_.get()));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  std::uint64_t sum = 0;
  for (const LaunchedBodyState& state : states) {
    sum += state.left_out - (state.left_out_turn == done ? 1 : 0);
  }
  return sum;
}

}  // namespace gxr::cuda
