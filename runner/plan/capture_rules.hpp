#pragma once

#include <string>
#include <vector>

#include "device/graph_options.hpp"
#include "document/diagnostics.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Why an entity cannot be a part of a CUDA graph.
struct CaptureObstacle {
  EntityId entity = kNone;
  DiagnosticCode code = DiagnosticCode::NotCapturable;
  Location where;  ///< what stands in the way
  std::uint32_t length = 1;
  std::string reason;  ///< half a sentence about the entity: "its codelet 'x' is not capturable"
  std::string hint;
};

/// Finds the reasons that keep the entity out of a region. `host_driven`: a program drives it, and
/// may write inputs that nothing is connected to.
void find_obstacles(const WorkGraph& work, EntityId entity, bool host_driven,
                    std::vector<CaptureObstacle>& found);

/// Which entities are in which region: a number, or kNone.
using RegionOf = std::vector<std::uint32_t>;

/// What keeps entities out of this region as it is, which runs in this mode: cycles, and what is
/// allowed only at the edge of a region, or only inside.
void find_obstacles_inside(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
                           const std::vector<EntityId>& members, GraphMode mode,
                           std::vector<CaptureObstacle>& found);

}  // namespace gxr
