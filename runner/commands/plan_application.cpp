#include "commands/plan_application.hpp"

#include <cstdlib>
#include <new>

#include "commands/commands.hpp"
#include "observe/call_site.hpp"
#include "runtime/complete_plan.hpp"

namespace gxr::commands {
namespace {

/// CUDA may wait for all work of a device when it loads a kernel, so for the end of a graph that
/// loops. It reads the variable when it is first used. Only an executable may set it, and only
/// while it has one thread and no code of an extension has run: setenv() races with getenv().
void load_kernels_early(const Plan& plan) {
  if (has_resident_region(plan)) {
    static_cast<void>(::setenv("CUDA_MODULE_LOADING", "EAGER", 0));
  }
}

}  // namespace

std::optional<Plan> plan_regions(LoadedApplication& application, const PlanOptions& options) {
  Diagnostics& diagnostics = application.diagnostics;
  if (application.exit_code() != kDone) {
    return std::nullopt;
  }
  std::optional<Plan> plan;
  try {
    plan = make_plan(application.graph, application.catalog, options, diagnostics);
  } catch (const std::bad_alloc&) {
    application.report_no_memory("plan");
  }
  diagnostics.sort();
  return diagnostics.errors() == 0 ? std::move(plan) : std::nullopt;
}

std::optional<Plan> plan_known_types(const LoadedApplication& application,
                                     const PlanOptions& options) {
  Diagnostics of_graphs;  // there are none: what can be captured is not known
  return make_plan(application.graph, application.catalog, options, of_graphs);
}

std::optional<PlannedApplication> plan_application(LoadedApplication& application,
                                                   const PlanOptions& options) {
  std::optional<PlannedApplication> planned;
  if (std::optional<Plan> plan = plan_regions(application, options)) {
    planned.emplace(PlannedApplication{*std::move(plan), nullptr});
    install_crash_handlers();
    load_kernels_early(planned->plan);
    try {
      planned->components = complete_plan(planned->plan, application.diagnostics);
    } catch (const std::bad_alloc&) {
      application.report_no_memory("plan");
    }
    application.diagnostics.sort();
  }
  return application.diagnostics.errors() == 0 ? std::move(planned) : std::nullopt;
}

std::optional<Plan> plan_with_shapes(LoadedApplication& application, const PlanOptions& options) {
  std::optional<PlannedApplication> planned = plan_application(application, options);
  return planned ? std::optional(std::move(planned->plan)) : std::nullopt;
}

}  // namespace gxr::commands
