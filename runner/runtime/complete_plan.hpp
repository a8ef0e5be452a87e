#pragma once

#include "document/diagnostics.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Finds out the shapes in the CUDA-graph regions of a plan, if it has any: makes all components of
/// the application and sets their parameters, without initialising them, asks the operators, and
/// lets the components go. Loads the extensions that the application uses. Throws Error when one
/// cannot be loaded, ComponentFailure when a constructor or a parameter fails.
GXR_INTERNAL_API void complete_plan(Plan& plan, Diagnostics& diagnostics);

}  // namespace gxr
