#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "commands/gxe_flags.hpp"
#include "commands/load.hpp"
#include "commands/plan_application.hpp"
#include "commands/python_process.hpp"
#include "commands/run_application.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"
#include "observe/report_text.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

void say(const std::string& text) { Log::write(LogLevel::Info, text); }
void complain(const std::string& text) { Log::write(LogLevel::Error, text); }

/// GXF's numbers; its "verbose" is our "debug".
LogLevel level_of_severity(int severity) {
  constexpr LogLevel levels[] = {LogLevel::Off,  LogLevel::Error, LogLevel::Warn,
                                 LogLevel::Info, LogLevel::Debug, LogLevel::Debug};
  return levels[severity];
}

/// From GXF_LOG_LEVEL; empty when that has a value that is no level.
std::optional<LogLevel> level_of_environment() {
  const char* value = std::getenv("GXF_LOG_LEVEL");
  if (value == nullptr) {
    return LogLevel::Info;
  }
  const std::string name = lower_case(value);
  constexpr std::string_view names[] = {"none", "error", "warning", "info", "debug", "verbose"};
  const auto* const found = std::ranges::find(names, name);
  return found == std::end(names)
             ? std::nullopt
             : std::optional(level_of_severity(static_cast<int>(found - std::begin(names))));
}

/// Names between commas; a trailing comma is harmless, an empty name elsewhere is not.
std::vector<std::string> split(const std::string& list, const std::string& prefix) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) {
      throw Error(ErrorCode::InvalidArgument, "'" + list + "' has an empty file name in it");
    }
    names.push_back(prefix + list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

ApplicationOptions options_of(const GxeFlags& flags) {
  if (flags.app.empty()) {
    throw Error(ErrorCode::InvalidArgument, "no application: use -app");
  }
  if (flags.manifest.empty()) {
    throw Error(ErrorCode::InvalidArgument, "no manifest: use -manifest");
  }
  ApplicationOptions options;
  options.files =
      split(flags.app, flags.graph_directory.empty() ? "" : flags.graph_directory + "/");
  options.manifests = split(flags.manifest, "");
  options.root = flags.app_root;
  options.parameters = flags.parameters;
  options.compat_gxf = true;
  return options;
}

/// A diagnostic as a line of the log, at the place in the file that it is about.
void log_diagnostic(const Diagnostic& diagnostic, const SourceMap& sources) {
  std::string text = diagnostic.text;
  if (!diagnostic.hint.empty()) {
    text += " (" + diagnostic.hint + ")";
  }
  std::ranges::replace(text, '\n', ' ');
  text += std::string(" [") + info(diagnostic.code).name + "]";
  const LogLevel level = diagnostic.severity == Severity::Error ? LogLevel::Error : LogLevel::Warn;
  Log::write_at(level, sources.at(diagnostic.where.source).name, diagnostic.where.line, text);
}

/// What GXF looks at only when it activates the graph, which -norun leaves out.
bool is_found_at_activation(DiagnosticCode code) {
  return code == DiagnosticCode::ParameterMissing || code == DiagnosticCode::MissingClock;
}

bool is_loaded(const LoadedApplication& application, bool run) {
  return std::ranges::none_of(application.diagnostics.all(), [&](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error &&
           (run || !is_found_at_activation(diagnostic.code));
  });
}

void log_lines(LogLevel level, const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) {
      Log::write(level, text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
}

int run(PlannedApplication& planned, const Document& document) {
  say("running");
  RunChoices choices;
  choices.document = &document;
  choices.options.compat_gxf = true;
  const Report report = run_application(planned, choices, InterruptSignals::Style::Gxe).report;
  const bool failed = report.reason == EndReason::Failed;
  log_lines(failed ? LogLevel::Error : LogLevel::Warn, render_problems(report));
  log_lines(failed ? LogLevel::Error : LogLevel::Info, render_end(report));
  say("deactivated, ending");
  end_if_gpu_hangs(report, kRunFailed);
  return failed ? kRunFailed : kDone;
}

int load_and_run(const GxeFlags& flags) {
  const ApplicationOptions options = options_of(flags);
  if (!has_continued_in_python()) {
    say("loading manifest '" + flags.manifest + "' and application '" + flags.app + "'");
  }
  const auto application = load_application(options);
  std::optional<PlannedApplication> planned;
  if (flags.run) {
    planned = plan_application(*application, {});
  }
  for (const Diagnostic& diagnostic : application->diagnostics.all()) {
    log_diagnostic(diagnostic, application->document.sources());
  }
  if (!is_loaded(*application, flags.run)) {
    complain("the application cannot be run");
    return kRunFailed;
  }
  return planned ? run(*planned, application->document) : kDone;
}

}  // namespace

int gxe(const std::vector<std::string>& arguments) {
  Log::configure_like_gxf(LogLevel::Info, {});
  try {
    const GxeFlags flags = read_gxe_flags(arguments);
    if (flags.help) {
      std::fputs(gxe_usage().c_str(), stdout);
      return kRunFailed;  // as in GXF
    }
    if (flags.version) {
      std::printf("gxe of gxr %s, for applications of GXF 4.1\n", GXR_VERSION);
      return kDone;
    }
    const std::optional<LogLevel> level =
        flags.severity >= 0 ? level_of_severity(flags.severity) : level_of_environment();
    if (!level) {
      throw Error(ErrorCode::InvalidArgument,
                  "GXF_LOG_LEVEL must be VERBOSE, DEBUG, INFO, WARNING, ERROR or NONE");
    }
    Log::configure_like_gxf(*level, flags.log_file_path);
    const int code = load_and_run(flags);
    return Log::has_lost_lines() ? kRunFailed : code;
  } catch (const Error& error) {
    complain(error.message());
    return kRunFailed;
  } catch (const ComponentFailure& failure) {
    complain(describe(failure.failure()));
    return kRunFailed;
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return kRunFailed;
  }
}

}  // namespace gxr::commands
