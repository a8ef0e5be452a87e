#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gxr/report.hpp"
#include "internal_api.hpp"
#include "observe/report_text.hpp"
#include "rank_run/rank_names.hpp"
#include "rank_run/rank_session.hpp"

namespace gxr {

/// The report of one rank.
struct RankReport {
  Report report;
  std::vector<FailurePlace> places;  ///< of its failures, in their order
  std::int32_t signal = 0;           ///< that asked for the end first; 0: none did
  std::uint64_t finished = 0;        ///< entities that have finished
  std::uint64_t all = 0;             ///< entities with codelets
  std::int32_t exit_code = 0;        ///< of a rank that could not run; 0: as the report says
};

GXR_INTERNAL_API std::string to_text(const RankReport& report);
GXR_INTERNAL_API std::string to_text(const RunStatus& status);
/// Throws Error(InvalidData).
GXR_INTERNAL_API RunStatus run_status_of(const std::string& text);

/// The report of the whole application: that of all ranks in one, in the order of `names`, without
/// the entities that stand for other ranks. `end`: the reason for which all ranks ended early.
GXR_INTERNAL_API RankReport join_reports(const RankSession::Reports& reports,
                                         const std::optional<RankEnd>& end, const RankNames& names);

}  // namespace gxr
