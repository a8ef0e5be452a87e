#pragma once

#include <chrono>
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
#include "plan/plan.hpp"
#include "rank_run/rank_names.hpp"
#include "rank_run/rank_session.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr::commands {

/// Questions and changes from one rank to another. Every rank answers; the first one asks.
class RankControl final : public OtherRanks {
 public:
  /// All must outlive it.
  RankControl(RankSession& session, const Plan& plan, const RankPlan& ranks,
              const RankNames& names);

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
  void complete(ApplicationStatus& status) override;
  [[nodiscard]] std::string preview(Rank rank, const std::string& entity) override;
  [[nodiscard]] const Plan& plan() const override { return plan_; }

 private:
  std::string ask_for(Rank rank, const std::string& question, bool changes,
                      std::chrono::milliseconds patience);

  RankSession& session_;
  const Plan& plan_;
  const RankPlan& ranks_;
  const RankNames& names_;
  std::mutex mutex_;          // guards the member below
  std::vector<Rank> silent_;  // in the last status
};

}  // namespace gxr::commands
