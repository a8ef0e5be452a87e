#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "gxr/report.hpp"
#include "internal_api.hpp"
#include "observe/report_text.hpp"
#include "plan/plan.hpp"
#include "rank_run/rank_session.hpp"
#include "ranks/rank_channels.hpp"

namespace gxr {

/// What one rank has to say at the end.
struct RankReport {
  Report report;
  std::vector<FailurePlace> places;  ///< of its failures, in their order
  std::int32_t signal = 0;           ///< that asked for the end first; 0: none did
  std::uint64_t finished = 0;        ///< entities that have finished
  std::uint64_t all = 0;             ///< entities with codelets
};

GXR_INTERNAL_API std::string to_text(const RankReport& report);
GXR_INTERNAL_API std::string to_text(const RunStatus& status);
/// Throws Error(InvalidData).
GXR_INTERNAL_API RunStatus run_status_of(const std::string& text);

/// The report of the whole application: that of all ranks in one, in the order of the application's
/// plan, without the entities that stand for other ranks. `end`: what ended all ranks early.
GXR_INTERNAL_API RankReport join_reports(const RankSession::Reports& reports,
                                         const std::optional<RankEnd>& end, const Plan& plan,
                                         const std::vector<RankChannel>& channels);

}  // namespace gxr
