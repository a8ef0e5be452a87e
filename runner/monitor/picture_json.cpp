#include "monitor/picture_json.hpp"

#include <array>
#include <cstddef>

#include <nlohmann/json.hpp>

#include "graph/draw.hpp"
#include "graph/drawing.hpp"
#include "graph/graphviz.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "plan/draw_plan.hpp"
#include "plan/graph_executors.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

// What Graphviz lays out within a second or so.
constexpr std::size_t kMostNodes = 150;
constexpr std::size_t kMostEdges = 300;

constexpr std::array<const char*, 4> kKinds = {"operator", "source", "sink", "remote"};

/// The name by which the status knows the entity of a node; null: it does not.
Json status_name(const Plan& plan, const Drawing::Node& node,
                 const std::vector<std::size_t>& regions) {
  if (node.entity == kNone) {
    return {};
  }
  const std::size_t region = regions[node.entity];
  return region == kNoRegion ? plan.graph->entities[node.entity].name : plan.regions[region].name;
}

Json node_json(const Plan& plan, const Drawing::Node& node,
               const std::vector<std::size_t>& regions) {
  const bool is_remote = node.entity == kNone;
  return {{"name", is_remote ? node.name : plan.graph->entities[node.entity].name},
          {"label", node.short_name},
          {"types", node.types},
          {"kind", kKinds[static_cast<std::size_t>(node.kind)]},
          {"status", status_name(plan, node, regions)}};
}

/// "entity/component", as the status calls it.
Json queue_name(const Plan& plan, const Drawing::Node& node, const std::string& port) {
  return node.entity == kNone || port.empty()
             ? Json()
             : Json(plan.graph->entities[node.entity].name + "/" + port);
}

Json edge_json(const Plan& plan, const Drawing& drawing, const Drawing::Edge& edge) {
  return {{"from", edge.from},
          {"to", edge.to},
          {"from_port", edge.from_port},
          {"to_port", edge.to_port},
          {"label", edge.several_from ? edge.from_port
                    : edge.several_to ? edge.to_port
                                      : ""},
          {"from_queue", queue_name(plan, drawing.nodes[edge.from], edge.from_port)},
          {"to_queue", queue_name(plan, drawing.nodes[edge.to], edge.to_port)},
          {"delayed", edge.delayed}};
}

Json picture_of(Drawing drawing, bool narrow) {
  const bool is_large = drawing.nodes.size() > kMostNodes || drawing.edges.size() > kMostEdges;
  if (is_large || !has_graphviz_program()) {
    return {};
  }
  leave_out_details(drawing);
  drawing.narrow = narrow;
  for (Drawing::Node& node : drawing.nodes) {
    node.details = {kPlaceholder};
  }
  for (Drawing::Edge& edge : drawing.edges) {
    edge.details = kEdgePlaceholder;
  }
  try {
    return draw(drawing, "svg");
  } catch (const Error& error) {
    Log::write(LogLevel::Warn, "the page draws the graph by itself: " + error.message());
    return {};
  }
}

}  // namespace

std::string render_picture_json(const Plan& plan, bool narrow) {
  const Drawing drawing = make_drawing(plan);
  const std::vector<std::size_t> regions = graph_regions_of_entities(plan);
  Json json = {{"version", 1}, {"nodes", Json::array()}, {"edges", Json::array()}};
  for (const Drawing::Node& node : drawing.nodes) {
    json["nodes"].push_back(node_json(plan, node, regions));
  }
  for (const Drawing::Edge& edge : drawing.edges) {
    json["edges"].push_back(edge_json(plan, drawing, edge));
  }
  json["svg"] = picture_of(drawing, narrow);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gxr
