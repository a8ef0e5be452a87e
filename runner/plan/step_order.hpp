#pragma once

#include <vector>

#include "plan/graph_region.hpp"

namespace gxr {

/// For every step of a region, those in front of it that have ended when it begins, or do not run
/// in the same iteration: those whose tensors it reads, all that poll for input if it does not, and
/// what belongs to the same branch as those. A branch begins when all has ended that any of its
/// steps waits for. Others may follow from these.
std::vector<std::vector<StepId>> ended_before(const GraphRegion& region);

/// For every step of a region, the steps that may run at the same time: those that no edges lead to
/// from it, or from them to it. Ascending.
std::vector<std::vector<StepId>> parallel_steps(const GraphRegion& region);

/// Have all steps that read a tensor ended when one that writes another one begins, or do they not
/// run in the same iteration?
bool is_read_before(const GraphRegion& region, TensorId read, TensorId written);

/// The steps of a branch, those of branches in it included.
std::vector<StepId> steps_in(const GraphRegion& region, BranchId branch);
/// The branch that has a step and is launched as a graph of its own; kNone: there is none.
BranchId launched_around(const GraphRegion& region, StepId step);
/// Is it a loop that launches itself, and its branches as graphs of their own, and has it any?
/// Else they run in the iteration.
bool launches_branches(const GraphRegion& region);
/// Can iterations be measured, and may gxr choose to, without another shape of the loop than the
/// author asked for?
bool can_be_measured(const GraphRegion& region);
/// Does a step run beside iterations, which do not wait for it?
bool runs_beside(const GraphRegion& region, StepId step);
/// May a step read it in an iteration in which no step has written it?
bool may_be_old(const GraphRegion& region, TensorId id);
/// All steps of the outermost While that has `step` and not `writer`; empty when there is none.
std::vector<StepId> repeated_around(const GraphRegion& region, StepId step, StepId writer);

/// The first and the last step that use a tensor, in the region's order. For an input, the first
/// that reads it.
struct StepRange {
  StepId first = kNone;
  StepId last = kNone;
};
StepRange lifetime(const GraphTensor& tensor);

}  // namespace gxr
