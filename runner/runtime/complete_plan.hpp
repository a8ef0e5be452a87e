#pragma once

#include <memory>

#include "document/diagnostics.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "plan/shapes.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Finds out the shapes in the CUDA-graph regions of a plan, if it has any: makes all components of
/// the application and sets their parameters, without initialising them, and asks the operators.
/// Returns the components, for the run of the plan; null when there was nobody to ask. Loads the
/// extensions that the application uses. Throws Error when one cannot be loaded, ComponentFailure
/// when a constructor or a parameter fails. An application that is a CUDA graph by default is left
/// to the CPU instead, also where operators do not know all shapes.
GXR_INTERNAL_API std::unique_ptr<Instance> complete_plan(Plan& plan, Diagnostics& diagnostics);

/// For a run of a plan that complete_plan() has completed: an application that is a CUDA graph by
/// default runs on the CPU if no GPU can be used. Logs what is chosen.
GXR_INTERNAL_API void settle_default_graph(Plan& plan, Diagnostics& diagnostics);

/// The tensors that arrive at receivers, as far as codelets say, also without CUDA graphs.
/// Throws likewise.
GXR_INTERNAL_API ArrivingSpecs infer_messages(Plan& plan, Diagnostics& diagnostics);

}  // namespace gxr
