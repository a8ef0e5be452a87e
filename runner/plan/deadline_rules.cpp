#include "plan/deadline_rules.hpp"

#include "graph/text.hpp"

namespace gxr {

void check_deadlines(const Graph& graph, const RegionOf& region_of, Diagnostics& diagnostics) {
  for (const GraphEntity& entity : graph.entities) {
    if (entity.deadline && region_of[entity.id] != kNone) {
      diagnostics.add(DiagnosticCode::RegionDeadline, entity.where, 1,
                      "the deadline of " + in_quotes(entity.name) +
                          " is not measured: it belongs to a CUDA graph",
                      "measure the entities around the graph, or its iterations by "
                      "'iteration_timeout_us'");
    }
  }
}

}  // namespace gxr
