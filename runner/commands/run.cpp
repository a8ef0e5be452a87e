#include "commands/run.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
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

/// nullptr: a file cannot be opened, which is said on standard error.
std::unique_ptr<RunFiles> open_files(const Plan& plan, const RunOptions& options) {
  try {
    return std::make_unique<RunFiles>(plan, options);
  } catch (const Error& error) {
    fail_with_report(failure_of(error), error.what(), options, kUsage);
    return nullptr;
  }
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

/// Runs a plan without errors, which was made of `document`: of one rank of several if `member` is
/// there.
int run_graph(PlannedApplication& planned, const Document& document, const RunOptions& options,
              RankMember* member = nullptr) {
  const Plan& plan = planned.plan;
  std::unique_ptr<RunFiles> files = open_files(plan, options);
  if (files == nullptr) {
    return kUsage;
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

/// A failure of gxr itself in one rank: all end.
int fail_rank(RankMember& member, Failure failure, FailurePlace place, const RunOptions& options) {
  RunEnd end;
  end.report.reason = EndReason::Failed;
  end.report.ran = false;
  end.report.failures.push_back(std::move(failure));
  end.places.push_back(std::move(place));
  return conclude(std::move(end), options, true, &member);
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

/// What one process of several does, from the whole application on.
int run_rank(Rank rank, std::vector<FileDescriptor> sockets, LoadedApplication& application,
             Plan whole, RankPlan ranks, const RunOptions& all_options) {
  const RunOptions options = options_of_rank(all_options, rank);
  InterruptSignals::catch_early(is_asked_by_service_manager(SIGTERM) ? kDone : kSignal);
  const Graph graph = std::exchange(application.graph, {});
  whole.graph = &graph;
  ranks.graph = &graph;
  RankMember member(rank, std::move(sockets), whole, ranks, application.catalog);
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

/// Spreads an application over processes of this host.
int run_ranks(LoadedApplication& application, const RunOptions& options) {
  Diagnostics& diagnostics = application.diagnostics;
  const std::optional<Plan> plan = plan_regions(application, {options.application.executor});
  std::optional<RankPlan> ranks;
  if (plan) {
    ranks = make_rank_plan(*plan, application.document, options.application.ranks, diagnostics);
    diagnostics.sort();
  }
  if (!ranks || diagnostics.errors() > 0) {
    if (is_json(options)) {
      record_diagnostics(diagnostics, application.document.sources());
      print_diagnostics_as_json(application);
    } else {
      report_diagnostics(application);
    }
    return application.exit_code();
  }
  report_diagnostics(application);
  if (application.catalog.has_python()) {
    throw Error(ErrorCode::NotSupported,
                "--ranks: operators that are written in Python run in one process only");
  }
  RunOptions own = options;
  own.process = ::getpid();
  return launch_ranks(options.application.ranks,
                      [&](Rank rank, std::vector<FileDescriptor> sockets) {
                        return run_rank(rank, std::move(sockets), application, *plan, *ranks, own);
                      });
}

int load_and_run(const RunOptions& options) {
  const auto application = load_application(options.application);
  bool printed = false;
  try {
    if (options.application.ranks > 0) {
      printed = true;
      return run_ranks(*application, options);
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
