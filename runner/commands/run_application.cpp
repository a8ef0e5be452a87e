#include "commands/run_application.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "schedulers/application_run.hpp"

namespace gxr::commands {

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
  return run.run();
}

void end_if_gpu_hangs(const Report& report, int exit_code) {
  if (report.gpu_hangs) {
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
}

}  // namespace gxr::commands
