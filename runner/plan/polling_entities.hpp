#pragma once

#include <cstdint>
#include <vector>

#include "plan/capture_rules.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Which entities of a region run whenever its loop polls for input: those with a
/// gxr::cuda::DataReadyHandler, and those of the region that feed them. By EntityId.
std::vector<bool> polling_entities(const WorkGraph& work, const RegionOf& region_of,
                                   std::uint32_t region, const std::vector<EntityId>& members);

}  // namespace gxr
