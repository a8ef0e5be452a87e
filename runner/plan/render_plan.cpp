#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "graph/roles.hpp"
#include "plan/describe_term.hpp"
#include "plan/plan.hpp"

namespace gxr {
namespace {

constexpr std::size_t kWidth = 80;

std::string counted(std::size_t count, const char* word, const char* plural) {
  return std::to_string(count) + " " + (count == 1 ? word : plural);
}

class PlanText {
 public:
  explicit PlanText(const Plan& plan) : plan_(plan), graph_(*plan.graph), roles_(*plan.catalog) {
    for (const PlanBuffer& buffer : plan.buffers) {
      buffers_[graph_.components[buffer.transmitter].entity].push_back(&buffer);
    }
  }

  std::string render() {
    std::size_t steps = 0;
    for (const Region& region : plan_.regions) {
      steps += region.body.items.size();
    }
    text_ = counted(plan_.regions.size(), "region", "regions") + ", " +
            counted(steps, "entity", "entities") + ", " +
            counted(plan_.buffers.size(), "buffer", "buffers") + ", " +
            counted(plan_.bridges.size(), "bridge", "bridges") + "\n";
    for (const Region& region : plan_.regions) {
      add_region(region);
    }
    add_bridges();
    return std::move(text_);
  }

 private:
  void add_region(const Region& region) {
    text_ += "\nregion " + region.name + ", executor " + to_string(region.executor) + "\n";
    if (region.declared_by != kNone) {
      const GraphComponent& scheduler = graph_.components[region.declared_by];
      add_list(
          2, "declared by ",
          {scheduler.name.empty() ? graph_.entity_of(scheduler).name : graph_.full_name(scheduler),
           "(" + scheduler.type->name + ")"},
          " ");
    }
    step_ = 0;
    add_block(region.body, 2);
  }

  void add_block(const PlanBlock& block, std::size_t indent) {
    for (const auto& item : block.items) {
      if (const auto* step = std::get_if<PlanStep>(&item)) {
        add_step(*step, indent);
      } else {
        add_branch(std::get<PlanBranch>(item), indent);
      }
    }
  }

  void add_branch(const PlanBranch& branch, std::size_t indent) {
    const std::string margin(indent, ' ');
    text_ += margin + "branch by " + graph_.full_name(graph_.components[branch.selector]) + "\n";
    for (std::size_t i = 0; i < branch.alternatives.size(); ++i) {
      text_ += margin + "  alternative " + std::to_string(i) + "\n";
      add_block(branch.alternatives[i], indent + 4);
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
    add_list(indent, std::to_string(++step_) + " " + entity.name + ": ", codelets, ", ");
    if (terms.empty()) {
      terms.emplace_back("always");
    }
    add_list(indent + 4, "when ", terms, ", ");
    for (const PlanBuffer* buffer : buffers_[step.entity]) {
      add_buffer(*buffer, indent + 4);
    }
  }

  void add_buffer(const PlanBuffer& buffer, std::size_t indent) {
    const GraphComponent& transmitter = graph_.components[buffer.transmitter];
    const std::string from = transmitter.name.empty() ? transmitter.type->name : transmitter.name;
    std::vector<std::string> parts = {graph_.full_name(graph_.components[buffer.receiver])};
    if (buffer.capacity != 0) {
      parts.push_back("(holds " + std::to_string(buffer.capacity) + ")");
    }
    add_list(indent, from + " -> ", parts, " ");
  }

  void add_bridges() {
    for (const Bridge& bridge : plan_.bridges) {
      text_ += "\n";
      add_list(0,
               "bridge from " + plan_.regions[bridge.from_region].name + " to " +
                   plan_.regions[bridge.to_region].name + ": ",
               {graph_.full_name(graph_.components[bridge.link.transmitter]),
                graph_.full_name(graph_.components[bridge.link.receiver])},
               " -> ");
    }
  }

  /// One line, broken between items where it would be too wide.
  void add_list(std::size_t indent, const std::string& title, const std::vector<std::string>& items,
                std::string_view separator) {
    std::string line(indent, ' ');
    line += title;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string item = items[i] + (i + 1 < items.size() ? std::string(separator) : "");
      const std::size_t width = std::string_view(item).find_last_not_of(' ') + 1;
      if (i > 0 && line.size() + width > kWidth) {
        finish(line);
        line.assign(indent + 4, ' ');
      }
      line += item;
    }
    finish(line);
  }

  void finish(std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }

  const Plan& plan_;
  const Graph& graph_;
  Roles roles_;
  std::map<EntityId, std::vector<const PlanBuffer*>> buffers_;
  std::string text_;
  std::size_t step_ = 0;
};

}  // namespace

std::string render_plan(const Plan& plan) { return PlanText(plan).render(); }

}  // namespace gxr
