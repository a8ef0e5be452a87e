#include "executors/cuda_graph/measured_operators.hpp"

#include <algorithm>

#include "graph/text.hpp"
#include "observe/trace_lanes.hpp"

namespace gxr {
namespace {

constexpr TraceKind kIterationEvent{"iteration", "iteration"};
constexpr TraceKind kOperatorEvent{"operator", "iteration"};

}  // namespace

void MeasuredOperators::add_to(GraphStatistics& statistics) const {
  for (const std::string& entity : entities_) {
    if (!entity.empty()) {
      statistics.operators.push_back({entity, 0, 0, 0});
    }
  }
  for (const MeasuredIteration& iteration : iterations_) {
    ++statistics.measured;
    statistics.measured_ns += iteration.end_ns() - iteration.begin_ns;
    std::size_t number = 0;
    for (std::size_t part = 0; part < entities_.size(); ++part) {
      if (entities_[part].empty()) {
        continue;
      }
      OperatorStatistics& found = statistics.operators[number++];
      const MeasuredPart& at = iteration.parts[part];
      if (at.end_ns > 0) {
        ++found.runs;
        found.total_ns += at.end_ns - at.begin_ns;
        found.longest_ns = std::max(found.longest_ns, at.end_ns - at.begin_ns);
      }
    }
  }
}

void MeasuredOperators::add_to(TraceEvents& trace, const std::string& name) const {
  TraceLanes iterations(trace, name);
  TraceLanes operators(trace, name + ", operators");
  for (const MeasuredIteration& iteration : iterations_) {
    const auto number = static_cast<std::int64_t>(iteration.number);
    TraceEvents::add(iterations.take(iteration.begin_ns, iteration.end_ns()),
                     trace.name("iteration"), kIterationEvent, iteration.begin_ns,
                     iteration.end_ns() - iteration.begin_ns, number);
    std::vector<std::size_t> order;
    for (std::size_t part = 0; part < entities_.size(); ++part) {
      if (!entities_[part].empty() && iteration.parts[part].end_ns > 0) {
        order.push_back(part);
      }
    }
    std::ranges::stable_sort(order, {},
                             [&](std::size_t part) { return iteration.parts[part].begin_ns; });
    for (const std::size_t part : order) {
      const MeasuredPart& at = iteration.parts[part];
      TraceEvents::add(operators.take(at.begin_ns, at.end_ns), trace.name(entities_[part]),
                       kOperatorEvent, at.begin_ns, at.end_ns - at.begin_ns, number);
    }
  }
}

std::string MeasuredOperators::entered(std::uint64_t number) const {
  const auto found = std::ranges::find(iterations_, number, &MeasuredIteration::number);
  std::string text;
  for (std::size_t part = 0; found != iterations_.end() && part < entities_.size(); ++part) {
    const MeasuredPart& at = found->parts[part];
    if (!entities_[part].empty() && at.begin_ns > 0 && at.end_ns == 0) {
      text += (text.empty() ? "" : " or ") + in_quotes(entities_[part]);
    }
  }
  return text;
}

}  // namespace gxr
