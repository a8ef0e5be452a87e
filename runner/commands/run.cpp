#include "commands/run.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "commands/mpi_job.hpp"
#include "commands/output.hpp"
#include "commands/plan_application.hpp"
#include "commands/rank_options.hpp"
#include "commands/run_application.hpp"
#include "commands/run_graph.hpp"
#include "commands/run_mpi_rank.hpp"
#include "commands/run_ranks.hpp"
#include "commands/run_result.hpp"
#include "graph/entity_places.hpp"
#include "graph/file_beside.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "runtime/complete_plan.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

/// Somebody may have meant to spread it.
void tell_alone(const MpiJob& job) {
  if (job.rank == 0) {
    Log::write(LogLevel::Info,
               "each of the " + std::to_string(job.ranks) +
                   " processes of this job runs the whole application: nothing says which rank "
                   "runs what (--place, gxr::mpi::Placement)");
  }
}

/// Does the application say which rank runs what?
bool is_placed(const LoadedApplication& application, const RunOptions& options) {
  return options.application.place_file.has_value() ||
         EntityPlaces::has_component(application.graph) ||
         std::ranges::any_of(application.graph.entities,
                             [](const GraphEntity& entity) { return entity.rank.has_value(); });
}

int load_and_run(const RunOptions& options) {
  const auto application = load_application(options.application);
  bool printed = false;
  try {
    if (options.application.ranks > 0) {
      printed = true;
      return run_ranks(*application, options);
    }
    if (const std::optional<MpiJob> job = mpi_job(); job && job->ranks > 1) {
      if (is_placed(*application, options)) {
        printed = true;
        return run_mpi_rank(*application, options, *job);
      }
      tell_alone(*job);
    }
    std::optional<PlannedApplication> planned =
        plan_application(*application, {options.application.executor, !options.trace.empty()});
    printed = true;
    if (!planned) {
      return report_errors(*application, options);
    }
    if (!options.verify) {  // which runs the operators on the CPU
      settle_default_graph(planned->plan, application->diagnostics);
    }
    report_diagnostics(*application);
    return run_graph(*planned, application->document, options);
  } catch (const Error& error) {
    if (!printed) {
      report_diagnostics(*application);
    }
    return fail_with_report(failure_of(error), error.what(), options,
                            error.code() == ErrorCode::NotSupported  ? kUsage
                            : error.code() == ErrorCode::OutOfMemory ? kRunFailed
                                                                     : kExtensionNotLoadable);
  } catch (const ComponentFailure& failure) {
    report_diagnostics(*application);
    Failure explained = failure.failure();
    const SourceMap& sources = application->document.sources();
    const FailurePlace place = find_place(application->graph, sources, explained);
    explain_missing_file(application->graph, sources, explained);
    return fail_with_report(explained, describe(explained), options, kRunFailed, place);
  }
}

int load_and_report(const RunOptions& options) {
  try {
    InterruptSignals::catch_early(code_of_early_sigterm());
    return code_with_log(load_and_run(options));
  } catch (const Error& error) {
    return fail_with_report(failure_of(error), error.what(), options, kRunFailed);
  } catch (const std::bad_alloc&) {
    const std::vector<std::string>& files = options.application.files;
    std::fprintf(stderr, "error: out of memory for %s\n",
                 files.empty() ? "the application" : files.front().c_str());
    return kRunFailed;
  }
}

}  // namespace

int run(const RunOptions& options) {
  if (is_json(options)) {
    reserve_standard_output();
  }
  try {
    Log::configure(options.log_choices());
  } catch (const Error& error) {
    return fail_with_report(failure_of(error), error.message(), options, kUsage);
  }
  if (!options.application.place_file || options.application.ranks > 0) {
    return load_and_report(options);
  }
  const std::optional<MpiJob> job = mpi_job();
  if (!job) {
    const Error error(ErrorCode::InvalidArgument,
                      "--place requires --ranks, or processes that 'gxr mpirun' starts");
    return fail_with_report(failure_of(error), error.message(), options, kUsage);
  }
  RunOptions own = options;
  if (job->ranks == 1) {
    own.application.ranks = 1;  // which needs no MPI
  }
  return load_and_report(own);
}

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Check an application and run it");
  options->application.add_to(*command);
  options->add_to(*command);
  add_rank_options(*command, "Run the application in N processes of this host",
                   options->application);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace gxr::commands
