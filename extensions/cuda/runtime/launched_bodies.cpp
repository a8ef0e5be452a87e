#include "launched_bodies.hpp"

#include <algorithm>
#include <string>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

/// The first turn of a branch that is not before an iteration.
std::uint64_t turn_from(const DeviceBranch& branch, std::uint64_t iteration) {
  if (branch.first >= iteration) {
    return branch.first;
  }
  const std::uint64_t behind = iteration - branch.first;
  return branch.first + (behind + branch.count - 1) / branch.count * branch.count;
}

/// Of a body that was not launched yet, before iteration `done`. A sibling that is launched beside
/// the first iteration reads memory that was never written.
LaunchedBodyState state_before(std::uint64_t done, const LaunchedBodies::Body& body) {
  LaunchedBodyState state{};
  state.next_turn = turn_from(body.branch, done);
  state.left_out_turn = ~std::uint64_t{0};
  if (body.is_sibling() && state.next_turn == done) {
    state.turn = done;
    state.is_due = 1;
    state.next_turn += body.branch.count;
  }
  return state;
}

}  // namespace

/// In device memory.
struct LaunchedBodies::Shared {
  LaunchedBody graphs[kMostLaunchedBranches];
  LaunchedBodyState states[kMostLaunchedBranches];
  cudaGraphExec_t starter;  ///< the graph of the first control kernel
};

LaunchedBodies::Shared* LaunchedBodies::shared() const noexcept {
  return reinterpret_cast<Shared*>(memory_.get());
}

void LaunchedBodies::add(NodeId number, const DeviceBranch& branch) {
  if (bodies_.size() == kMostLaunchedBranches) {
    throw Error(ErrorCode::NotSupported,
                "more than " + std::to_string(kMostLaunchedBranches) +
                    " branches that a loop launches as graphs of their own");
  }
  bodies_.push_back({number, branch});
  if (memory_.get() == nullptr) {
    const DeviceGuard guard(device_);
    memory_ = RuntimeMemory(sizeof(Shared), MemoryStorageType::Device, device_);
  }
}

bool LaunchedBodies::has_siblings() const noexcept {
  return std::ranges::any_of(bodies_, &Body::is_sibling);
}

std::size_t LaunchedBodies::bytes() const noexcept { return empty() ? 0 : sizeof(Shared); }

LaunchedBodyState* LaunchedBodies::state_of(NodeId branch) const noexcept {
  const auto body = std::ranges::find(bodies_, branch, &Body::number);
  return body == bodies_.end() ? nullptr : shared()->states + (body - bodies_.begin());
}

void LaunchedBodies::fill(LoopTable& table) const {
  if (!empty()) {
    table.launched = shared()->graphs;
    table.launched_states = shared()->states;
    table.starter = &shared()->starter;
    table.launched_count = static_cast<std::uint32_t>(bodies_.size());
  }
}

void LaunchedBodies::upload_graphs(const std::vector<LaunchedBody>& graphs, cudaGraphExec_t starter,
                                   StreamRef stream) const {
  upload(shared()->graphs, graphs, stream);
  upload(&shared()->starter, std::vector{starter}, stream);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

void LaunchedBodies::begin(std::uint64_t done, StreamRef stream) {
  if (empty() || (done > 0 && have_begun_)) {
    return;
  }
  std::vector<LaunchedBodyState> states;
  for (const Body& body : bodies_) {
    states.push_back(state_before(done, body));
  }
  upload(shared()->states, states, stream);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  have_begun_ = true;
}

std::uint64_t LaunchedBodies::left_out(std::uint64_t done, StreamRef stream) const {
  if (empty()) {
    return 0;
  }
  std::vector<LaunchedBodyState> states(bodies_.size());
  cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(states.data(), shared()->states,
                                                states.size() * sizeof(LaunchedBodyState),
                                                cudaMemcpyDeviceToHost, stream));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  std::uint64_t sum = 0;
  for (const LaunchedBodyState& state : states) {
    sum += state.left_out - (state.left_out_turn == done ? 1 : 0);
  }
  return sum;
}

}  // namespace gxr::cuda
