#include "commands/run_rank.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "commands/commands.hpp"
#include "commands/plan_application.hpp"
#include "commands/rank_member.hpp"
#include "commands/run_application.hpp"
#include "commands/run_files.hpp"
#include "commands/run_graph.hpp"
#include "commands/run_result.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "ranks/rank_part.hpp"
#include "runtime/complete_plan.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

/// The first rank does what the options ask for once.
RunOptions options_of_rank(const RunOptions& options, Rank rank, const TraceBegin& begin) {
  RunOptions own = options;
  own.of_rank = RankFacts{rank, begin, options.trace};
  if (rank > 0) {
    own.trace = file_of_rank(options.trace, rank);
    own.cuda_dot = file_of_rank(options.cuda_dot, rank);
    own.control.reset();
    own.monitor.reset();
    own.no_control = true;  // the first one answers for all
    own.quiet = true;
  }
  return own;
}

/// Has the log of this process name the rank; other ranks than the first have files of their own.
/// Throws Error(InputOutput) when the file cannot be opened.
void log_as_rank(const RunOptions& options, Rank rank) {
  if (const std::string file = file_of_rank(options.log_file, rank); file != options.log_file) {
    LogChoices choices = options.log_choices();
    choices.file = file;
    Log::configure(choices);
  }
  Log::name_rank(rank);
}

}  // namespace

std::optional<SpreadPlan> spread(LoadedApplication& application, const RunOptions& options,
                                 Rank ranks) {
  Diagnostics& diagnostics = application.diagnostics;
  std::optional<Plan> plan =
      plan_regions(application, {options.application.executor, false, ranks > 1});
  if (!plan) {
    return std::nullopt;
  }
  RankPlan rank_plan = make_rank_plan(*plan, application.document, ranks, diagnostics);
  diagnostics.sort();
  if (diagnostics.errors() > 0) {
    return std::nullopt;
  }
  std::vector<RankChannel> channels = rank_channels(rank_plan, application.catalog);
  return SpreadPlan{*std::move(plan), std::move(rank_plan), std::move(channels)};
}

void tell_moved(const SpreadPlan& whole) {
  if (const std::string moved = text_of_moved(whole.ranks); !moved.empty()) {
    Log::write(LogLevel::Info, moved);
  }
}

void require_spreadable(const RunOptions& options) {
  if (options.application.watched_file) {
    throw Error(ErrorCode::NotSupported,
                "several ranks: --watch works in one process only; 'gxr set' changes parameters on "
                "all ranks");
  }
  if (options.trace.empty()) {
    return;
  }
  const std::filesystem::path trace(options.trace);
  std::error_code unknown;
  if (std::filesystem::exists(trace, unknown) &&
      !std::filesystem::is_regular_file(trace, unknown)) {
    throw Error(ErrorCode::NotSupported, "several ranks: --trace requires a regular file, and '" +
                                             options.trace + "' is none");
  }
  if (trace.has_parent_path() && !std::filesystem::is_directory(trace.parent_path(), unknown)) {
    throw Error(ErrorCode::NotSupported, "cannot write the trace '" + options.trace +
                                             "': there is no folder '" +
                                             trace.parent_path().string() + "'");
  }
}

int run_rank(std::unique_ptr<RankTransport> transport, LoadedApplication& application,
             SpreadPlan whole, const RunOptions& all_options, const RankClock& clock) {
  const Rank rank = transport->rank();
  const Rank rank_of_host = transport->rank_of_host();
  const RunOptions options = options_of_rank(all_options, rank, clock.trace_begin);
  const Graph graph = std::exchange(application.graph, {});
  whole.plan.graph = &graph;
  whole.ranks.graph = &graph;
  RankMember member(std::move(transport), whole.plan, whole.ranks, std::move(whole.channels),
                    clock.is_of_first, application.catalog);
  const SourceMap& sources = application.document.sources();
  try {
    log_as_rank(options, rank);
  } catch (const Error& error) {
    return fail_rank(member, failure_of(error), {}, options, kUsage);
  }
  try {
    RankPart part = make_rank_part(graph, whole.ranks.map, member.channels(), rank,
                                   application.document, application.catalog);
    member.session().set_ends(part.ends);
    application.graph = std::move(part.graph);
    application.graph.rank_of_host = rank_of_host;
    std::optional<PlannedApplication> planned = plan_application(
        application,
        {options.application.executor, !options.trace.empty(), whole.ranks.map.ranks > 1});
    if (!planned) {
      report_diagnostics(application);
      Failure failure;
      failure.text = "its part of the application has errors";
      return fail_rank(member, std::move(failure), {}, options, application.exit_code());
    }
    if (!options.verify) {
      settle_default_graph(planned->plan, application.diagnostics);
    }
    return run_graph(*planned, application.document, options, &member);
  } catch (const ComponentFailure& failure) {
    return fail_rank(member, failure.failure(),
                     find_place(application.graph, sources, failure.failure()), options,
                     kRunFailed);
  } catch (const Error& error) {
    return fail_rank(member, failure_of(error), {}, options, kRunFailed);
  }
}

}  // namespace gxr::commands
