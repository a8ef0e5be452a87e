#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "plan/plan.hpp"
#include "plan/plan_lines.hpp"

namespace gxr {

/// "by measure/out", "every 4 iterations from number 2 on".
std::string decision_text(const Graph& graph, const GraphBranch& branch);
/// "launched as a sibling", "in the iteration"; empty when no launch was asked for.
std::string launch_text(const GraphRegion& region, const GraphBranch& branch);
/// A CUDA-graph region behind its title: steps, buffers, arena.
void render_graph_region(const Plan& plan, const Region& region, PlanLines& lines);
/// The same as JSON.
nlohmann::ordered_json graph_region_as_json(const Plan& plan, const Region& region);

}  // namespace gxr
