#pragma once

#include "document/diagnostics.hpp"
#include "gxr/graph_operator.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Where the planner finds the operators: live objects whose parameters are set.
class ShapeSource {
 public:
  virtual ~ShapeSource() = default;
  /// The operator that this codelet is. Throws Error when its library cannot be loaded.
  virtual GraphOperator& graph_operator(ComponentId codelet) = 0;
};

/// Asks every operator of a CUDA-graph region what its outputs are, in order, and lays out the
/// arenas of the regions of which all is known then. Specs that tensors of regions have already, of
/// `inputs` or of a first message, are kept. What operators throw is reported with operator and
/// port; one that says Error(NotAvailable) leaves its outputs unknown.
void infer_shapes(Plan& plan, ShapeSource& source, Diagnostics& diagnostics);

}  // namespace gxr
