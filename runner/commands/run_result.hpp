#pragma once

#include <string>

#include "commands/load.hpp"
#include "commands/run_application.hpp"
#include "commands/run_options.hpp"
#include "gxr/error.hpp"
#include "gxr/report.hpp"
#include "observe/report_text.hpp"

namespace gxr::commands {

// The words of `gxr run` about a run, and its exit codes.

/// Is the report data on standard output?
bool is_json(const RunOptions& options);
/// `signal`: that asked for the end first; 0: none did. `written`: all files that the options name
/// are written.
int exit_code_of(const Report& report, const RunOptions& options, int signal, bool written);
/// Of a SIGTERM before anything runs.
int code_of_early_sigterm();
/// Of a run with this exit code: lines that the log has lost are a failure.
int code_with_log(int code);

void print_report(const RunEnd& end, const RunOptions& options);
/// Problems of an application that can run.
void report_diagnostics(const LoadedApplication& application);
/// Those of one that cannot; returns the exit code.
int report_errors(const LoadedApplication& application, const RunOptions& options);

/// An error of gxr itself: on standard error, and in the log file. Returns the code.
int fail_run(const std::string& text, int code);
/// The same before anything ran: a report as data has it, too.
int fail_with_report(Failure failure, const std::string& text, const RunOptions& options, int code,
                     const FailurePlace& place = {});
Failure failure_of(const Error& error);

}  // namespace gxr::commands
