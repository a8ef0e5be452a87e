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
/// when a constructor or a parameter fails.
GXR_INTERNAL_API std::unique_ptr<Instance> complete_plan(Plan& plan, Diagnostics& diagnostics);

/// The tensors that arrive at receivers, as far as codelets say, also without CUDA graphs.
/// Throws likewise.
GXR_INTERNAL_API ArrivingSpecs infer_messages(Plan& plan, Diagnostics& diagnostics);

}  // namespace gxr
