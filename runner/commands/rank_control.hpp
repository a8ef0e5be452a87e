#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "control/control_answers.hpp"
#include "control/other_ranks.hpp"
#include "rank_run/rank_names.hpp"
#include "rank_run/rank_session.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr::commands {

/// Questions and changes from one rank to another. Every rank answers; the first one asks.
class RankControl final : public OtherRanks {
 public:
  /// All must outlive it.
  RankControl(RankSession& session, const RankPlan& ranks, const RankNames& names);

  /// Answers other ranks as long as it lives, on a thread of its own.
  class Service {
   public:
    /// Throws Error(OutOfMemory) when there is no thread.
    Service(RankSession& session, const ControlAnswers& answers);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service();

   private:
    void serve();
    [[nodiscard]] std::string answer(const std::string& question) const;

    RankSession& session_;
    const ControlAnswers& answers_;
    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    std::deque<RankQuestion> questions_;
    bool stopped_ = false;
    std::thread thread_;
  };

  // OtherRanks
  [[nodiscard]] std::optional<Rank> rank_of(std::string_view address) const override;
  [[nodiscard]] std::string ask(Rank rank, const ControlRequest& request) override;
  std::vector<Rank> complete(RunStatus& status) override;

 private:
  RankSession& session_;
  const RankPlan& ranks_;
  const RankNames& names_;
};

}  // namespace gxr::commands
