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
  for (const ReportProblem& problem : problems_of(report)) {
    const bool is_error = problem.kind == ReportProblem::Kind::Error;
    Log::record(is_error ? LogLevel::Error : LogLevel::Warn, problem.text,
                {problem.entity, problem.component});
  }
  Log::record(report.reason == EndReason::Failed ? LogLevel::Error : LogLevel::Info,
              render_end(report));
}

}  // namespace gxr::commands
