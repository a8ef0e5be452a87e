#include "commands/run_graph.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/interrupt_signals.hpp"
#include "commands/record_run.hpp"
#include "commands/run_application.hpp"
#include "commands/run_files.hpp"
#include "commands/run_progress.hpp"
#include "commands/run_result.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "observe/run_status.hpp"
#include "observe/trace_merge.hpp"

namespace gxr::commands {
namespace {

ApplicationIdentity identity_of(const RunOptions& options) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {options.own_process(), process_name(options), options.application.names(),
          std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

/// Has the first rank's trace show all ranks, but those that may still write theirs. False when it
/// cannot be written.
bool join_traces(const std::string& trace, const RankMember& member) {
  std::vector<std::string> others;
  for (Rank other = 1; other < member.ranks(); ++other) {
    if (!member.is_silent(other)) {
      others.push_back(file_of_rank(trace, other));
    }
  }
  try {
    for (const std::string& left : merge_traces(trace, others)) {
      Log::write(LogLevel::Warn, "the trace '" + trace + "' lacks a rank: this host has no '" +
                                     left + "' of this run");
    }
    return true;
  } catch (const Error& error) {
    fail_run(error.message(), kRunFailed);
    return false;
  }
}

/// The report of a run, which may be one of several ranks: then one of them writes it. Returns the
/// exit code.
int conclude(RunEnd end, const RunOptions& options, bool written, RankMember* member) {
  if (member != nullptr) {
    std::optional<RunEnd> joint = member->join(std::move(end));
    if (!joint) {
      const int code = member->exit_code();
      return code == kDone && !written ? kRunFailed : code;
    }
    end = *std::move(joint);
    std::error_code unknown;
    const std::string& trace = options.of_rank->joint_trace;
    if (std::filesystem::exists(trace, unknown)) {
      written = join_traces(trace, *member) && written;
    }
  }
  const Report& report = end.report;
  print_report(end, options);
  const int code =
      end.exit_code != 0 ? end.exit_code : exit_code_of(report, options, end.signal, written);
  if (member != nullptr) {
    std::fflush(nullptr);
    member->finish(code);
  }
  end_if_gpu_hangs(report, code);
  return code;
}

}  // namespace

int fail_rank(RankMember& member, Failure failure, FailurePlace place, const RunOptions& options,
              int exit_code) {
  RunEnd end;
  end.exit_code = exit_code;
  end.report.reason = EndReason::Failed;
  end.report.ran = false;
  if (failure.type.empty()) {
    failure.type = "gxr";
    failure.method = "load";
  }
  end.report.failures.push_back(std::move(failure));
  end.places.push_back(std::move(place));
  member.await_others(end.report);
  return conclude(std::move(end), options, false, &member);
}

int run_graph(PlannedApplication& planned, const Document& document, const RunOptions& options,
              RankMember* member) {
  const Plan& plan = planned.plan;
  std::unique_ptr<RunFiles> files;
  try {
    files = std::make_unique<RunFiles>(plan, options);
  } catch (const Error& error) {
    return member != nullptr ? fail_rank(*member, failure_of(error), {}, options, kUsage)
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
    if (member == nullptr) {
      return fail_run(failure.what(), kUsage);
    }
    return fail_rank(*member, failure_of({ErrorCode::InvalidArgument, failure.what()}), {}, options,
                     kUsage);
  } catch (...) {
    static_cast<void>(files->write_trace());
    throw;
  }
  const bool written = files->write_trace();
  files.reset();  // the process may end at once
  return conclude(std::move(end), options, written, member);
}

}  // namespace gxr::commands
