#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "document/number_text.hpp"
#include "graph/describe_term.hpp"
#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"
#include "plan/plan.hpp"
#include "plan/plan_lines.hpp"
#include "plan/render_graph_region.hpp"
#include "plan/work_graph.hpp"

namespace gxr {
namespace {

class PlanText {
 public:
  explicit PlanText(const Plan& plan) : plan_(plan), graph_(*plan.graph), roles_(*plan.catalog) {
    for (const PlanBuffer& buffer : plan.buffers) {
      buffers_[graph_.components[buffer.transmitter].entity].push_back(&buffer);
    }
  }

  std::string render() {
    std::size_t steps = 0;
    std::size_t buffers = plan_.buffers.size();
    for (const Region& region : plan_.regions) {
      steps += region.graph ? region.graph->steps.size() : region.body.items.size();
      buffers += region.graph ? region.graph->tensors.size() + region.graph->scratch.size() : 0;
    }
    lines_.add(counted(plan_.regions.size(), "region", "regions") + ", " +
               counted(steps, "entity", "entities") + ", " + counted(buffers, "buffer", "buffers") +
               ", " + counted(plan_.bridges.size(), "bridge", "bridges"));
    for (const Region& region : plan_.regions) {
      add_region(region);
    }
    add_bridges();
    add_placements();
    add_obstacle();
    return lines_.text();
  }

 private:
  void add_region(const Region& region) {
    lines_.add("");
    lines_.add("region " + region.name + ", executor " + to_string(region.executor));
    if (region.chosen) {
      lines_.add("  chosen by --executor");
    } else if (region.graph && plan_.default_graph) {
      lines_.add("  chosen because all operators are capturable, and nothing else says what");
      lines_.add(needs_graph(graph_) ? "    runs them"
                                     : "    runs them; without a GPU the CPU does");
    } else if (region.declared_by != kNone) {
      const GraphComponent& scheduler = graph_.components[region.declared_by];
      lines_.add(
          2, "declared by ",
          {scheduler.name.empty() ? graph_.entity_of(scheduler).name : graph_.full_name(scheduler),
           "(" + scheduler.type->name + ")"},
          " ");
    }
    if (region.graph) {
      render_graph_region(plan_, region, lines_);
      return;
    }
    step_ = 0;
    for (const auto& item : region.body.items) {
      add_step(std::get<PlanStep>(item), 2);  // branches are of graphs
    }
  }

  void add_step(const PlanStep& step, std::size_t indent) {
    const GraphEntity& entity = graph_.entities[step.entity];
    std::vector<std::string> codelets;
    std::vector<std::string> terms;
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph_.components[id];
      if (roles_.has(component, Role::Codelet)) {
        codelets.push_back(component.type->name);
      } else if (roles_.has(component, Role::SchedulingTerm)) {
        terms.push_back(describe_term(graph_, component));
      }
    }
    for (const ComponentId id : unknown_work(graph_, entity)) {
      codelets.emplace_back(graph_.components[id].type_name);
    }
    lines_.add(indent, std::to_string(++step_) + " " + entity.name + ": ", codelets, ", ");
    if (terms.empty()) {
      terms.emplace_back("always");
    }
    lines_.add(indent + 4, "when ", terms, ", ");
    for (const PlanBuffer* buffer : buffers_[step.entity]) {
      add_buffer(*buffer, indent + 4);
    }
  }

  void add_buffer(const PlanBuffer& buffer, std::size_t indent) {
    const GraphComponent& transmitter = graph_.components[buffer.transmitter];
    const std::string from =
        transmitter.name.empty() ? std::string(transmitter.type_name) : transmitter.name;
    std::vector<std::string> parts = {graph_.full_name(graph_.components[buffer.receiver])};
    if (buffer.capacity != 0) {
      parts.push_back("(holds " + std::to_string(buffer.capacity) + ")");
    }
    lines_.add(indent, from + " -> ", parts, " ");
  }

  void add_bridges() {
    for (const Bridge& bridge : plan_.bridges) {
      lines_.add("");
      lines_.add(0,
                 "bridge from " + plan_.regions[bridge.from_region].name + " to " +
                     plan_.regions[bridge.to_region].name + ": ",
                 {graph_.full_name(graph_.components[bridge.link.transmitter]),
                  graph_.full_name(graph_.components[bridge.link.receiver])},
                 " -> ");
    }
  }

  void add_placements() {
    if (plan_.placements.empty()) {
      return;
    }
    lines_.add("");
    lines_.add("why each entity is where it is");
    for (const Placement& placement : plan_.placements) {
      lines_.add(2, graph_.entities[placement.entity].name + ": ",
                 {plan_.regions[placement.region].name, "because " + placement.reason}, ", ");
    }
  }

  void add_obstacle() {
    if (plan_.default_graph && !plan_.default_graph->chosen) {
      lines_.add("");
      lines_.add("why the application is not one CUDA graph by default");
      lines_.add("  " + plan_.default_graph->obstacle);
    }
  }

  const Plan& plan_;
  const Graph& graph_;
  Roles roles_;
  std::map<EntityId, std::vector<const PlanBuffer*>> buffers_;
  PlanLines lines_;
  std::size_t step_ = 0;
};

}  // namespace

std::string render_plan(const Plan& plan) { return PlanText(plan).render(); }

}  // namespace gxr
