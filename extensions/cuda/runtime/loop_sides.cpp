// Lists of an Every that a loop launches as graphs of their own, because it launches itself.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda_call.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

enum Which : std::uint8_t { kBody, kIn, kOut };

/// Of the memory that a loop shares with its sides: a SideGraph and a SideState of each, and the
/// graph of the first kernel.
std::size_t states_at(std::size_t sides) { return sides * sizeof(SideGraph); }
std::size_t starter_at(std::size_t sides) { return states_at(sides) + sides * sizeof(SideState); }

template <class T>
void upload(std::byte* to, const std::vector<T>& from, cudaStream_t stream) {
  cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(to, from.data(), from.size() * sizeof(T),
                                                cudaMemcpyHostToDevice, stream));
}

}  // namespace

bool RuntimeLoop::has_siblings() const {
  return std::ranges::any_of(sides_, [&](const Side& side) {
    return parts_[side.branch].branch->launch == BranchLaunch::Sibling;
  });
}

/// Before the graph of the loop is laid, whose kernels get to know of them.
void RuntimeLoop::make_sides() {
  sides_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_side(i)) {
      sides_.emplace_back().branch = i;
    }
  }
  if (sides_.empty()) {
    return;
  }
  if (side_memory_.get() == nullptr) {  // else the state of those that have run stays
    side_memory_ = RuntimeMemory(starter_at(sides_.size()) + sizeof(cudaGraphExec_t),
                                 MemoryStorageType::Device, options_.device);
  }
  std::byte* const begin = side_memory_.get();
  table_.sides = reinterpret_cast<const SideGraph*>(begin);
  table_.side_states = reinterpret_cast<SideState*>(begin + states_at(sides_.size()));
  table_.starter = reinterpret_cast<const cudaGraphExec_t*>(begin + starter_at(sides_.size()));
  table_.side_count = static_cast<std::uint32_t>(sides_.size());
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

/// The pieces of a list, or the copies to or from it, as a graph; nothing when there are none.
GraphHandle RuntimeLoop::lay_side(std::size_t branch, std::size_t which) const {
  const auto belongs = [&](std::size_t number) {
    const DevicePiece& piece = parts_[number].piece;
    const bool crosses = piece.crosses == branch;
    const bool in_list = piece.list.branch == branch;
    return which == kBody ? in_list && !crosses : crosses && in_list == (which == kOut);
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
    std::vector<std::size_t> after = parts_[i].piece.after;
    std::erase_if(after, [&](std::size_t each) { return !belongs(each); });
    layout.add(add_part(graph.get(), parts_[i]), after, {});
  }
  if (!any) {
    return {};
  }
  if (which == kBody && parts_[branch].branch->launch == BranchLaunch::Sibling) {
    const auto number =
        static_cast<std::size_t>(std::ranges::find(sides_, branch, &Side::branch) - sides_.begin());
    SideState* state = table_.side_states + number;
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
  std::vector<SideGraph> graphs;
  for (const Side& side : sides_) {
    const DeviceBranch& branch = *parts_[side.branch].branch;
    graphs.push_back({side.execs[kBody].get(), side.execs[kIn].get(), side.execs[kOut].get(),
                      branch.count, branch.first, branch.launch == BranchLaunch::Sibling});
  }
  std::byte* const begin = side_memory_.get();
  upload(begin, graphs, stream);
  upload(begin + starter_at(sides_.size()), std::vector{starter_.get()}, stream);
  if (has_siblings()) {
    const GraphHandle graph = make_graph();
    LoopTable table = table_;
    void* arguments[] = {&table};
    static_cast<void>(add_kernel(graph.get(), anew_kernel(), 1, 1, arguments, own_attributes()));
    anew_ = cuda::instantiate(graph.get(), stream, true);
  }
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

/// Before the first iteration: what is launched beside that reads what was never written.
void RuntimeLoop::begin_sides() {
  std::vector<SideState> states(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const DeviceBranch& branch = *parts_[sides_[i].branch].branch;
    states[i].is_due = branch.launch == BranchLaunch::Sibling && branch.first == 0 ? 1 : 0;
  }
  upload(side_memory_.get() + states_at(sides_.size()), states, stream_.get());
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

/// Turns of all siblings.
std::uint64_t RuntimeLoop::left_out() const {
  if (sides_.empty()) {
    return 0;
  }
  std::vector<SideState> states(sides_.size());
  cuda_check(
      "cudaMemcpyAsync",
      cudaMemcpyAsync(states.data(), side_memory_.get() + states_at(sides_.size()),
                      states.size() * sizeof(SideState), cudaMemcpyDeviceToHost, stream_.get()));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  std::uint64_t sum = 0;
  for (const SideState& state : states) {
    sum += state.left_out;
  }
  return sum;
}

}  // namespace gxr::cuda
