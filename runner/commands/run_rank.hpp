#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "commands/load.hpp"
#include "commands/run_options.hpp"
#include "observe/trace_events.hpp"
#include "plan/plan.hpp"
#include "rank_run/rank_transport.hpp"
#include "ranks/rank_channels.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr::commands {

/// An application without errors that is to run in several processes.
struct SpreadPlan {
  Plan plan;
  RankPlan ranks;
  std::vector<RankChannel> channels;
};

/// Nothing when the application has errors, which are in its diagnostics.
std::optional<SpreadPlan> spread(LoadedApplication& application, const RunOptions& options,
                                 Rank ranks);
/// Logs which entities --place moves from where the application places them.
void tell_moved(const SpreadPlan& whole);
/// Throws Error(NotSupported) for what works in one process only.
void require_spreadable(const RunOptions& options);
/// A rank's view of the time.
struct RankClock {
  TraceBegin trace_begin;    ///< of all ranks, by the clock of this one
  bool is_of_first = false;  ///< it is the clock of rank 0, too
};

/// Runs one rank's part of the whole application; returns the exit code of the process.
int run_rank(std::unique_ptr<RankTransport> transport, LoadedApplication& application,
             SpreadPlan whole, const RunOptions& all_options, const RankClock& clock);

}  // namespace gxr::commands
