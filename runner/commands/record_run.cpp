#include "commands/record_run.hpp"

#include <string_view>

#include <unistd.h>

#include "graph/graph.hpp"
#include "observe/log.hpp"
#include "observe/report_text.hpp"

namespace gxr::commands {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + (name == "-" ? "standard input" : name);
  }
  return text;
}

/// "gxr::GreedyScheduler", or nothing for an application without a scheduler.
std::string_view scheduler_of(const Plan& plan) {
  const bool has_main = !plan.regions.empty() && plan.regions.front().declared_by != kNone;
  return has_main ? plan.graph->components[plan.regions.front().declared_by].type_name
                  : std::string_view();
}

/// Cuts the prefix off when the text begins with it.
bool take(std::string_view& text, std::string_view prefix) {
  const bool found = text.starts_with(prefix);
  text.remove_prefix(found ? prefix.size() : 0);
  return found;
}

/// One problem of a report: a line, and indented ones that belong to it.
void record_problem(std::string_view text) {
  if (take(text, "error: ")) {
    Log::record(LogLevel::Error, text);
  } else {
    take(text, "warning: ");
    Log::record(LogLevel::Warn, text);
  }
}

void record_problems(std::string_view text) {
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    while (end < text.size() - 1 && text[end + 1] == ' ') {
      end = text.find('\n', end + 1);
    }
    record_problem(text.substr(0, end));
    text.remove_prefix(end < text.size() ? end + 1 : text.size());
  }
}

}  // namespace

void record_start(const Plan& plan, const std::vector<std::string>& files) {
  const std::string_view scheduler = scheduler_of(plan);
  Log::record(LogLevel::Info, "gxr " GXR_VERSION " (process " + std::to_string(::getpid()) +
                                  ") runs " + list_of(files) +
                                  (scheduler.empty() ? "" : " on " + std::string(scheduler)));
}

void record_diagnostics(const Diagnostics& diagnostics, const SourceMap& sources) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    std::string text = sources.describe(diagnostic.where) + ": " + diagnostic.text;
    text += diagnostic.hint.empty() ? "" : " (" + diagnostic.hint + ")";
    text += std::string(" [") + info(diagnostic.code).name + "]";
    Log::record(diagnostic.severity == Severity::Error ? LogLevel::Error : LogLevel::Warn, text);
  }
}

void record_end(const Report& report) {
  record_problems(render_problems(report));
  Log::record(report.reason == EndReason::Failed ? LogLevel::Error : LogLevel::Info,
              render_end(report));
}

}  // namespace gxr::commands
