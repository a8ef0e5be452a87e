#pragma once

#include <memory>
#include <optional>

#include "commands/load.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {

/// A plan, and the components that were asked for it, which run_application() takes over.
struct PlannedApplication {
  Plan plan;
  std::unique_ptr<Instance> components;  ///< null: none were made
};

/// The plan of an application, with the shapes in its CUDA-graph regions; what stands in the way is
/// added to the application's diagnostics. Nothing when the application has errors, before or
/// after. Runs code of extensions when there are such regions. Throws Error when an executor is not
/// there, or an extension cannot be loaded, ComponentFailure when a component cannot be made.
std::optional<PlannedApplication> plan_application(LoadedApplication& application,
                                                   const PlanOptions& options);
/// The same without the components.
std::optional<Plan> plan_with_shapes(LoadedApplication& application, const PlanOptions& options);
/// The same without shapes, which runs no code of any extension.
std::optional<Plan> plan_regions(LoadedApplication& application, const PlanOptions& options);
/// What can be said of an application that lacks_types(): who runs on the CPU. Runs no code. Throws
/// Error when an executor is not there.
std::optional<Plan> plan_known_types(const LoadedApplication& application,
                                     const PlanOptions& options);

}  // namespace gxr::commands
