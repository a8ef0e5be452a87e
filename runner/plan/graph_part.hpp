#pragma once

#include <optional>
#include <vector>

#include "document/diagnostics.hpp"
#include "plan/capture_rules.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// What is asked of CUDA graphs beside what the executors of the files say.
struct GraphRequest {
  std::optional<GraphMode> mode;  ///< of all regions, whatever the files say
  bool everywhere = false;        ///< a region for every connected set that is left
  bool chooses_mode = false;      ///< the planner chooses the mode of each region
};

/// The part of a plan that belongs to CUDA graphs. Numbers of regions are those in the plan, where
/// the region of the CPU comes first.
struct GraphPart {
  RegionOf region_of;  ///< by entity; kNone: on the CPU
  std::vector<Region> regions;
  std::vector<Bridge> bridges;
  std::vector<Placement> placements;
};

/// Makes that part; without regions when a mistake was reported.
GraphPart plan_graphs(const Plan& plan, const GraphRequest& request, Diagnostics& diagnostics);

}  // namespace gxr
