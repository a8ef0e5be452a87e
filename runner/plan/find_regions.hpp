#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "plan/capture_rules.hpp"
#include "plan/graph_executors.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// The entities of a CUDA-graph region, and how it is to run.
struct RegionMembers {
  std::string name;
  const GraphComponent* declared_by = nullptr;  ///< a GraphExecutor, or null
  GraphOptions options;
  std::vector<EntityId> entities;  ///< ascending
};

struct RegionSearch {
  std::vector<RegionMembers> regions;
  RegionOf region_of;                ///< an index in `regions`, by entity
  std::vector<std::string> reasons;  ///< why each entity is where it is; half a sentence
};

/// The regions that the executors of the files ask for, and, with `everywhere`, one for every
/// connected set of capturable operators that is left; its mode is `mode`. An entity that an
/// executor names and that cannot be in a region is reported; one that none names is left out and
/// has its reason in `reasons`.
RegionSearch find_regions(const WorkGraph& work, const std::vector<GraphExecutorEntry>& executors,
                          std::optional<GraphMode> mode, bool everywhere, Diagnostics& diagnostics);

}  // namespace gxr
