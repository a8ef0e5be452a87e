#include "executors/run_conclusion.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "gxr/message_account.hpp"
#include "observe/log.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

std::string seconds_text(std::int64_t nanoseconds) {
  return fmt::format("{:.9g} s", static_cast<double>(nanoseconds) * 1e-9);
}

/// What a term answers at the end, and in its own words what it waits for.
struct LastAnswer {
  bool never = false;
  std::string reason;  ///< of one that is not ready; empty for one that is
};

LastAnswer last_answer(SchedulingTerm& term, const Instance& instance, std::int64_t now) {
  const CallSite site = instance.site(term, "explain");
  const CallScope scope(site);
  try {
    const Condition condition = term.check(now);
    const bool ready = condition.type == ConditionType::Ready ||
                       (condition.type == ConditionType::WaitTime && condition.target <= now);
    if (ready) {
      return {};
    }
    std::string reason = term.explain();
    if (condition.type == ConditionType::WaitTime && reason == term.SchedulingTerm::explain()) {
      reason += " before " + seconds_text(condition.target);  // it does not say so itself
    }
    return {condition.type == ConditionType::Never, std::move(reason)};
  } catch (...) {
    return {false, "'" + term.full_name() + "' cannot say: " + current_failure(site).text};
  }
}

}  // namespace

void add_queues(Report& report, const Instance& instance) {
  for (const Queue* queue : instance.queues()) {
    const StagedRing* ring = EngineAccess::content(*queue);  // null: one that counts otherwise
    if (ring != nullptr && ring->total() > 0) {
      report.unread.push_back({queue->full_name(), ring->total()});
    }
    const std::uint64_t dropped =
        EngineAccess::lost(*queue) + (ring != nullptr ? ring->dropped() : 0);
    if (dropped > 0) {
      report.dropped.push_back({queue->full_name(), dropped});
    }
  }
}

void add_account(Report& report, const Component& component, const std::string& name,
                 const Instance& instance) {
  const auto* const account = dynamic_cast<const MessageAccount*>(&component);
  if (account == nullptr) {
    return;
  }
  const std::string called = name.empty() ? component.full_name() : name;
  const CallSite site = instance.site(component, "discards");
  const CallScope scope(site);
  try {
    for (Discard& discard : account->discards()) {
      if (discard.count > 0) {
        report.discarded.push_back({called, std::move(discard)});
      }
    }
    if (const std::size_t unread = account->unread(); unread > 0) {
      report.unread.push_back({called, unread});
    }
  } catch (...) {
    report.failures.push_back(current_failure(site));
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

void add_stop_failures(Report& report, const std::vector<Failure>& failures, bool compat_gxf) {
  if (!compat_gxf) {
    report.failures.insert(report.failures.end(), failures.begin(), failures.end());
    return;
  }
  for (const Failure& failure : failures) {
    Log::write(LogLevel::Warn, describe(failure) + "; GXF passes over it at the end of a run");
  }
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

namespace {

/// An entity with what its terms wait for.
struct Waiting {
  WaitingEntity entity;
  bool finished = false;  ///< one of its terms says NEVER
};

Waiting waiting_of(const LiveEntity& entity, const Instance& instance, std::int64_t now) {
  Waiting waiting{{entity.graph->name, {}}};
  for (SchedulingTerm* term : entity.terms) {
    LastAnswer answer = last_answer(*term, instance, now);
    waiting.finished = waiting.finished || answer.never;
    if (!answer.reason.empty()) {
      waiting.entity.reasons.push_back(std::move(answer.reason));
    }
  }
  return waiting;
}

}  // namespace

void add_waiting(Report& report, const LiveEntity& entity, const Instance& instance,
                 std::int64_t now) {
  const bool deadlock = report.reason == EndReason::Deadlock;
  if (!deadlock && !entity.started) {
    return;
  }
  Waiting waiting = waiting_of(entity, instance, now);
  if (deadlock || (!waiting.finished && !waiting.entity.reasons.empty())) {
    report.waiting.push_back(std::move(waiting.entity));
  }
}

std::vector<std::string> waiting_reasons(const LiveEntity& entity, const Instance& instance,
                                         std::int64_t now) {
  return waiting_of(entity, instance, now).entity.reasons;
}

std::string waiting_text(const LiveEntity& entity, const Instance& instance, std::int64_t now) {
  std::string text;
  for (const std::string& reason : waiting_reasons(entity, instance, now)) {
    text += (text.empty() ? "" : "; ") + reason;
  }
  return text.empty() ? "is ready" : text;
}

}  // namespace gxr
