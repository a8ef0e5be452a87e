#include "plan/step_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gxr {

namespace {

using Around = std::vector<BranchPlace>;

std::size_t common(const Around& a, const Around& b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length]) {
    ++length;
  }
  return length;
}

/// All steps of the outermost branch that has `step` and not `other`; else the step alone.
std::vector<StepId> as_a_whole(const GraphRegion& region, StepId step, const Around& other) {
  const Around& around = region.steps[step].around;
  const std::size_t depth = common(around, other);
  if (depth == around.size()) {
    return {step};
  }
  return steps_in(region, around[depth].branch);
}

/// Adds what follows from branches.
void add_branches(const GraphRegion& region, std::vector<std::vector<StepId>>& ended) {
  const std::vector<std::vector<StepId>> direct = ended;
  std::set<std::pair<StepId, StepId>> done;  // first steps of what is in front and behind
  const auto add = [&](StepId first, StepId then) {
    const Around& before = region.steps[first].around;
    const Around& behind = region.steps[then].around;
    const std::size_t depth = common(before, behind);
    if (depth < before.size() && depth < behind.size() &&
        before[depth].branch == behind[depth].branch) {
      return;  // they do not run in the same iteration
    }
    const std::vector<StepId> front = as_a_whole(region, first, behind);
    const std::vector<StepId> back = as_a_whole(region, then, before);
    const bool alone = front.size() == 1 && back.size() == 1;
    if (!alone && !done.emplace(front.front(), back.front()).second) {
      return;
    }
    for (const StepId later : back) {
      ended[later].insert(ended[later].end(), front.begin(), front.end());
    }
  };
  for (StepId step = 0; step < direct.size(); ++step) {
    for (const StepId before : direct[step]) {
      add(before, step);
    }
    for (std::size_t depth = 0; depth < region.steps[step].around.size(); ++depth) {
      const BranchPlace& place = region.steps[step].around[depth];
      const GraphBranch& branch = region.branches[place.branch];
      if (is_chosen(branch.kind)) {
        add(branch.decided_by.step, step);
      }
      for (StepId other = 0; other < step; ++other) {
        const Around& around = region.steps[other].around;
        if (around.size() > depth && around[depth].branch == place.branch &&
            around[depth].alternative < place.alternative) {
          ended[step].push_back(other);  // it does not run
        }
      }
    }
  }
  for (std::vector<StepId>& steps : ended) {
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  }
}

/// Are there iterations in which none of its bodies runs?
bool may_run_none(const GraphBranch& branch) {
  return branch.kind == BranchKind::Switch ||
         (branch.kind == BranchKind::Every && (branch.count > 1 || branch.first > 0));
}

/// The branch bodies that write a tensor in each iteration that they run in.
class Writers {
 public:
  Writers(const GraphRegion& region, const GraphTensor& tensor) : region_(region) {
    steps_.push_back(tensor.producer);
    for (const TensorWriter& other : tensor.in_turn) {
      steps_.push_back(other.step);
    }
  }

  [[nodiscard]] bool in(const Around& body) const {
    const auto here = [&](StepId step) { return region_.steps[step].around == body; };
    if (std::ranges::any_of(steps_, here)) {
      return true;
    }
    std::set<BranchId> branches;  // that stand in this body and have a writer
    for (const StepId step : steps_) {
      const Around& around = region_.steps[step].around;
      if (around.size() > body.size() && common(around, body) == body.size()) {
        branches.insert(around[body.size()].branch);
      }
    }
    return std::ranges::any_of(branches, [&](BranchId id) { return in_all(id, body); });
  }

 private:
  [[nodiscard]] bool in_all(BranchId id, const Around& body) const {
    const GraphBranch& branch = region_.branches[id];
    for (std::uint32_t i = 0; i < branch.alternatives; ++i) {
      Around inside = body;
      inside.push_back({id, i});
      if (!in(inside)) {
        return false;
      }
    }
    return !may_run_none(branch);
  }

  const GraphRegion& region_;
  std::vector<StepId> steps_;
};

}  // namespace

std::vector<std::vector<StepId>> ended_before(const GraphRegion& region) {
  std::vector<StepId> polling;
  std::vector<std::vector<StepId>> ended;
  for (StepId step = 0; step < region.steps.size(); ++step) {
    const GraphStep& at = region.steps[step];
    ended.push_back(at.predecessors);
    if (at.polls) {
      polling.push_back(step);
    } else {
      ended.back().insert(ended.back().end(), polling.begin(), polling.end());
    }
  }
  if (!region.branches.empty()) {
    add_branches(region, ended);
  }
  return ended;
}

namespace {

/// For every step, those that ended_before() says, and those that follow from these.
std::vector<std::vector<bool>> all_before(const GraphRegion& region) {
  const std::size_t count = region.steps.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
  const std::vector<std::vector<StepId>> ended = ended_before(region);
  for (std::size_t step = 0; step < count; ++step) {
    for (const StepId predecessor : ended[step]) {
      before[step][predecessor] = true;
      for (std::size_t i = 0; i < predecessor; ++i) {
        before[step][i] = before[step][i] || before[predecessor][i];
      }
    }
  }
  return before;
}

}  // namespace

bool is_read_before(const GraphRegion& region, TensorId read, TensorId written) {
  const std::vector<std::vector<bool>> before = all_before(region);
  const GraphTensor& tensor = region.tensors[written];
  const auto follows_all = [&](StepId writer) {
    return std::ranges::all_of(region.tensors[read].consumers,
                               [&](StepId reader) { return before[writer][reader]; });
  };
  return follows_all(tensor.producer) &&
         std::ranges::all_of(tensor.in_turn,
                             [&](const TensorWriter& other) { return follows_all(other.step); });
}

std::vector<StepId> steps_in(const GraphRegion& region, BranchId branch) {
  std::vector<StepId> found;
  for (StepId step = 0; step < region.steps.size(); ++step) {
    const Around& around = region.steps[step].around;
    if (std::ranges::find(around, branch, &BranchPlace::branch) != around.end()) {
      found.push_back(step);
    }
  }
  return found;
}

BranchId launched_around(const GraphRegion& region, StepId step) {
  const Around& around = region.steps[step].around;
  const auto found = std::ranges::find_if(around, [&](const BranchPlace& place) {
    return region.branches[place.branch].launch != BranchLaunch::InIteration;
  });
  return found == around.end() ? kNone : found->branch;
}

bool launches_branches(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  const bool may_launch = options.loop == GraphLoop::TailLaunch || options.loop == GraphLoop::Auto;
  return options.mode == GraphMode::Resident && may_launch && options.unroll == 1 &&
         options.instrument_every == 0 && region.handlers.empty() && !region.branches.empty() &&
         region.branches.size() <= kMostLaunchedBranches &&
         std::ranges::find(region.branches, BranchLaunch::InIteration, &GraphBranch::launch) ==
             region.branches.end();
}

bool can_be_measured(const GraphRegion& region) {
  const GraphOptions& options = region.options;
  const bool chooses = options.loop == GraphLoop::Auto || options.loop == GraphLoop::ControlAtEnd;
  return options.mode == GraphMode::Graph ||
         (chooses && region.handlers.empty() && !launches_branches(region));
}

bool runs_beside(const GraphRegion& region, StepId step) {
  const BranchId launched = launched_around(region, step);
  return launched != kNone && region.branches[launched].launch == BranchLaunch::Sibling &&
         launches_branches(region);
}

bool may_be_old(const GraphRegion& region, TensorId id) {
  if (region.branches.empty()) {
    return false;
  }
  const GraphTensor& tensor = region.tensors[id];
  const Writers writers(region, tensor);
  const auto is_written = [&](Around body) {
    while (!writers.in(body)) {
      if (body.empty()) {
        return false;
      }
      body.pop_back();
    }
    return true;
  };
  const bool leaves =
      std::ranges::find(region.outputs, id, &GraphOutput::tensor) != region.outputs.end();
  return (leaves && !is_written({})) || !std::ranges::all_of(tensor.consumers, [&](StepId step) {
           return is_written(region.steps[step].around);
         });
}

std::vector<StepId> repeated_around(const GraphRegion& region, StepId step, StepId writer) {
  const Around& around = region.steps[step].around;
  const std::size_t from = writer == kNone ? 0 : common(around, region.steps[writer].around);
  for (std::size_t depth = from; depth < around.size(); ++depth) {
    if (region.branches[around[depth].branch].kind == BranchKind::While) {
      return steps_in(region, around[depth].branch);
    }
  }
  return {};
}

namespace {

/// Does one of them run in the iteration, and the other behind it?
bool one_is_behind(const GraphRegion& region, StepId a, StepId b) {
  const BranchId first = launched_around(region, a);
  const BranchId second = launched_around(region, b);
  const BranchId launched = first != kNone ? first : second;
  return launched != kNone && (first == kNone || second == kNone) &&
         region.branches[launched].launch == BranchLaunch::FireAndForget;
}

}  // namespace

std::vector<std::vector<StepId>> parallel_steps(const GraphRegion& region) {
  const std::size_t count = region.steps.size();
  const std::vector<std::vector<bool>> before = all_before(region);
  const bool launches = launches_branches(region);
  std::vector<std::vector<StepId>> beside(count);
  for (StepId a = 0; a < count; ++a) {
    for (StepId b = 0; b < count; ++b) {
      if (a != b && !before[a][b] && !before[b][a] && !(launches && one_is_behind(region, a, b))) {
        beside[a].push_back(b);
      }
    }
  }
  return beside;
}

StepRange lifetime(const GraphTensor& tensor) {
  StepRange range{tensor.producer, tensor.producer};
  for (const StepId consumer : tensor.consumers) {
    range.first = range.first == kNone ? consumer : std::min(range.first, consumer);
    range.last = range.last == kNone ? consumer : std::max(range.last, consumer);
  }
  return range;
}

}  // namespace gxr
