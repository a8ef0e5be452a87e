#include "commands/run_application.hpp"

#include "schedulers/application_run.hpp"

namespace gxr::commands {

Report run_application(const Plan& plan, const RunChoices& choices,
                       InterruptSignals::Style signals) {
  ApplicationRun run(plan, *plan.catalog, choices.options);
  run.set_verify(choices.verify);
  const InterruptSignals watch([&run] { run.interrupt_by_signal(); }, signals);
  return run.run();
}

}  // namespace gxr::commands
