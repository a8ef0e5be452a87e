#include "commands/run_application.hpp"

#include <algorithm>
#include <string>

#include "graph/roles.hpp"
#include "gxr/error.hpp"
#include "plan/plan.hpp"
#include "schedulers/application_run.hpp"

namespace gxr::commands {
namespace {

/// Only --compat gxf lets such a graph come this far.
bool has_no_scheduler(const LoadedApplication& application) {
  Roles roles(application.catalog);
  return std::ranges::none_of(application.graph.components, [&](const GraphComponent& component) {
    return roles.has(component, Role::Scheduler);
  });
}

/// Throws Error(NotSupported) for a plan that this build cannot run.
void require_executor(const Plan& plan) {
  const ExecutorKind kind = plan.regions.front().executor;
  if (kind == ExecutorKind::Graph || kind == ExecutorKind::Resident) {
    throw Error(ErrorCode::NotSupported,
                std::string("the application asks for the executor '") + to_string(kind) +
                    "', which this build cannot run; it has: greedy, threads, events");
  }
}

}  // namespace

Report run_application(const LoadedApplication& application, const std::string& executor,
                       const ExecutorOptions& options, InterruptSignals::Style signals) {
  const Plan plan = make_plan(application.graph, application.catalog, {executor});
  require_executor(plan);
  ApplicationRun run(plan, application.catalog, options);
  const InterruptSignals watch([&run] { run.interrupt_by_signal(); }, signals);
  // GXF activates such a graph, runs nothing, and calls it a success.
  const bool idle = executor.empty() && has_no_scheduler(application);
  if (idle) {
    run.interrupt();
  }
  Report report = run.run();
  if (idle && report.reason == EndReason::Interrupted && !report.by_signal) {
    report.reason = EndReason::Completed;
  }
  return report;
}

}  // namespace gxr::commands
