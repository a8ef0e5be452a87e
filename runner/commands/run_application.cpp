#include "commands/run_application.hpp"

#include "plan/plan.hpp"
#include "schedulers/application_run.hpp"

namespace gxr::commands {

Report run_application(const LoadedApplication& application, const RunChoices& choices,
                       InterruptSignals::Style signals) {
  const Plan plan = make_plan(application.graph, application.catalog, {choices.executor});
  ApplicationRun run(plan, application.catalog, choices.options);
  run.set_verify(choices.verify);
  const InterruptSignals watch([&run] { run.interrupt_by_signal(); }, signals);
  return run.run();
}

}  // namespace gxr::commands
