#include "plan/step_order.hpp"

#include <algorithm>

namespace gxr {

std::vector<std::vector<StepId>> ended_before(const GraphRegion& region) {
  std::vector<StepId> looks;
  std::vector<std::vector<StepId>> ended;
  for (StepId step = 0; step < region.steps.size(); ++step) {
    const GraphStep& at = region.steps[step];
    ended.push_back(at.predecessors);
    if (at.looks) {
      looks.push_back(step);
    } else {
      ended.back().insert(ended.back().end(), looks.begin(), looks.end());
    }
  }
  return ended;
}

std::vector<std::vector<StepId>> parallel_steps(const GraphRegion& region) {
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
  std::vector<std::vector<StepId>> beside(count);
  for (StepId a = 0; a < count; ++a) {
    for (StepId b = 0; b < count; ++b) {
      if (a != b && !before[a][b] && !before[b][a]) {
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
