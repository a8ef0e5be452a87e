#include "commands/run_application.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "control/control_server.hpp"
#include "schedulers/application_run.hpp"

namespace gxr::commands {
namespace {

/// Those who change parameters from outside, while an application runs.
class Controls {
 public:
  Controls(const RunChoices& choices, LiveChanges& changes) {
    try {
      if (choices.control != nullptr) {
        server_.emplace(*choices.control, changes);
      }
      if (choices.watched != nullptr) {
        watcher_.emplace(*choices.watched, *choices.document, changes);
      }
    } catch (...) {
      changes.end();  // the server may wait for components, which will never be there
      throw;
    }
  }

 private:
  std::optional<ControlServer> server_;
  std::optional<ParameterWatcher> watcher_;
};

}  // namespace

Report run_application(const Plan& plan, const RunChoices& choices,
                       InterruptSignals::Style signals) {
  std::optional<Plan> without_graphs;
  if (choices.verify) {
    without_graphs = plan_without_graphs(plan);
  }
  ApplicationRun run(without_graphs ? *without_graphs : plan, *plan.catalog, choices.options);
  run.set_verify(choices.verify);
  run.set_dot_files(choices.dot_files);
  const InterruptSignals watch([&run] { run.interrupt_by_signal(); }, signals);
  const Controls controls(choices, run.changes());
  return run.run();
}

void end_if_gpu_hangs(const Report& report, int exit_code) {
  if (report.gpu_hangs) {
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
}

}  // namespace gxr::commands
