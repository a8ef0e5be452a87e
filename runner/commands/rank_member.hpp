#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "commands/rank_control.hpp"
#include "commands/run_application.hpp"
#include "plan/plan.hpp"
#include "rank_run/rank_names.hpp"
#include "rank_run/rank_session.hpp"
#include "rank_run/rank_transport.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr::commands {

/// One of the processes that run an application together.
class RankMember {
 public:
  /// `transport`: to the others, which may have the same steady clock. `plan` is of the whole
  /// application, and `ranks` of it; both must outlive it. The types of what stands for other ranks
  /// come into the catalog.
  RankMember(std::unique_ptr<RankTransport> transport, const Plan& plan, const RankPlan& ranks,
             std::vector<RankChannel> channels, bool shares_clock, TypeCatalog& catalog);

  RankMember(const RankMember&) = delete;
  RankMember& operator=(const RankMember&) = delete;
  ~RankMember();

  [[nodiscard]] RankSession& session() noexcept { return session_; }
  [[nodiscard]] Rank ranks() const noexcept { return session_.ranks(); }
  /// Behind join(): has it a process, perhaps, that tells nothing any more?
  [[nodiscard]] bool is_silent(Rank rank) const {
    return std::ranges::find(silent_, rank) != silent_.end();
  }
  [[nodiscard]] bool is_first() const noexcept { return session_.rank() == 0; }
  [[nodiscard]] RankControl& control() noexcept { return control_; }
  [[nodiscard]] const std::vector<RankChannel>& channels() const noexcept { return channels_; }
  /// The run has ended, as the report says: waits until all others have ended, too, or one of them
  /// ends all.
  void await_others(const Report& own);
  /// A signal asks for the end of all ranks. This one hears of it otherwise as long as it runs. Any
  /// thread.
  void ask_for_end();
  /// Behind await_others(). What the whole application has to say, if this is the rank that writes
  /// it; then finish() must follow.
  std::optional<RunEnd> join(RunEnd own);
  void finish(int exit_code);
  /// That the writing rank told.
  [[nodiscard]] int exit_code() const { return session_.exit_code(); }

 private:
  void end_all();

  std::vector<RankChannel> channels_;
  std::unique_ptr<RankTransport> transport_;
  RankSession session_;
  RankNames names_;
  RankControl control_;
  std::vector<Rank> silent_;

  std::mutex end_mutex_;  // guards the members below
  bool is_asked_ = false;
  bool awaits_others_ = false;
};

}  // namespace gxr::commands
