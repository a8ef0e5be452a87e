// Iterations that are several graphs, each of which launches the next one by what a branch decides:
// for long bodies, a faster decision than a conditional node.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_call.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

// What a decision takes on an H200, in nanoseconds; see bench/gpu/README.md.
constexpr std::uint64_t kConditionalNs = 8'300;
constexpr std::uint64_t kSwitchNs = 2'000;
constexpr std::uint64_t kSwitchedOffNs = 150;     // for each kernel
constexpr std::uint64_t kLaunchNs = 6'800;        // not less than what may be switched at most
constexpr std::uint64_t kLaunchOnwardNs = 2'500;  // of a graph with the next iteration's begin
/// Parts of all graphs together, at most.
constexpr std::size_t kMostCopies = 4'096;
constexpr unsigned kWarp = 32;

/// The bodies, and one more when none of them may be chosen.
std::uint32_t ways_of(const DeviceBranch& branch) {
  return branch.kind == BranchKind::If && branch.bodies == 2 ? 2 : branch.bodies + 1;
}

bool is_decided_once(const DeviceBranch& branch) {
  return branch.kind != BranchKind::While && branch.launch == BranchLaunch::InIteration;
}

}  // namespace

/// The branches that are to divide the iteration: all that there are, or none. Each has to stand
/// between everything else, and in no other one; and a loop that launches itself must be allowed.
std::vector<std::size_t> RuntimeLoop::find_stages() const {
  std::vector<std::size_t> found;
  // A head that waits for its turn answers faster than what a graph launches first.
  if (!options_.may_launch_itself || options_.loop == GraphLoop::HeadTail || polls() ||
      table_.unroll > 1 || options_.instrument_every > 0 || options_.partition != nullptr) {
    return found;
  }
  std::uint64_t otherwise = 0;
  std::size_t ways = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!part.is_branch()) {
      continue;
    }
    if (!part.node.body.is_iteration() || !is_decided_once(part.node.branch) || !is_between(i)) {
      return {};
    }
    const std::size_t off =
        count_switched_off(part.node.branch.bodies, in_bodies_of(i)).value_or(kMostSwitchedOff + 1);
    otherwise += off > kMostSwitchedOff ? kConditionalNs : kSwitchNs + off * kSwitchedOffNs;
    ways += ways_of(part.node.branch);
    found.push_back(i);
  }
  if (parts_.size() * ways > kMostCopies) {
    return {};
  }
  if (found.empty()) {
    return found;
  }
  const bool goes_on = drives() == 0 && outputs_.empty();
  const std::uint64_t launches =
      (found.size() - 1) * kLaunchNs + (goes_on ? kLaunchOnwardNs : kLaunchNs);
  return otherwise > launches ? found : std::vector<std::size_t>{};
}

/// Does all that is in no branch come before this one, or behind it? Else what runs beside it would
/// have to wait.
bool RuntimeLoop::is_between(std::size_t branch) const {
  std::vector<bool> near(parts_.size());  // before it, or behind
  near[branch] = true;
  for (std::size_t i = branch + 1; i-- > 0;) {
    if (near[i]) {
      for (const std::size_t before : parts_[i].node.after) {
        near[before] = true;
      }
    }
  }
  for (std::size_t i = branch + 1; i < parts_.size(); ++i) {
    near[i] = std::ranges::any_of(
        parts_[i].node.after, [&](std::size_t before) { return before >= branch && near[before]; });
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].node.body.is_iteration() && !near[i]) {
      return false;
    }
  }
  return true;
}

/// Its place among the branches that divide the iteration.
std::optional<std::size_t> RuntimeLoop::dividing(std::size_t number) const {
  const auto found = std::ranges::find(dividing_, number);
  return found == dividing_.end()
             ? std::nullopt
             : std::optional<std::size_t>(static_cast<std::size_t>(found - dividing_.begin()));
}

/// Is a part in that graph of the iteration?
bool RuntimeLoop::is_in(const Stage& stage, std::size_t number) const {
  const DeviceNode& node = parts_[number].node;
  if (node.polls || stands_aside(number) || dividing(number)) {
    return false;
  }
  if (const auto branch = dividing(node.body.branch)) {
    return stage.number == *branch + 1 && stage.body == node.body.number;
  }
  const auto before = std::ranges::lower_bound(dividing_, number) - dividing_.begin();
  return dividing_.empty() || static_cast<std::size_t>(before) == stage.number;
}

/// The body that has a part, where it is laid: one that is chosen by a launch is a graph.
DeviceBody RuntimeLoop::body_in_graph(std::size_t number) const {
  const DeviceBody& body = parts_[number].node.body;
  return dividing(body.branch) ? DeviceBody{} : body;
}

/// Puts what follows a branch behind the ends of its body, in the graph that begins with that.
/// False: nothing follows.
bool RuntimeLoop::join_body(const GraphLayout& layout, cudaGraph_t graph,
                            const Stage& stage) const {
  if (stage.number == 0) {
    return false;
  }
  const std::size_t branch = dividing_[stage.number - 1];
  bool any = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::vector<std::size_t>& after = parts_[i].node.after;
    if (!is_in(stage, i) || std::ranges::find(after, branch) == after.end()) {
      continue;
    }
    any = true;
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      if (is_in(stage, j) && parts_[j].node.body.branch == branch && !layout.is_followed(j)) {
        join_pieces(graph, layout.piece(j), layout.piece(i));
      }
    }
  }
  return any;
}

/// Before the first is laid, whose kernels get to know where the others are.
void RuntimeLoop::make_stages() {
  stages_.clear();
  table_.stages = nullptr;
  if (dividing_.empty()) {
    return;
  }
  const auto add_ways = [&](std::size_t branch, bool goes_on) {
    for (std::uint32_t body = 0; body < ways_of(parts_[dividing_[branch]].node.branch); ++body) {
      stages_.push_back({{branch + 1, body, goes_on}, make_graph(), {}});
    }
  };
  for (std::size_t i = 0; i < dividing_.size(); ++i) {
    add_ways(i, false);
  }
  if (!takes_any()) {
    add_ways(dividing_.size() - 1, true);
  }
  stage_memory_ = RuntimeMemory((stages_.size() + 1) * sizeof(cudaGraphExec_t),
                                MemoryStorageType::Device, options_.device);
  table_.stages = reinterpret_cast<const cudaGraphExec_t*>(stage_memory_.get());
}

void RuntimeLoop::lay_stages() {
  for (const StageGraph& each : stages_) {
    cudaGraph_t const graph = each.graph.get();
    graphs_.push_back(graph);
    if (each.stage.goes_on) {
      const GraphPiece next = lay_iteration(graph, nullptr, LoopRole::Next, each.stage);
      lay_iteration(graph, &next, LoopRole::End);
    } else {
      lay_iteration(graph, nullptr, LoopRole::End, each.stage);
    }
  }
}

/// When all graphs are there.
void RuntimeLoop::upload_stages(cudaStream_t stream) {
  std::vector<cudaGraphExec_t> execs{exec_.get()};
  for (const StageGraph& each : stages_) {
    execs.push_back(each.exec.get());
  }
  upload(table_.stages, execs, stream);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

/// Where the control kernels find its graph; nullptr: there is none.
const cudaGraphExec_t* RuntimeLoop::place_of(const Stage& stage) const {
  const auto found = std::ranges::find_if(stages_, [&](const StageGraph& each) {
    return each.stage.number == stage.number && each.stage.body == stage.body &&
           each.stage.goes_on == stage.goes_on;
  });
  return found == stages_.end() ? nullptr : table_.stages + 1 + (found - stages_.begin());
}

/// What decides the branch that ends a stage.
GraphPiece RuntimeLoop::add_launch(cudaGraph_t graph, std::size_t stage) const {
  LoopTable table = table_;
  Choice choice = choice_of(parts_[dividing_[stage]].branch(), false);
  LoopStages stages{place_of({stage + 1, 0, false}), place_of({stage + 1, 0, true})};
  void* arguments[] = {&table, &choice, &stages};
  return add_kernel(graph, stage_kernel(), 1, kWarp, arguments, own_attributes());
}

GraphPiece RuntimeLoop::add_end(cudaGraph_t graph, LoopRole end, const Stage& stage) const {
  return stage.number == dividing_.size() ? add_control(graph, end)
                                          : add_launch(graph, stage.number);
}

}  // namespace gxr::cuda
