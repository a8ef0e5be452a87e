#include "iteration_stages.hpp"

#include <algorithm>
#include <utility>

#include "switched_bodies.hpp"

namespace gxr::cuda {
namespace {

// The time of a decision on an H200, in nanoseconds; see bench/gpu/README.md.
constexpr std::uint64_t kConditionalNs = 8'300;
constexpr std::uint64_t kSwitchNs = 2'000;
constexpr std::uint64_t kSwitchedOffNs = 150;     // for each kernel
constexpr std::uint64_t kLaunchNs = 6'800;        // not less than switched bodies take at most
constexpr std::uint64_t kLaunchOnwardNs = 2'500;  // of a graph with the next iteration's begin
/// Nodes of all graphs together, at most.
constexpr std::size_t kMostCopies = 4'096;

/// The bodies, and one more when none of them may be chosen.
std::uint32_t ways_of(const DeviceBranch& branch) {
  return branch.kind == BranchKind::If && branch.bodies == 2 ? 2 : branch.bodies + 1;
}

bool is_decided_once(const DeviceBranch& branch) {
  return branch.kind != BranchKind::While && branch.launch == BranchLaunch::InIteration;
}

/// A head that waits for its turn answers faster than a graph that another one launches.
bool may_have_stages(const DeviceLoopOptions& options, std::uint32_t unroll) {
  return options.may_launch_itself && options.loop != GraphLoop::HeadTail &&
         options.doorbells == 0 && unroll <= 1 && options.instrument_every == 0 &&
         options.partition == nullptr;
}

/// By node: does it come before the branch, or behind it, or is it the branch?
std::vector<bool> near_to(NodeId branch, const LoopNodes& nodes) {
  std::vector<bool> near(nodes.size());
  near[branch] = true;
  for (NodeId i = branch + 1; i-- > 0;) {
    if (near[i]) {
      for (const NodeId before : nodes[i].node.after) {
        near[before] = true;
      }
    }
  }
  for (NodeId i = branch + 1; i < nodes.size(); ++i) {
    near[i] = std::ranges::any_of(nodes[i].node.after,
                                  [&](NodeId before) { return before >= branch && near[before]; });
  }
  return near;
}

/// Do all nodes that are in no branch come before this one, or behind it? Else those that run
/// beside it would have to wait.
bool is_between(NodeId branch, const LoopNodes& nodes) {
  const std::vector<bool> near = near_to(branch, nodes);
  for (NodeId i = 0; i < nodes.size(); ++i) {
    if (nodes[i].node.body.is_iteration() && !near[i]) {
      return false;
    }
  }
  return true;
}

/// The time of a decision that is not made by a launch.
std::uint64_t time_without_launch(NodeId branch, const LoopNodes& nodes) {
  const std::size_t off =
      count_switched_off(nodes[branch].node.branch.bodies, nodes.in_bodies_of(branch))
          .value_or(kMostSwitchedOff + 1);
  return off > kMostSwitchedOff ? kConditionalNs : kSwitchNs + off * kSwitchedOffNs;
}

std::uint64_t time_of_launches(std::size_t branches, const DeviceLoopOptions& options) {
  const bool goes_on = options.inputs.empty() && options.doorbells == 0 && options.outputs.empty();
  return (branches - 1) * kLaunchNs + (goes_on ? kLaunchOnwardNs : kLaunchNs);
}

}  // namespace

std::vector<NodeId> find_dividing_branches(const DeviceLoopOptions& options, const LoopNodes& nodes,
                                           std::uint32_t unroll) {
  if (!may_have_stages(options, unroll)) {
    return {};
  }
  std::vector<NodeId> found;
  std::uint64_t otherwise = 0;
  std::size_t ways = 0;
  for (NodeId i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_branch()) {
      continue;
    }
    const DeviceBranch& branch = nodes[i].node.branch;
    if (!nodes[i].node.body.is_iteration() || !is_decided_once(branch) || !is_between(i, nodes)) {
      return {};
    }
    otherwise += time_without_launch(i, nodes);
    ways += ways_of(branch);
    found.push_back(i);
  }
  if (found.empty() || nodes.size() * ways > kMostCopies ||
      otherwise <= time_of_launches(found.size(), options)) {
    return {};
  }
  return found;
}

IterationStages::IterationStages(const LoopMaterial& material, std::vector<NodeId> branches)
    : nodes_(material.nodes),
      branches_(std::move(branches)),
      whole_(whole_iteration(material.nodes, material.launched)) {}

/// Of a branch among those that divide the iteration.
std::optional<std::size_t> IterationStages::place_of(NodeId branch) const {
  const auto found = std::ranges::find(branches_, branch);
  return found == branches_.end()
             ? std::nullopt
             : std::optional<std::size_t>(static_cast<std::size_t>(found - branches_.begin()));
}

bool IterationStages::has(const Stage& stage, NodeId number) const {
  if (!whole_.has[number] || place_of(number)) {
    return false;
  }
  const DeviceBody& body = nodes_[number].node.body;
  if (const auto branch = place_of(body.branch)) {
    return stage.number == *branch + 1 && stage.body == body.number;
  }
  const auto before = std::ranges::lower_bound(branches_, number) - branches_.begin();
  return branches_.empty() || static_cast<std::size_t>(before) == stage.number;
}

/// A body that is chosen by a launch is a graph, not a body in one.
Section IterationStages::section(const Stage& stage) const {
  Section section = whole_;
  for (NodeId i = 0; i < nodes_.size(); ++i) {
    section.has[i] = has(stage, i);
    if (place_of(nodes_[i].node.body.branch)) {
      section.bodies[i] = {};
    }
  }
  section.takes_inputs = stage.number == 0;
  section.gives_outputs = is_last(stage);
  section.chosen_by = stage.number == 0 ? kNoNode : branches_[stage.number - 1];
  return section;
}

std::vector<Stage> IterationStages::behind_first(bool go_on) const {
  std::vector<Stage> stages;
  const auto add_ways = [&](std::size_t branch, bool goes_on) {
    for (std::uint32_t body = 0; body < ways_of(nodes_[branches_[branch]].node.branch); ++body) {
      stages.push_back({branch + 1, body, goes_on});
    }
  };
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    add_ways(i, false);
  }
  if (go_on && !branches_.empty()) {
    add_ways(branches_.size() - 1, true);
  }
  return stages;
}

}  // namespace gxr::cuda
