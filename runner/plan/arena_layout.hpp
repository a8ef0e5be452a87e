#pragma once

#include "plan/graph_region.hpp"

namespace gxr {

/// Gives the tensors and the scratch memory of a region their places in its arena, when all sizes
/// are known: GraphRegion::laid_out says whether they are. Memory is shared as far as the order of
/// the steps lets it; see plan_memory().
void lay_out_arena(GraphRegion& region);

}  // namespace gxr
