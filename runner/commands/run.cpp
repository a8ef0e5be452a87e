#include "commands/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/cuda_dot.hpp"
#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "commands/mpi_job.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/plan_application.hpp"
#include "commands/rank_launch.hpp"
#include "commands/rank_member.hpp"
#include "commands/rank_options.hpp"
#include "commands/record_run.hpp"
#include "commands/run_application.hpp"
#include "control/control_folder.hpp"
#include "control/control_socket.hpp"
#include "control/watched_file.hpp"
#include "document/utf8.hpp"
#include "graph/file_beside.hpp"
#include "gxr/error.hpp"
#include "monitor/web_address.hpp"
#include "monitor/web_server.hpp"
#include "observe/log.hpp"
#include "observe/report_text.hpp"
#include "observe/trace_file.hpp"
#include "rank_run/mpi_library.hpp"
#include "rank_run/mpi_transport.hpp"
#include "rank_run/rank_meeting.hpp"
#include "rank_run/rank_mesh.hpp"
#include "ranks/rank_part.hpp"
#include "ranks/rank_plan.hpp"
#include "runtime/instance.hpp"
#include "system/service_manager.hpp"

namespace gxr::commands {
namespace {

/// A service manager that asks for the end by SIGTERM takes any other code for a failure.
bool is_asked_by_service_manager(int signal) { return signal == SIGTERM && has_service_manager(); }

/// GXF passes over a deadlock.
bool forgives_deadlock(const RunOptions& options) {
  return options.deadlock_ok || (options.application.compat_gxf && !options.strict_end);
}

int exit_code_of(const Report& report, const RunOptions& options, int signal) {
  switch (report.reason) {
    case EndReason::Completed:
      return kDone;
    case EndReason::Deadlock:
      return forgives_deadlock(options) ? kDone : kRunFailed;
    case EndReason::Duration:
      return options.strict_end ? kRunFailed : kDone;
    case EndReason::Interrupted:
      return report.by_signal && !is_asked_by_service_manager(signal) ? kSignal : kDone;
    case EndReason::Failed:
      return kRunFailed;
  }
  return kRunFailed;
}

/// Nobody should take that for a proof.
bool verified_nothing(const Report& report) {
  return report.ran && report.verified && report.verified->results == 0;
}

bool is_json(const RunOptions& options) { return options.format == "json"; }

void print_report(const RunEnd& end, const RunOptions& options) {
  const Report& report = end.report;
  record_end(report);
  if (is_json(options)) {
    print_json(render_report_json(report, end.places));
    return;
  }
  if (!Log::replaces_text()) {
    std::fputs(printable_lines(render_problems(report, end.places), "").c_str(), stderr);
  }
  if (options.statistics) {
    print_text(render_statistics(report));
  }
  print_text(render_verified(report));
  if (!options.prints_data) {
    print_text(render_end(report) + "\n");
  }
}

/// An error of gxr itself: on standard error, and in the log file.
int fail_run(const std::string& text, int code) {
  if (!Log::replaces_text()) {
    print_error(text);
  }
  Log::record(LogLevel::Error, text);
  return code;
}

/// The same before anything ran: a report as data has it, too.
int fail_with_report(Failure failure, const std::string& text, const RunOptions& options, int code,
                     const FailurePlace& place = {}) {
  if (is_json(options)) {
    Report report;
    report.reason = EndReason::Failed;
    report.failures.push_back(std::move(failure));
    print_json(render_report_json(report, {place}));
  }
  fail_run(text, code);
  if (!Log::replaces_text()) {
    std::fputs(place.lines.c_str(), stderr);
  }
  return code;
}

/// What the time line of an application is called: its first file.
std::string process_name(const RunOptions& options) {
  const std::vector<std::string> names = options.application.names();
  const std::string name =
      names.empty() ? std::string() : std::filesystem::path(names.front()).stem().string();
  return name.empty() || name == "-" ? "gxr" : name;
}

ApplicationIdentity identity_of(const RunOptions& options) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {options.own_process(), process_name(options), options.application.names(),
          std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

/// Files that the options name, opened before anything runs. They go with this object.
struct RunFiles {
  std::vector<std::string> dot_files;
  std::optional<TraceFile> trace;
  std::optional<ControlSocket> control;
  std::optional<ControlSocket> usual_control;
  std::optional<WatchedFile> watched;
  std::optional<WebListener> monitor;

  /// Throws Error when one cannot be opened.
  RunFiles(const Plan& plan, const RunOptions& options) {
    if (!options.cuda_dot.empty()) {
      dot_files = cuda_dot_files(plan, options.cuda_dot);
    }
    if (!options.trace.empty()) {
      trace.emplace(options.trace, process_name(options));
    }
    if (options.application.watched_file) {
      watched.emplace(*options.application.watched_file, options.application.greatest_number);
    }
    if (options.control) {
      control.emplace(*options.control == "auto" ? usual_control_path() : *options.control);
    }
    if (options.monitor) {
      listen(*options.monitor);
    }
    if (!options.no_control) {
      make_usual_control(options.own_process());
    }
  }

  void listen(const std::string& address) {
    try {
      WebServer::require();
      monitor.emplace(parse_web_address(address));
    } catch (const Error& error) {
      throw Error(error.code(), "--monitor: " + error.message());
    }
  }

  /// Nobody has asked for it, so that the run goes on without.
  void make_usual_control(std::int64_t process) {
    try {
      usual_control.emplace(make_own_control_path(process));
    } catch (const Error& error) {
      Log::write(LogLevel::Warn,
                 "nobody can ask this application or change it (--no-control): " + error.message());
    }
  }

  /// False when the trace cannot be written, which is said on standard error.
  bool write_trace() {
    try {
      if (trace) {
        trace->finish();
      }
      return true;
    } catch (const Error& error) {
      fail_run(error.message(), kRunFailed);
      return false;
    }
  }
};

Failure failure_of(const Error& error) {
  Failure failure;
  failure.text = error.message();
  failure.code = error.code();
  return failure;
}

/// The report of a run, which may be one of several ranks: then one of them writes it. Returns the
/// exit code.
int conclude(RunEnd end, const RunOptions& options, bool written, RankMember* member) {
  if (member != nullptr) {
    std::optional<RunEnd> joint = member->join(std::move(end));
    if (!joint) {
      return member->exit_code();
    }
    end = *std::move(joint);
  }
  const Report& report = end.report;
  print_report(end, options);
  int code = exit_code_of(report, options, end.signal);
  if (code == kDone && (!written || verified_nothing(report))) {
    code = kRunFailed;
  }
  if (member != nullptr) {
    std::fflush(nullptr);
    member->finish(code);
  }
  end_if_gpu_hangs(report, code);
  return code;
}

/// A failure of gxr itself in one rank: all end.
int fail_rank(RankMember& member, Failure failure, FailurePlace place, const RunOptions& options) {
  RunEnd end;
  end.report.reason = EndReason::Failed;
  end.report.ran = false;
  if (failure.type.empty()) {
    failure.type = "gxr";
    failure.method = "load";
  }
  end.report.failures.push_back(std::move(failure));
  end.places.push_back(std::move(place));
  return conclude(std::move(end), options, true, &member);
}

/// Runs a plan without errors, which was made of `document`: of one rank of several if `member` is
/// there.
int run_graph(PlannedApplication& planned, const Document& document, const RunOptions& options,
              RankMember* member = nullptr) {
  const Plan& plan = planned.plan;
  std::unique_ptr<RunFiles> files;
  try {
    files = std::make_unique<RunFiles>(plan, options);
  } catch (const Error& error) {
    return member != nullptr ? fail_rank(*member, failure_of(error), {}, options)
                             : fail_with_report(failure_of(error), error.what(), options, kUsage);
  }
  RunChoices choices;
  choices.verify = options.verify;
  choices.dot_files = files->dot_files;
  choices.control = files->control ? &*files->control : nullptr;
  choices.usual_control = files->usual_control ? &*files->usual_control : nullptr;
  choices.identity = identity_of(options);
  choices.monitor = files->monitor ? &*files->monitor : nullptr;
  choices.watched = files->watched ? &*files->watched : nullptr;
  choices.progress = options.quiet ? RunProgress::Places{} : RunProgress::usual_places();
  choices.document = &document;
  if (member != nullptr) {
    choices.member = member;
    choices.options.rest = &member->session();
  }
  choices.options.measure = options.statistics || is_json(options);
  choices.options.nvtx = options.nvtx;
  choices.options.check_streams = options.check_streams;
  choices.options.compat_gxf = options.application.compat_gxf;
  if (options.end_patience) {
    choices.options.end_patience =
        std::chrono::nanoseconds(std::llround(*options.end_patience * 1e9));
  }
  choices.options.trace = files->trace ? &files->trace->events() : nullptr;
  record_start(plan, options.application.names());
  RunEnd end;
  try {
    end = run_application(planned, choices, InterruptSignals::Style::Gxr);
  } catch (const OptionFailure& failure) {
    return fail_run(failure.what(), kUsage);
  } catch (...) {
    static_cast<void>(files->write_trace());
    throw;
  }
  const bool written = files->write_trace();
  files.reset();  // the process may end at once
  return conclude(std::move(end), options, written, member);
}

void report_diagnostics(const LoadedApplication& application) {
  record_diagnostics(application.diagnostics, application.document.sources());
  if (!Log::replaces_text()) {
    print_diagnostics(application);
  }
}

/// "trace.rank1.json"
std::string name_of_rank(const std::string& file, Rank rank) {
  if (file.empty()) {
    return file;
  }
  std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  return path.replace_extension("rank" + std::to_string(rank) + extension).string();
}

/// The first rank does what the options ask for once.
RunOptions options_of_rank(const RunOptions& options, Rank rank) {
  RunOptions own = options;
  if (rank > 0) {
    own.trace = name_of_rank(options.trace, rank);
    own.cuda_dot = name_of_rank(options.cuda_dot, rank);
    own.control.reset();
    own.monitor.reset();
    own.no_control = true;  // the first one answers for all
    own.quiet = true;
  }
  return own;
}

/// Runs one rank's part of the whole application.
int run_rank(std::unique_ptr<RankTransport> transport, LoadedApplication& application, Plan whole,
             RankPlan ranks, const RunOptions& all_options) {
  const Rank rank = transport->rank();
  const RunOptions options = options_of_rank(all_options, rank);
  const Graph graph = std::exchange(application.graph, {});
  whole.graph = &graph;
  ranks.graph = &graph;
  RankMember member(std::move(transport), whole, ranks, application.catalog);
  const SourceMap& sources = application.document.sources();
  try {
    RankPart part = make_rank_part(graph, ranks.map, member.channels(), rank, application.document,
                                   application.catalog);
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

/// The whole application's, without errors.
struct SpreadPlan {
  Plan plan;
  RankPlan ranks;
};

/// Nothing when the application has errors, which are in its diagnostics.
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
  return SpreadPlan{*std::move(plan), std::move(rank_plan)};
}

/// What works in one process only.
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
}

/// Those of an application that cannot be spread.
int report_errors(const LoadedApplication& application, const RunOptions& options) {
  if (is_json(options)) {
    record_diagnostics(application.diagnostics, application.document.sources());
    print_diagnostics_as_json(application);
  } else {
    report_diagnostics(application);
  }
  return application.exit_code();
}

/// Spreads an application over processes of this host.
int run_ranks(LoadedApplication& application, const RunOptions& options) {
  std::optional<SpreadPlan> whole = spread(application, options, options.application.ranks);
  if (!whole) {
    return report_errors(application, options);
  }
  report_diagnostics(application);
  require_spreadable(application, options);
  RunOptions own = options;
  own.process = ::getpid();
  return launch_ranks(
      options.application.ranks, [&](Rank rank, std::vector<FileDescriptor> sockets) {
        InterruptSignals::catch_early(is_asked_by_service_manager(SIGTERM) ? kDone : kSignal);
        return run_rank(std::make_unique<RankMesh>(rank, std::move(sockets)), application,
                        whole->plan, whole->ranks, own);
      });
}

/// Somebody may have meant to spread it.
void tell_alone(const MpiJob& job) {
  if (job.rank == 0) {
    Log::write(LogLevel::Info,
               "each of the " + std::to_string(job.ranks) +
                   " processes of this job runs the whole application: nothing says which rank "
                   "runs what (--place)");
  }
}

/// Does the application say which rank runs what?
bool is_placed(const LoadedApplication& application, const RunOptions& options) {
  return options.application.place_file.has_value() ||
         std::ranges::any_of(application.graph.entities,
                             [](const GraphEntity& entity) { return entity.rank.has_value(); });
}

/// What must be the same on all ranks: gxr, and how the application is spread.
std::uint64_t digest_of(const SpreadPlan& whole) {
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  for (const char letter : version_text() + render_rank_plan_json(whole.ranks)) {
    digest = (digest ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  }
  return digest;
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

/// One rank of a job, of which mpirun or Slurm started the others.
int run_in_job(LoadedApplication& application, const RunOptions& options, const MpiJob& job) {
  std::unique_ptr<MpiPort> port;
  try {
    require_spreadable(application, options);
    port = start_mpi();
  } catch (const Error&) {
    if (job.rank > 0) {
      return kUsage;  // as all ranks do, of which one says why
    }
    throw;
  }
  const Rank self = port->rank();
  const Rank ranks = port->ranks();
  std::vector<FileDescriptor> sockets =
      meet_ranks(self, ranks, [&](std::span<const std::byte> own) { return port->gather(own); });
  std::optional<SpreadPlan> whole = spread(application, options, ranks);
  const RankReadiness own{whole ? kDone : application.exit_code(), whole ? digest_of(*whole) : 0};
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
  }
  const std::size_t channels = rank_channels(whole->ranks, application.catalog).size();
  return run_rank(std::make_unique<MpiTransport>(std::move(port), std::move(sockets), channels),
                  application, whole->plan, whole->ranks, options);
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
        return run_in_job(*application, options, *job);
      }
      tell_alone(*job);
    }
    std::optional<PlannedApplication> planned =
        plan_application(*application, {options.application.executor, !options.trace.empty()});
    const int code = application->exit_code();
    printed = true;
    if (code != kDone && is_json(options)) {
      record_diagnostics(application->diagnostics, application->document.sources());
      print_diagnostics_as_json(*application);
      return code;
    }
    report_diagnostics(*application);
    return planned ? run_graph(*planned, application->document, options) : code;
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
    if (options.application.ranks == 0) {  // each rank catches its own
      InterruptSignals::catch_early(is_asked_by_service_manager(SIGTERM) ? kDone : kSignal);
    }
    const int code = load_and_run(options);
    return code == kDone && Log::has_lost_lines() ? kRunFailed : code;
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
    Log::configure({*parse_log_level(options.log_level), options.log_file,
                    options.log_format == "json" ? LogForm::Json : LogForm::Text,
                    options.log_rotation});
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

std::int64_t RunOptions::own_process() const { return process != 0 ? process : ::getpid(); }

void RunOptions::add_log_options(CLI::App& command) {
  command.add_option("--log-level", log_level, "Least important level to log")
      ->check(CLI::IsMember({"off", "error", "warn", "info", "debug"}))
      ->capture_default_str();
  CLI::Option* const file =
      command.add_option("--log-file", log_file, "Append the log to a file")->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--log-rotate",
          [this](const std::string& text) {
            const std::optional<LogRotation> rotation = parse_log_rotation(text);
            if (!rotation) {
              throw CLI::ValidationError(
                  "--log-rotate", "Value " + text +
                                      " is no size of 1 KB or more with a unit (10MB, 512KiB), "
                                      "which a count of 1 to 999 files may follow (10MB,3)");
            }
            log_rotation = *rotation;
          },
          "Before the log file gets larger than SIZE, rename it to FILE.1, FILE.1 to FILE.2 and so "
          "on, and begin a new one; COUNT old files stay, 5 if left out")
      ->type_name("SIZE[,COUNT]")
      ->needs(file);
  command
      .add_option("--log-format", log_format,
                  "Form of the log; json: an object with time, level, entity, component and text "
                  "on each line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void RunOptions::add_to(CLI::App& command) {
  add_log_options(command);
  command.add_option("--format", format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_flag("--strict-end", strict_end,
                   "Exit code 1 also when the run ends by its time limit, and for a deadlock with "
                   "--compat gxf");
  command.add_flag("--deadlock-ok", deadlock_ok, "Exit code 0 when the run ends in a deadlock");
  CLI::Option* const verify_option = command.add_flag(
      "--verify", verify,
      "Run operators that can work on CPU and GPU on both, and compare their results");
  command
      .add_option("--cuda-dot", cuda_dot, "Write CUDA's picture of each CUDA graph, for Graphviz")
      ->type_name("FILE")
      ->excludes(verify_option);
  command.add_option("--trace", trace, "Write a trace for Perfetto or chrome://tracing (JSON)")
      ->type_name("FILE");
  CLI::Option* const control_option =
      command
          .add_option("--control", control,
                      "A further socket for 'gxr status', 'get' and 'set'; auto: one that they "
                      "try first")
          ->type_name("SOCKET")
          ->expected(0, 1)
          ->default_str("auto");
  command
      .add_flag("--no-control", no_control,
                "Make no control socket: nobody can ask this run, or change it")
      ->excludes(control_option);
  command
      .add_option("--monitor", monitor,
                  "Show the run on a page for browsers, and give its metrics; without a host, to "
                  "this machine alone; port 0: any that is free")
      ->type_name("[HOST:]PORT");
  CLI::Option* const watch =
      command
          .add_option("--watch", application.watched_file,
                      "File of parameters to set at the start and after each change of the file")
          ->type_name("FILE")
          ->check([](const std::string& file) {
            return file == "-" ? std::string("standard input cannot be watched") : std::string();
          });
  completes(watch, Completes::Yaml);
  add_number_option(
      command, "--end-patience", 0, 1e6,
      "How long GPU work may make no progress when the run is to end early; 0: no limit; left out: "
      "10, or the longest watchdog_ms of a CUDA graph if that is more",
      [this](double seconds) { end_patience = seconds; })
      ->type_name("SECONDS");
  command.add_flag("--nvtx", nvtx,
                   "Mark the ticks of entities and codelets for NVIDIA's profilers");
  command.add_flag("--check-streams", check_streams,
                   "Fail when a codelet uses the legacy default stream of CUDA");
  command.add_flag("--quiet", quiet,
                   "Do not show how far a long run has come, on the terminal or each minute in "
                   "the log");
  command.add_flag("--stats", statistics, "Measure and print ticks and time of every entity");
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
