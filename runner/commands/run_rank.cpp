#include "commands/run_rank.hpp"

#include <string>
#include <utility>

#include <sys/stat.h>

#include "commands/plan_application.hpp"
#include "commands/rank_member.hpp"
#include "commands/run_application.hpp"
#include "commands/run_files.hpp"
#include "commands/run_graph.hpp"
#include "commands/run_result.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "ranks/rank_part.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

/// The first rank does what the options ask for once.
RunOptions options_of_rank(const RunOptions& options, Rank rank) {
  RunOptions own = options;
  own.rank = rank;
  if (rank > 0) {
    own.log_file = file_of_rank(options.log_file, rank);
    own.trace = file_of_rank(options.trace, rank);
    own.cuda_dot = file_of_rank(options.cuda_dot, rank);
    own.control.reset();
    own.monitor.reset();
    own.no_control = true;  // the first one answers for all
    own.quiet = true;
  }
  return own;
}

}  // namespace

std::optional<SpreadPlan> spread(LoadedApplication& application, const RunOptions& options,
                                 Rank ranks) {
  Diagnostics& diagnostics = application.diagnostics;
  std::optional<Plan> plan = plan_regions(application, {options.application.executor});
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

void require_spreadable(const LoadedApplication& application, const RunOptions& options) {
  if (application.catalog.has_python()) {
    throw Error(ErrorCode::NotSupported,
                "several ranks: operators that are written in Python run in one process only");
  }
  if (options.application.watched_file) {
    throw Error(ErrorCode::NotSupported,
                "several ranks: --watch works in one process only; 'gxr set' changes parameters on "
                "all ranks");
  }
  struct stat facts {};
  if (!options.trace.empty() && ::stat(options.trace.c_str(), &facts) == 0 &&
      !S_ISREG(facts.st_mode)) {
    throw Error(ErrorCode::NotSupported, "several ranks: --trace requires a regular file, and '" +
                                             options.trace + "' is none");
  }
}

void log_as_rank(const RunOptions& options, Rank rank) {
  if (const std::string file = file_of_rank(options.log_file, rank); file != options.log_file) {
    LogChoices choices = options.log_choices();
    choices.file = file;
    Log::configure(choices);
  }
  Log::name_rank(rank);
}

int run_rank(std::unique_ptr<RankTransport> transport, LoadedApplication& application,
             SpreadPlan whole, const RunOptions& all_options) {
  const Rank rank = transport->rank();
  const RunOptions options = options_of_rank(all_options, rank);
  const Graph graph = std::exchange(application.graph, {});
  whole.plan.graph = &graph;
  whole.ranks.graph = &graph;
  RankMember member(std::move(transport), whole.plan, whole.ranks, std::move(whole.channels),
                    options.shares_clock, application.catalog);
  const SourceMap& sources = application.document.sources();
  try {
    RankPart part = make_rank_part(graph, whole.ranks.map, member.channels(), rank,
                                   application.document, application.catalog);
    member.session().set_ends(part.ends);
    application.graph = std::move(part.graph);
    std::optional<PlannedApplication> planned =
        plan_application(application, {options.application.executor, !options.trace.empty()});
    if (!planned) {
      report_diagnostics(application);
      Failure failure;
      failure.text = "its part of the application has errors";
      return fail_rank(member, std::move(failure), {}, options);
    }
    return run_graph(*planned, application.document, options, &member);
  } catch (const ComponentFailure& failure) {
    return fail_rank(member, failure.failure(),
                     find_place(application.graph, sources, failure.failure()), options);
  } catch (const Error& error) {
    return fail_rank(member, failure_of(error), {}, options);
  }
}

}  // namespace gxr::commands
