#include "commands/plan_application.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "commands/commands.hpp"
#include "commands/python_process.hpp"
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

namespace {

bool has_graph(const Plan& plan) {
  return std::ranges::any_of(plan.regions,
                             [](const Region& region) { return region.graph.has_value(); });
}

std::optional<PlannedApplication> complete(LoadedApplication& application, Plan plan) {
  std::optional<PlannedApplication> planned(PlannedApplication{std::move(plan), nullptr});
  install_crash_handlers();
  load_kernels_early(planned->plan);
  try {
    planned->components = complete_plan(planned->plan, application.diagnostics);
  } catch (const std::bad_alloc&) {
    application.report_no_memory("plan");
  }
  application.diagnostics.sort();
  return application.diagnostics.errors() == 0 ? std::move(planned) : std::nullopt;
}

}  // namespace

std::optional<PlannedApplication> plan_application(LoadedApplication& application,
                                                   const PlanOptions& options) {
  std::optional<Plan> plan = plan_regions(application, options);
  if (!plan) {
    return std::nullopt;
  }
  continue_in_python(application);
  return complete(application, *std::move(plan));
}

std::optional<Plan> plan_with_shapes(LoadedApplication& application, const PlanOptions& options) {
  std::optional<Plan> plan = plan_regions(application, options);
  if (!plan) {
    return std::nullopt;
  }
  if (has_graph(*plan)) {  // the components are asked for their shapes
    continue_in_python(application);
  }
  std::optional<PlannedApplication> planned = complete(application, *std::move(plan));
  return planned ? std::optional(std::move(planned->plan)) : std::nullopt;
}

}  // namespace gxr::commands
