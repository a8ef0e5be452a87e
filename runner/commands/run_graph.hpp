#pragma once

#include "commands/plan_application.hpp"
#include "commands/rank_member.hpp"
#include "commands/run_options.hpp"
#include "document/document.hpp"
#include "gxr/report.hpp"
#include "observe/report_text.hpp"

namespace gxr::commands {

/// Runs a plan without errors, which was made of `document`, and reports. Of one rank of several,
/// if `member` is there, the report is of all and written by one of them. Returns the exit code.
int run_graph(PlannedApplication& planned, const Document& document, const RunOptions& options,
              RankMember* member = nullptr);

/// A failure of gxr itself in one rank before it could run its part: all ranks end. `exit_code`: as
/// of one process that fails so. Returns the exit code.
int fail_rank(RankMember& member, Failure failure, FailurePlace place, const RunOptions& options,
              int exit_code);

}  // namespace gxr::commands
