#include "commands/run_application.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "control/control_server.hpp"
#include "executors/application_run.hpp"
#include "graph/failure_place.hpp"
#include "graph/file_beside.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

/// Those who change parameters from outside, while an application runs.
class Controls {
 public:
  Controls(const RunChoices& choices, LiveChanges& changes) {
    const char* option = "--control: ";
    try {
      if (choices.control != nullptr) {
        server_.emplace(*choices.control, changes);
      }
      option = "--watch: ";
      if (choices.watched != nullptr) {
        watcher_.emplace(*choices.watched, *choices.document, changes);
      }
    } catch (const Error& error) {
      changes.end();  // the server may wait for components, which will never be there
      throw OptionFailure(option + error.message());
    }
  }

 private:
  std::optional<ControlServer> server_;
  std::optional<ParameterWatcher> watcher_;
};

}  // namespace

RunEnd run_application(PlannedApplication& planned, const RunChoices& choices,
                       InterruptSignals::Style style) {
  const Plan& plan = planned.plan;
  std::optional<Plan> without_graphs;
  if (choices.verify) {
    without_graphs = plan_without_graphs(plan);
  }
  ApplicationRun run(without_graphs ? *without_graphs : plan, *plan.catalog, choices.options);
  run.set_verify(choices.verify);
  run.take_components(std::move(planned.components));
  run.set_dot_files(choices.dot_files);
  InterruptSignals signals(run, style);
  run.run_alone([&signals](const std::string& why) { signals.end_hanging_run(why); });
  const Controls controls(choices, run.changes());
  RunEnd end{run.run(), {}, 0};
  for (Failure& failure : end.report.failures) {
    end.places.push_back(find_place(*plan.graph, choices.document->sources(), failure));
    explain_missing_file(*plan.graph, choices.document->sources(), failure);
  }
  end.signal = signals.first();
  return end;
}

FailurePlace find_place(const Graph& graph, const SourceMap& sources, const Failure& failure) {
  const std::optional<WrittenPlace> found = place_of(graph, sources, failure);
  if (!found) {
    return {};
  }
  return {render_place(sources, found->where, found->length), sources.at(found->where.source).name,
          found->where.line, found->where.column};
}

void end_if_gpu_hangs(const Report& report, int exit_code) {
  if (report.gpu_hangs) {
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
}

}  // namespace gxr::commands
