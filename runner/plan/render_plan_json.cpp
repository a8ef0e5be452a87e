#include <nlohmann/json.hpp>

#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"
#include "plan/plan.hpp"
#include "plan/render_graph_region.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Plan& plan, Roles& roles, const PlanBlock& block);

Json json_of(const Plan& plan, Roles& roles, const PlanStep& step) {
  const Graph& graph = *plan.graph;
  Json codelets = Json::array();
  Json terms = Json::array();
  for (const ComponentId id : graph.entities[step.entity].components) {
    const GraphComponent& component = graph.components[id];
    if (roles.has(component, Role::Codelet)) {
      codelets.push_back({{"name", component.name}, {"type", component.type->name}});
    } else if (roles.has(component, Role::SchedulingTerm)) {
      terms.push_back({{"name", component.name}, {"type", component.type->name}});
    }
  }
  for (const ComponentId id : unknown_work(graph, graph.entities[step.entity])) {
    const GraphComponent& component = graph.components[id];
    codelets.push_back({{"name", component.name}, {"type", component.type_name}});
  }
  return {{"entity", graph.entities[step.entity].name}, {"codelets", codelets}, {"terms", terms}};
}

Json json_of(const Plan& plan, Roles& roles, const PlanBranch& branch) {
  Json alternatives = Json::array();
  for (const PlanBlock& block : branch.alternatives) {
    alternatives.push_back(json_of(plan, roles, block));
  }
  return {{"branch", plan.graph->full_name(plan.graph->components[branch.component])},
          {"alternatives", alternatives}};
}

Json json_of(const Plan& plan, Roles& roles, const PlanBlock& block) {
  Json items = Json::array();
  for (const auto& item : block.items) {
    items.push_back(
        std::visit([&](const auto& value) { return json_of(plan, roles, value); }, item));
  }
  return items;
}

Json name_of(const Plan& plan, ComponentId component) {
  return component == kNone ? Json()
                            : Json(plan.graph->full_name(plan.graph->components[component]));
}

/// Another number whenever a key gets another meaning or goes.
constexpr int kPlanVersion = 2;

}  // namespace

std::string render_plan_json(const Plan& plan) {
  Roles roles(*plan.catalog);
  Json json = {{"version", kPlanVersion},           {"regions", Json::array()},
               {"buffers", Json::array()},          {"bridges", Json::array()},
               {"activation_order", Json::array()}, {"placements", Json::array()}};
  for (const Region& region : plan.regions) {
    json["regions"].push_back(
        {{"name", region.name},
         {"executor", to_string(region.executor)},
         {"declared_by", name_of(plan, region.chosen ? kNone : region.declared_by)},
         {"order", json_of(plan, roles, region.body)}});
    if (region.graph) {
      json["regions"].back()["graph"] = graph_region_as_json(plan, region);
    }
  }
  for (const PlanBuffer& buffer : plan.buffers) {
    json["buffers"].push_back({{"transmitter", name_of(plan, buffer.transmitter)},
                               {"receiver", name_of(plan, buffer.receiver)},
                               {"capacity", buffer.capacity}});
  }
  for (const Bridge& bridge : plan.bridges) {
    json["bridges"].push_back({{"from", plan.regions[bridge.from_region].name},
                               {"to", plan.regions[bridge.to_region].name},
                               {"transmitter", name_of(plan, bridge.link.transmitter)},
                               {"receiver", name_of(plan, bridge.link.receiver)}});
  }
  for (const EntityId entity : plan.activation_order) {
    json["activation_order"].push_back(plan.graph->entities[entity].name);
  }
  for (const Placement& placement : plan.placements) {
    json["placements"].push_back({{"entity", plan.graph->entities[placement.entity].name},
                                  {"region", plan.regions[placement.region].name},
                                  {"reason", placement.reason}});
  }
  if (plan.default_graph) {
    json["default_graph"] = {{"chosen", plan.default_graph->chosen}};
    if (!plan.default_graph->chosen) {
      json["default_graph"]["obstacle"] = plan.default_graph->obstacle;
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gxr
