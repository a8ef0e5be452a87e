#include "commands/plan_application.hpp"

#include "commands/commands.hpp"
#include "observe/call_site.hpp"
#include "runtime/complete_plan.hpp"

namespace gxr::commands {

std::optional<Plan> plan_regions(LoadedApplication& application, const PlanOptions& options) {
  Diagnostics& diagnostics = application.diagnostics;
  if (application.exit_code() != kDone) {
    return std::nullopt;
  }
  std::optional<Plan> plan =
      make_plan(application.graph, application.catalog, options, diagnostics);
  diagnostics.sort();
  return diagnostics.errors() == 0 ? std::move(plan) : std::nullopt;
}

std::optional<Plan> plan_application(LoadedApplication& application, const PlanOptions& options) {
  std::optional<Plan> plan = plan_regions(application, options);
  if (plan) {
    install_crash_handlers();
    complete_plan(*plan, application.diagnostics);
    application.diagnostics.sort();
  }
  return application.diagnostics.errors() == 0 ? std::move(plan) : std::nullopt;
}

}  // namespace gxr::commands
