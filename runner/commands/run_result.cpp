#include "commands/run_result.hpp"

#include <csignal>
#include <cstdio>
#include <utility>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/record_run.hpp"
#include "document/utf8.hpp"
#include "observe/log.hpp"
#include "system/service_manager.hpp"

namespace gxr::commands {
namespace {

/// A service manager that asks for the end by SIGTERM takes any other code for a failure.
bool is_asked_by_service_manager(int signal) { return signal == SIGTERM && has_service_manager(); }

/// GXF passes over a deadlock.
bool forgives_deadlock(const RunOptions& options) {
  return options.deadlock_ok || (options.application.compat_gxf && !options.strict_end);
}

/// As far as the way of the end goes.
int code_of_end(const Report& report, const RunOptions& options, int signal) {
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

}  // namespace

bool is_json(const RunOptions& options) { return options.format == "json"; }

int exit_code_of(const Report& report, const RunOptions& options, int signal, bool written) {
  const int code = code_of_end(report, options, signal);
  return code == kDone && (!written || verified_nothing(report)) ? kRunFailed : code;
}

int code_of_early_sigterm() { return is_asked_by_service_manager(SIGTERM) ? kDone : kSignal; }

int code_with_log(int code) { return code == kDone && Log::has_lost_lines() ? kRunFailed : code; }

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

void report_diagnostics(const LoadedApplication& application) {
  record_diagnostics(application.diagnostics, application.document.sources());
  if (!Log::replaces_text()) {
    print_diagnostics(application);
  }
}

int report_errors(const LoadedApplication& application, const RunOptions& options) {
  if (is_json(options)) {
    record_diagnostics(application.diagnostics, application.document.sources());
    print_diagnostics_as_json(application);
  } else {
    report_diagnostics(application);
  }
  return application.exit_code();
}

int fail_run(const std::string& text, int code) {
  if (!Log::replaces_text()) {
    print_error(text);
  }
  Log::record(LogLevel::Error, text);
  return code;
}

int fail_with_report(Failure failure, const std::string& text, const RunOptions& options, int code,
                     const FailurePlace& place) {
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

Failure failure_of(const Error& error) {
  Failure failure;
  failure.text = error.message();
  failure.code = error.code();
  return failure;
}

}  // namespace gxr::commands
