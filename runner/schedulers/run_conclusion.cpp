#include "schedulers/run_conclusion.hpp"

#include <string>

namespace gxr {
namespace {

/// What a term that is not ready waits for; empty for one that is.
std::string reason_of(SchedulingTerm& term, const Instance& instance, std::int64_t now) {
  const CallSite site = instance.site(term, "explain");
  const CallScope scope(site);
  try {
    return term.check(now).type == ConditionType::Ready ? std::string() : term.explain();
  } catch (...) {
    return "'" + term.full_name() + "' cannot say: " + current_failure(site).text;
  }
}

}  // namespace

void add_queues(Report& report, const Instance& instance) {
  for (const Queue* queue : instance.queues()) {
    const StagedRing* ring = queue->content();
    if (ring == nullptr) {
      continue;  // queues that keep their last message, or count otherwise
    }
    if (ring->total() > 0) {
      report.unread.push_back({queue->full_name(), ring->total()});
    }
    if (ring->dropped() > 0) {
      report.dropped.push_back({queue->full_name(), ring->dropped()});
    }
  }
}

void add_statistics(Report& report, const LiveEntity& entity, const MeasuredTicks& ticks,
                    double ns_per_count) {
  const auto in_ns = [ns_per_count](std::uint64_t counts) {
    return static_cast<std::int64_t>(static_cast<double>(counts) * ns_per_count);
  };
  report.entities.push_back({entity.graph->name, entity.codelets.front()->type(), ticks.count,
                             in_ns(ticks.total_time), in_ns(ticks.longest_time)});
}

void judge_rest(Report& report, std::size_t finished, std::size_t all) {
  if (finished == all || (finished > 0 && report.unread.empty())) {
    report.reason = EndReason::Completed;
    return;
  }
  report.reason = EndReason::Deadlock;
  report.detail = report.unread.empty() ? "nothing can run any more and nothing has finished"
                                        : "nothing can run any more, but messages are left";
}

WaitingEntity waiting_entity(const LiveEntity& entity, const Instance& instance, std::int64_t now) {
  WaitingEntity waiting{entity.graph->name, {}};
  for (SchedulingTerm* term : entity.terms) {
    if (std::string reason = reason_of(*term, instance, now); !reason.empty()) {
      waiting.reasons.push_back(std::move(reason));
    }
  }
  return waiting;
}

}  // namespace gxr
