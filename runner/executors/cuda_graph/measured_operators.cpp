#include "executors/cuda_graph/measured_operators.hpp"

#include <algorithm>

#include "graph/text.hpp"

namespace gxr {
namespace {

constexpr TraceKind kIterationEvent{"iteration", "iteration"};
constexpr TraceKind kOperatorEvent{"operator", "iteration"};

/// Tracks of which each has one operator at a time.
class Lanes {
 public:
  Lanes(TraceEvents& trace, std::string name) : trace_(trace), name_(std::move(name)) {}

  /// The first in which nothing runs at `begin`, until `end` from now on.
  TraceEvents::Track& take(std::int64_t begin, std::int64_t end) {
    const auto free =
        std::ranges::find_if(lanes_, [&](const Lane& lane) { return lane.until <= begin; });
    Lane& lane = free != lanes_.end() ? *free : add();
    lane.until = end;
    return *lane.track;
  }

 private:
  struct Lane {
    TraceEvents::Track* track;
    std::int64_t until;
  };
  Lane& add() {
    const std::string number = lanes_.empty() ? "" : " (" + std::to_string(lanes_.size() + 1) + ")";
    return lanes_.emplace_back(Lane{&trace_.add_track(name_ + number), 0});
  }

  TraceEvents& trace_;
  std::string name_;
  std::vector<Lane> lanes_;
};

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
  Lanes iterations(trace, name);
  Lanes operators(trace, name + ", operators");
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
