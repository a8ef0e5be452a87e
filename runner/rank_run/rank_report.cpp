#include "rank_run/rank_report.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "executors/run_conclusion.hpp"
#include "rank_run/byte_archive.hpp"
#include "rank_run/rank_names.hpp"

namespace gxr {

// The fields of what travels, in any order that stays the same.

template <class A>
void visit_fields(A& a, Failure& v) {
  a(v.entity), a(v.component), a(v.type), a(v.method), a(v.text), a(v.code);
}
template <class A>
void visit_fields(A& a, FailurePlace& v) {
  a(v.lines), a(v.file), a(v.line), a(v.column);
}
template <class A>
void visit_fields(A& a, WaitingEntity& v) {
  a(v.entity), a(v.reasons);
}
template <class A>
void visit_fields(A& a, UnreadMessages& v) {
  a(v.queue), a(v.count);
}
template <class A>
void visit_fields(A& a, DroppedMessages& v) {
  a(v.queue), a(v.count);
}
template <class A>
void visit_fields(A& a, NearestMiss& v) {
  a(v.distance_ns), a(v.threshold), a(v.threshold_ns);
}
template <class A>
void visit_fields(A& a, Discard& v) {
  a(v.count), a(v.of), a(v.reason), a(v.nearest_miss);
}
template <class A>
void visit_fields(A& a, DiscardedMessages& v) {
  a(v.component), a(v.discard);
}
template <class A>
void visit_fields(A& a, EntityStatistics& v) {
  a(v.entity), a(v.codelet_type), a(v.ticks), a(v.total_ns), a(v.longest_ns);
  a(v.device_ticks), a(v.device_total_ns), a(v.device_longest_ns);
}
template <class A>
void visit_fields(A& a, OperatorStatistics& v) {
  a(v.entity), a(v.runs), a(v.total_ns), a(v.longest_ns);
}
template <class A>
void visit_fields(A& a, GraphStatistics& v) {
  a(v.region), a(v.iterations), a(v.duration_ns), a(v.loops), a(v.memory_bytes);
  a(v.parameter_sets), a(v.node_updates), a(v.graph_updates), a(v.instantiations);
  a(v.captures_checked), a(v.late), a(v.left_out), a(v.late_inputs), a(v.measured);
  a(v.measured_ns), a(v.operators), a(v.device);
}
template <class A>
void visit_fields(A& a, GraphMemory& v) {
  a(v.device), a(v.reserved_bytes), a(v.used_bytes);
}
template <class A>
void visit_fields(A& a, VerifiedResults& v) {
  a(v.results), a(v.operators), a(v.graphs_left_out);
}
template <class A>
void visit_fields(A& a, TimeFacts& v) {
  a(v.count), a(v.total_ns), a(v.p50_ns), a(v.p90_ns), a(v.p99_ns), a(v.p999_ns), a(v.longest_ns);
}
template <class A>
void visit_fields(A& a, QueueStatus& v) {
  a(v.queue), a(v.is_input), a(v.messages), a(v.capacity), a(v.dropped), a(v.peak), a(v.arrived);
  a(v.waiting);
}
template <class A>
void visit_fields(A& a, DeadlineStatus& v) {
  a(v.is_age), a(v.source), a(v.limit_ns), a(v.checked), a(v.missed), a(v.longest_ns);
}
template <class A>
void visit_fields(A& a, EntityStatus& v) {
  a(v.entity), a(v.ticks), a(v.most_ticks), a(v.state), a(v.reasons), a(v.queues), a(v.times);
  a(v.lateness), a(v.type), a(v.swaps), a(v.restarts), a(v.lost), a(v.deadlines);
}
template <class A>
void visit_fields(A& a, PathStatus& v) {
  a(v.source), a(v.sink), a(v.age);
}
template <class A>
void visit_fields(A& a, AllocatorStatus& v) {
  a(v.allocator), a(v.bytes), a(v.peak_bytes);
}
template <class A>
void visit_fields(A& a, GraphStatus& v) {
  a(v.region), a(v.device), a(v.loops), a(v.iterations), a(v.measured), a(v.measured_ns);
  a(v.operators);
}
template <class A>
void visit_fields(A& a, RunStatus& v) {
  a(v.executor), a(v.entities), a(v.paths), a(v.ages_left_out), a(v.allocators), a(v.graphs);
}
template <class A>
void visit_fields(A& a, Report& v) {
  a(v.reason), a(v.detail), a(v.by_signal), a(v.failures), a(v.waiting), a(v.unread), a(v.dropped);
  a(v.discarded), a(v.entities), a(v.graphs), a(v.graph_memory), a(v.duration_ns), a(v.ran);
  a(v.measured), a(v.last_status), a(v.gpu_hangs), a(v.verified);
}
template <class A>
void visit_fields(A& a, RankReport& v) {
  a(v.report), a(v.places), a(v.signal), a(v.finished), a(v.all), a(v.exit_code);
}

std::string to_text(const RankReport& report) { return to_bytes(report); }
std::string to_text(const RunStatus& status) { return to_bytes(status); }
RunStatus run_status_of(const std::string& text) { return from_bytes<RunStatus>(text); }

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Brings the parts of all ranks together.
class Joint {
 public:
  explicit Joint(const RankNames& names) : names_(names) { joint_.report.ran = true; }

  void add(Rank rank, RankReport part) {
    ++ranks_;
    Report& whole = joint_.report;
    Report& report = part.report;
    part.places.resize(report.failures.size());
    if (!report.failures.empty()) {
      add_exit_code(part.exit_code);
    }
    for (std::size_t i = 0; i < report.failures.size(); ++i) {
      names_.put_into(report.failures[i].text);
      add_failure_of(rank, std::move(report.failures[i]), std::move(part.places[i]));
    }
    add_entities(report);
    add_queues(whole.unread, report.unread);
    add_queues(whole.dropped, report.dropped);
    append(whole.discarded, report.discarded);
    append(whole.graphs, report.graphs);
    append(whole.graph_memory, report.graph_memory);
    names_.add(whole.last_status, report.last_status);
    whole.duration_ns = std::max(whole.duration_ns, report.duration_ns);
    whole.ran = whole.ran && report.ran;
    whole.measured = whole.measured || report.measured;
    whole.gpu_hangs = whole.gpu_hangs || report.gpu_hangs;
    add_verified(report);
    joint_.signal = joint_.signal == 0 ? part.signal : joint_.signal;
    joint_.finished += part.finished;
    joint_.all += part.all;
  }

  /// A failure that no component has, and no rank tells.
  void add_failure(std::string text) {
    Failure failure;
    failure.type = "gxr";
    failure.method = "run";
    failure.text = std::move(text);
    add_exit_code(0);
    joint_.report.failures.insert(joint_.report.failures.begin(), std::move(failure));
    joint_.places.insert(joint_.places.begin(), FailurePlace{});
  }

  /// `cause`: the report of the rank that ended all early.
  RankReport conclude(const Report* cause) {
    Report& whole = joint_.report;
    name_ranks_of_failures();
    const auto by_place = [&](const auto& a, const auto& b) {
      return names_.place(a.entity) < names_.place(b.entity);
    };
    std::ranges::stable_sort(whole.entities, by_place);
    std::ranges::stable_sort(whole.waiting, by_place);
    names_.finish(whole.last_status, ranks_);
    if (!whole.failures.empty()) {
      whole.reason = EndReason::Failed;
    } else if (cause != nullptr) {
      whole.reason = cause->reason;
      whole.detail = cause->detail;
      whole.by_signal = cause->by_signal;
    } else {
      judge_rest(whole, joint_.finished, joint_.all);
    }
    return std::move(joint_);
  }

 private:
  /// Of ranks that could not run, the lowest has the word; of one that ran and failed, the report.
  void add_exit_code(std::int32_t code) {
    joint_.exit_code = !has_exit_code_ || code == 0 ? code : joint_.exit_code;
    has_exit_code_ = true;
  }

  static bool are_equal(const Failure& a, const Failure& b) {
    return a.entity == b.entity && a.component == b.component && a.type == b.type &&
           a.method == b.method && a.text == b.text;
  }

  /// A component that each rank makes may fail on all of them in the same way.
  void add_failure_of(Rank rank, Failure failure, FailurePlace place) {
    std::vector<Failure>& known = joint_.report.failures;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (are_equal(known[i], failure)) {
        if (failed_on_[i].back() != rank) {
          failed_on_[i].push_back(rank);
        }
        return;
      }
    }
    known.push_back(std::move(failure));
    joint_.places.push_back(std::move(place));
    failed_on_.push_back({rank});
  }

  void name_ranks_of_failures() {
    std::vector<Failure>& failures = joint_.report.failures;
    const std::size_t own = failures.size() - failed_on_.size();
    for (std::size_t i = 0; i < failed_on_.size(); ++i) {
      std::string on = failed_on_[i].size() > 1 ? "on ranks " : "on rank ";
      for (std::size_t k = 0; k < failed_on_[i].size(); ++k) {
        on += (k == 0 ? "" : ", ") + std::to_string(failed_on_[i][k]);
      }
      failures[own + i].text = on + ": " + failures[own + i].text;
    }
  }

  void add_entities(Report& report) {
    const auto stands_for_another = [&](const auto& each) { return names_.is_end(each.entity); };
    std::erase_if(report.entities, stands_for_another);
    std::erase_if(report.waiting, stands_for_another);
    for (WaitingEntity& waiting : report.waiting) {
      for (std::string& reason : waiting.reasons) {
        names_.put_into(reason);
      }
    }
    append(joint_.report.entities, report.entities);
    append(joint_.report.waiting, report.waiting);
  }

  /// A queue between ranks has a part on each side.
  template <class T>
  void add_queues(std::vector<T>& to, const std::vector<T>& from) {
    for (const T& part : from) {
      const std::string name = names_.queue(part.queue);
      const auto known = std::ranges::find(to, name, &T::queue);
      if (known == to.end()) {
        to.push_back({name, part.count});
      } else {
        known->count += part.count;
      }
    }
  }

  void add_verified(Report& report) {
    if (!report.verified) {
      return;
    }
    std::optional<VerifiedResults>& whole = joint_.report.verified;
    whole = whole.value_or(VerifiedResults{});
    whole->results += report.verified->results;
    whole->operators += report.verified->operators;
    append(whole->graphs_left_out, report.verified->graphs_left_out);
  }

  const RankNames& names_;
  RankReport joint_;
  std::vector<std::vector<Rank>> failed_on_;  // by failure; those of add_failure() come before
  Rank ranks_ = 0;
  bool has_exit_code_ = false;
};

}  // namespace

RankReport join_reports(const RankSession::Reports& reports, const std::optional<RankEnd>& end,
                        const RankNames& names) {
  Joint joint(names);
  std::optional<Report> cause;
  for (const auto& [rank, text] : reports.texts) {
    auto part = from_bytes<RankReport>(text);
    if (end && !end->is_loss && end->by == rank) {
      cause = part.report;
    }
    joint.add(rank, std::move(part));
  }
  for (const Rank rank : reports.missing) {
    joint.add_failure("rank " + std::to_string(rank) + " did not end in time");
  }
  for (const LostRank& lost : reports.lost) {
    joint.add_failure("rank " + std::to_string(lost.rank) + " is lost: " + lost.why);
  }
  return joint.conclude(cause ? &*cause : nullptr);
}

}  // namespace gxr
