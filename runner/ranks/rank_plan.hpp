#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "plan/shapes.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

/// A connection from one rank to another.
struct RankLink {
  Link link;
  Rank from = 0;
  Rank to = 0;
  std::optional<TensorSpec> tensor;  ///< that its messages carry, if that is known before the run
};

/// How an application is spread over ranks.
struct RankPlan {
  const Graph* graph = nullptr;
  RankMap map;
  std::vector<RankLink> links;  ///< in the order of the graph's
};

/// Plans the application for `ranks` ranks. The rank plan is complete only when there are no
/// errors.
GXR_INTERNAL_API RankPlan make_rank_plan(const Plan& plan, const Document& document, Rank ranks,
                                         Diagnostics& diagnostics);
/// Adds what arrives behind its connections.
GXR_INTERNAL_API void add_tensors(const ArrivingSpecs& arriving, RankPlan& plan);

/// "--place counts more than the application: 'sink' is on rank 0, not 1"; "" when it moves no
/// entity.
GXR_INTERNAL_API std::string text_of_moved(const RankPlan& plan);
/// The rank plan as text for people.
GXR_INTERNAL_API std::string render_rank_plan(const RankPlan& plan);
/// The rank plan as JSON.
GXR_INTERNAL_API std::string render_rank_plan_json(const RankPlan& plan);

}  // namespace gxr
