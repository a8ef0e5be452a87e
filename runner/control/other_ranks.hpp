#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "control/control_protocol.hpp"
#include "observe/run_status.hpp"
#include "plan/plan.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

/// The other ranks of an application, for the rank that answers for all of them. Any thread; the
/// functions wait for the others. ask() throws Error(InvalidState) when a rank does not answer.
class OtherRanks {
 public:
  OtherRanks() = default;
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;
  virtual ~OtherRanks() = default;

  /// The rank that has what an address begins with: "tone/operator/gamma=2"; nothing for what is
  /// here, or nowhere.
  [[nodiscard]] virtual std::optional<Rank> rank_of(std::string_view address) const = 0;
  /// The line that a rank answers to a request.
  [[nodiscard]] virtual std::string ask(Rank rank, const ControlRequest& request) = 0;
  /// Adds what the entities of the others do, which rank has what, and the ranks that do not
  /// answer; leaves out entities that stand for ranks.
  virtual void complete(ApplicationStatus& status) = 0;
  /// The previews of an entity of another rank, as JSON for the page.
  [[nodiscard]] virtual std::string preview(Rank rank, const std::string& entity) = 0;
  /// Of the application on all ranks.
  [[nodiscard]] virtual const Plan& plan() const = 0;
};

}  // namespace gxr
