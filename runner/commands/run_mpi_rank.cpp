#include "commands/run_mpi_rank.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/python_process.hpp"
#include "commands/run_rank.hpp"
#include "commands/run_result.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "observe/trace_events.hpp"
#include "rank_run/mpi_library.hpp"
#include "rank_run/mpi_transport.hpp"
#include "rank_run/rank_meeting.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr::commands {
namespace {

/// Of gxr and of the spread of the application, which must be the same on all ranks.
std::uint64_t digest_of(const SpreadPlan& whole) {
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  for (const char letter : version_text() + render_rank_plan_json(whole.ranks)) {
    digest = (digest ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  }
  return digest;
}

std::int64_t ns_of_day(const TraceBegin& begin) {
  return std::chrono::nanoseconds(begin.of_day.time_since_epoch()).count();
}

/// The time line of all ranks begins when rank 0 was ready.
TraceBegin common_begin(const RankReadiness& first, const ClockOffset& offset) {
  if (offset.uncertainty > 0) {
    Log::write(LogLevel::Info, "times of this host in a trace are exact to " +
                                   std::to_string(offset.uncertainty / 1000) +
                                   " us when the run begins");
  }
  const std::chrono::nanoseconds of_day(first.of_day_ns);
  return {first.steady_ns + offset.ns,
          std::chrono::system_clock::time_point(
              std::chrono::duration_cast<std::chrono::system_clock::duration>(of_day))};
}

/// The first rank that cannot run its part says why, alone. Returns the exit code.
int report_unready(LoadedApplication& application, const RunOptions& options, Rank self,
                   const std::vector<RankReadiness>& all) {
  const auto unready =
      std::ranges::find_if(all, [](const RankReadiness& each) { return each.exit_code != kDone; });
  const auto rank = static_cast<Rank>(unready - all.begin());
  if (rank == self) {
    if (rank > 0) {
      print_error("rank " + std::to_string(rank) + " cannot run its part of the application");
    }
    report_errors(application, options);
  }
  return static_cast<int>(unready->exit_code);
}

/// Joins the others, and runs this rank's part. Throws Error when a rank has gone before.
int join_and_run(std::unique_ptr<MpiPort> port, LoadedApplication& application,
                 const RunOptions& options) {
  const Rank self = port->rank();
  const Rank ranks = port->ranks();
  std::vector<FileDescriptor> sockets =
      meet_ranks(self, ranks, [&](std::span<const std::byte> own) { return port->gather(own); });
  std::optional<SpreadPlan> whole = spread(application, options, ranks);
  const TraceBegin now = TraceBegin::now();
  const RankReadiness own{whole ? kDone : application.exit_code(), whole ? digest_of(*whole) : 0,
                          now.steady_ns, ns_of_day(now)};
  const std::vector<RankReadiness> all = exchange_readiness(self, sockets, own);
  if (std::ranges::any_of(all, [](const RankReadiness& each) { return each.exit_code != kDone; })) {
    const int code = report_unready(application, options, self, all);
    port->finish();
    return code;
  }
  const auto other = std::ranges::find_if(
      all, [&](const RankReadiness& each) { return each.application != all.front().application; });
  if (other != all.end()) {
    port->finish();
    if (self > 0) {
      return kUsage;
    }
    return fail_with_report({},
                            "rank " + std::to_string(other - all.begin()) +
                                " has another application, or another gxr, than rank 0: all "
                                "hosts must have the same files",
                            options, kUsage);
  }
  if (self == 0) {
    report_diagnostics(application);
    tell_moved(*whole);
  }
  Log::name_rank(self);
  const ClockOffset offset = measure_clock(self, sockets);
  const RankClock clock{common_begin(all.front(), offset), offset.uncertainty == 0};
  const std::size_t channels = whole->channels.size();
  return run_rank(std::make_unique<MpiTransport>(std::move(port), std::move(sockets), channels),
                  application, *std::move(whole), options, clock);
}

}  // namespace

int run_mpi_rank(LoadedApplication& application, const RunOptions& options, const MpiJob& job) {
  std::unique_ptr<MpiPort> port;
  try {
    require_spreadable(options);
    continue_in_python(application);
    port = start_mpi();
  } catch (const Error&) {
    if (job.rank > 0) {
      return kUsage;  // as all ranks do, of which one says why
    }
    throw;
  }
  try {
    return join_and_run(std::move(port), application, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::InputOutput) {
      throw;
    }
    return fail_with_report(failure_of(error), error.what(), options, kRunFailed);
  }
}

}  // namespace gxr::commands
