#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executors/cycle_counter.hpp"
#include "gxr/message.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Where the data of a message comes from and since when, as it travels between ranks.
struct RankTrail {
  std::uint32_t source =
      0;  ///< the entity's number in the whole application, plus one; 0: no trail
  std::uint32_t shares_clock = 0;  ///< 1: the sender has the clock of rank 0
  std::uint64_t acquired = 0;      ///< counts of the cycle counter, which all ranks of a host share
};

/// Carries the trails of messages from one rank to another.
class RankTrails {
 public:
  /// `plan`: of the whole application. `shares_clock`: with rank 0. Without it, the age of data
  /// counts from its arrival.
  GXR_INTERNAL_API RankTrails(const Plan& plan, bool shares_clock);
  /// `works`: by EntityId, has the entity codelets?
  RankTrails(const Graph& whole, std::vector<bool> works, bool shares_clock);

  /// See RestWatch.
  [[nodiscard]] std::vector<std::string> other_sources(const std::vector<LiveEntity>& own);
  [[nodiscard]] bool checks_ages() const noexcept { return checks_ages_; }

  // Behind other_sources(); any thread:
  [[nodiscard]] RankTrail of(const Message& message) const;
  void put(const Message& message, const RankTrail& trail) const;

 private:
  std::vector<std::string> names_;  // by number in the whole application
  std::vector<bool> works_;         // likewise: has it codelets, so that data may come from it?
  bool shares_clock_;
  CycleCounter counter_;
  bool checks_ages_ = false;
  std::vector<std::uint32_t>
      here_;  // number of a source by that in the whole application, or kNone
  std::vector<std::uint32_t> whole_;  // the other way round
};

}  // namespace gxr
