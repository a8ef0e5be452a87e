#include "commands/rank_member.hpp"

#include <chrono>
#include <tuple>
#include <utility>

#include "rank_run/rank_ends.hpp"
#include "rank_run/rank_report.hpp"

namespace gxr::commands {
namespace {

/// A rank that does not react when all are to end may be in a long call.
constexpr std::chrono::seconds kReportPatience{10};
constexpr std::chrono::seconds kFarewell{1};

bool ended_by_itself(const Report& report) {
  return report.reason == EndReason::Completed || report.reason == EndReason::Deadlock;
}

}  // namespace

RankMember::RankMember(std::unique_ptr<RankTransport> transport, const Plan& plan,
                       const RankPlan& ranks, std::vector<RankChannel> channels, bool shares_clock,
                       TypeCatalog& catalog)
    : channels_(std::move(channels)),
      transport_(std::move(transport)),
      session_(*transport_, channels_, RankTrails(plan, shares_clock)),
      names_(plan, channels_),
      control_(session_, plan, ranks, names_) {
  catalog.add_provider(rank_end_types(session_));
  session_.begin();
}

/// Its thread calls the session.
RankMember::~RankMember() { transport_.reset(); }

void RankMember::await_others(const Report& own) {
  session_.detach_run();
  bool is_asked = false;
  {
    const std::lock_guard lock(end_mutex_);
    awaits_others_ = true;
    is_asked = is_asked_;
  }
  if (ended_by_itself(own) && !is_asked) {
    session_.leave();
  } else {
    end_all();
  }
  session_.wait_for_end();
}

void RankMember::ask_for_end() {
  const std::lock_guard lock(end_mutex_);
  is_asked_ = true;
  if (awaits_others_) {
    end_all();
  }
}

void RankMember::end_all() { session_.end_all({session_.rank(), {}, false}); }

std::optional<RunEnd> RankMember::join(RunEnd own) {
  RankReport mine{std::move(own.report), std::move(own.places), own.signal, 0, 0, own.exit_code};
  std::tie(mine.finished, mine.all) = session_.finished();
  const std::optional<RankEnd> end = session_.early_end();
  if (end && !end->is_loss && end->by == session_.rank() && ended_by_itself(mine.report)) {
    mine.report.reason = EndReason::Interrupted;  // while it waited for the others
    mine.report.by_signal = true;
  }
  const auto reports = session_.exchange(to_text(mine), kReportPatience);
  if (!reports) {
    transport_->finish(kFarewell);
    return std::nullopt;
  }
  silent_ = reports->missing;
  for (const LostRank& lost : reports->lost) {
    if (!lost.has_gone) {
      silent_.push_back(lost.rank);
    }
  }
  RankReport joint = join_reports(*reports, session_.early_end(), names_);
  return RunEnd{std::move(joint.report), std::move(joint.places), joint.signal, joint.exit_code};
}

void RankMember::finish(int exit_code) {
  session_.finish(exit_code);
  transport_->finish(kFarewell);
}

}  // namespace gxr::commands
