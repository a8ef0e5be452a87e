#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "plan/graph_region.hpp"

namespace gxr::test {

/// Regions without operators: steps in bodies of branches, and who reads whose tensor.
class MadeRegion {
 public:
  StepId step(std::vector<BranchPlace> around, std::initializer_list<StepId> reads_of) {
    const auto id = static_cast<StepId>(region.steps.size());
    GraphStep step;
    step.around = std::move(around);
    step.predecessors = reads_of;
    step.reads = reads_of;
    step.writes = {id};
    region.steps.push_back(step);
    GraphTensor tensor;
    tensor.producer = id;
    region.tensors.push_back(tensor);
    for (const StepId writer : reads_of) {
      region.tensors[writer].consumers.push_back(id);
    }
    return id;
  }
  /// The tensor of a step decides.
  BranchId branch(BranchKind kind, StepId selector, std::uint32_t alternatives,
                  BranchPlace parent = {}) {
    region.branches.push_back({kind, kNone, selector, {kNone, selector}, alternatives, parent, 0});
    return static_cast<BranchId>(region.branches.size() - 1);
  }

  /// Decided by the number of the iteration.
  BranchId every(std::uint64_t count, std::uint64_t first, BranchPlace parent = {}) {
    const BranchId id = branch(BranchKind::Every, kNone, 1, parent);
    region.branches[id].count = count;
    region.branches[id].first = first;
    return id;
  }

  /// The same, launched as a graph of its own.
  BranchId launched(BranchLaunch launch) {
    const BranchId id = every(1000, 0);
    region.branches[id].launch = launch;
    return id;
  }

  /// What these steps read of the time before; behind all steps.
  TensorId delayed(StepId writer, std::initializer_list<StepId> readers) {
    GraphTensor tensor;
    tensor.delays = writer;
    tensor.consumers = readers;
    region.tensors.push_back(tensor);
    const auto id = static_cast<TensorId>(region.tensors.size() - 1);
    for (const StepId reader : readers) {
      region.steps[reader].reads.push_back(id);
    }
    return id;
  }

  GraphRegion region;  // the tensor of a step has its number
};

}  // namespace gxr::test
