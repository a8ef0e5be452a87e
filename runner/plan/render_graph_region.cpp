#include "plan/render_graph_region.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "device/device_program.hpp"
#include "device/trait_words.hpp"
#include "document/number_text.hpp"
#include "plan/loop_round.hpp"
#include "plan/staging.hpp"
#include "plan/step_order.hpp"
#include "plan/switched_off.hpp"

namespace gxr {
namespace {

std::string number(StepId step) { return std::to_string(step + 1); }

/// "after 1", "2", "3", so that lines can break between them. No more than a dozen.
void add_numbers(const char* word, const std::vector<StepId>& steps,
                 std::vector<std::string>& items) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = steps.size() > kMost + 1 ? kMost : steps.size();
  for (std::size_t i = 0; i < shown; ++i) {
    items.push_back((i == 0 ? std::string(word) + " " : "") + number(steps[i]));
  }
  if (shown < steps.size()) {
    items.back() += " and " + std::to_string(steps.size() - shown) + " more";
  }
}

class RegionText {
 public:
  RegionText(const Plan& plan, const Region& region, PlanLines& lines)
      : graph_(*plan.graph), region_(*region.graph), lines_(lines) {}

  void render() {
    add_options();
    add_steps();
    add_dissolved();
    lines_.add("  buffers");
    for (TensorId tensor = 0; tensor < region_.tensors.size(); ++tensor) {
      add_tensor(tensor);
    }
    for (const GraphScratch& scratch : region_.scratch) {
      add_scratch(scratch);
    }
    add_arena();
  }

 private:
  void add_options() {
    const GraphOptions& options = region_.options;
    std::vector<std::string> items{"GPU " + std::to_string(options.device),
                                   counted(options.slots, "slot", "slots")};
    if (region_.green_context != kNone) {
      items.push_back("in green context " +
                      graph_.full_name(graph_.components[region_.green_context]));
    }
    if (options.memory_sync_domain == MemorySyncDomain::Remote) {
      items.emplace_back("memory-sync domain remote");
    }
    if (const LoopRound round = round_of(region_); round.iterations > 1) {
      items.push_back((round.is_chosen ? "unrolled up to " : "unrolled ") +
                      std::to_string(round.iterations) + " times");
    }
    if (region_.inputs.size() + region_.handlers.size() > 1) {
      items.emplace_back(options.ready == GraphReady::All ? "begins when all inputs are there"
                                                          : "begins when any input is there");
    }
    if (region_.inputs.size() > 1) {
      items.push_back("timestamps of " + name_of(region_.inputs[region_.timestamp_from].tensor));
    }
    lines_.add(2, "on ", items, ", ");
  }

  void add_steps() {
    const std::vector<std::vector<StepId>> beside = parallel_steps(region_);
    for (StepId step = 0; step < region_.steps.size(); ++step) {
      const GraphStep& at = region_.steps[step];
      add_branches(step);
      std::vector<std::string> items{graph_.components[at.codelet].type->name};
      if (at.polls) {
        items.push_back("at every poll");
      }
      for (const GraphHandler& handler : region_.handlers) {
        if (handler.step == step && handler.source != kNone) {
          items.push_back("for input of " + number(handler.source));
        }
      }
      add_numbers("after", at.predecessors, items);
      add_numbers("may run beside", beside[step], items);
      for (std::string& words : words_of(effective_traits(step))) {
        items.push_back(std::move(words));
      }
      if (at.count) {
        items.push_back("up to " + counted(*at.count, "iteration", "iterations"));
      }
      lines_.add(2 + 4 * at.around.size(),
                 number(step) + " " + graph_.entities[at.entity].name + ": ", items, ", ");
    }
  }

  /// Without those that have no effect with the tensors of the region.
  [[nodiscard]] GraphTraits effective_traits(StepId step) const {
    GraphTraits traits = region_.steps[step].traits;
    traits.pass_through =
        traits.pass_through && region_.laid_out && why_not_off(graph_, region_, step).empty();
    return traits;
  }

  /// The branches and branch bodies that begin with this step.
  void add_branches(StepId step) {
    const std::vector<BranchPlace>& around = region_.steps[step].around;
    const std::vector<BranchPlace> before =
        step == 0 ? std::vector<BranchPlace>() : region_.steps[step - 1].around;
    bool same = true;
    for (std::size_t depth = 0; depth < around.size(); ++depth) {
      const bool in_branch =
          same && depth < before.size() && before[depth].branch == around[depth].branch;
      same = in_branch && before[depth].alternative == around[depth].alternative;
      if (!in_branch) {
        add_branch(region_.branches[around[depth].branch], 2 + 4 * depth);
      }
      if (!same) {
        lines_.add(
            std::string(4 + 4 * depth, ' ') +
            body_name(region_.branches[around[depth].branch].kind, around[depth].alternative));
      }
    }
  }

  void add_branch(const GraphBranch& branch, std::size_t indent) {
    const GraphComponent& component = graph_.components[branch.component];
    std::vector<std::string> items{component.type->name, decision_text(graph_, branch)};
    if (const std::string launch = launch_text(region_, branch); !launch.empty()) {
      items.push_back(launch);
    }
    if (branch.limit > 0) {
      items.push_back("at most " + counted(branch.limit, "time", "times"));
    }
    lines_.add(indent,
               "branch " +
                   (component.name.empty() ? graph_.entity_of(component).name
                                           : graph_.full_name(component)) +
                   ": ",
               items, ", ");
  }

  void add_dissolved() {
    std::vector<std::string> names;
    for (const EntityId entity : region_.dissolved) {
      names.push_back(graph_.entities[entity].name);
    }
    if (!names.empty()) {
      lines_.add(2, "edges instead of ", names, ", ");
    }
  }

  /// Of a tensor that comes from elsewhere, the transmitter there.
  [[nodiscard]] std::string name_of(TensorId id) const {
    if (const TensorId from = region_.tensors[id].delays; from != kNone) {
      return name_of(from) + ", delayed";
    }
    if (region_.tensors[id].by_program) {
      return graph_.full_name(graph_.components[region_.tensors[id].receivers.front()]);
    }
    ComponentId transmitter = region_.tensors[id].transmitter;
    for (const GraphInput& input : region_.inputs) {
      transmitter = input.tensor == id ? input.links.front().transmitter : transmitter;
    }
    return graph_.full_name(graph_.components[transmitter]);
  }

  static std::string steps_text(const StepRange& range) {
    return range.first == range.last ? "step " + number(range.first)
                                     : "steps " + number(range.first) + " to " + number(range.last);
  }

  void add_tensor(TensorId id) {
    const GraphTensor& tensor = region_.tensors[id];
    std::vector<std::string> items;
    if (tensor.spec) {
      items = {tensor.spec->to_string(), counted(tensor.spec->bytes(), "byte", "bytes")};
    } else {
      items = {"?"};
    }
    for (const ComponentId port : tensor.declared_by) {
      items.push_back("declared by " + graph_.full_name(graph_.components[port]));
    }
    for (const TensorWriter& other : tensor.in_turn) {
      items.push_back("in turn with " + graph_.full_name(graph_.components[other.transmitter]));
    }
    add_place(tensor, items);
    if (tensor.by_program) {
      items.emplace_back("written by the program");
    }
    if (tensor.lasts && tensor.delays == kNone) {
      items.emplace_back("keeps its last value");
    }
    if (const StepRange range = lifetime(tensor); range.first != kNone) {
      items.push_back(steps_text(range));
    }
    lines_.add(4, name_of(id) + ": ", items, ", ");
  }

  void add_place(const GraphTensor& tensor, std::vector<std::string>& items) const {
    if (tensor.in_place) {
      items.push_back("in its place");
    } else if (tensor.owner != kNone) {
      items.push_back("in memory of " + graph_.full_name(graph_.components[tensor.owner]));
    } else if (tensor.place == GraphTensor::Place::Slot) {
      items.emplace_back(tensor.producer == kNone ? "a slot of the input" : "a slot of the output");
    } else if (region_.laid_out) {
      items.push_back("at " + std::to_string(tensor.offset));
    }
  }

  void add_scratch(const GraphScratch& scratch) {
    std::vector<std::string> items{counted(scratch.bytes, "byte", "bytes")};
    if (region_.laid_out) {
      items.push_back("at " + std::to_string(scratch.offset));
    }
    items.push_back("step " + number(scratch.step));
    lines_.add(4, "scratch of " + graph_.entities[region_.steps[scratch.step].entity].name + ": ",
               items, ", ");
  }

  void add_arena() {
    if (!region_.laid_out) {
      const bool inputs_known = std::ranges::all_of(region_.inputs, [&](const GraphInput& input) {
        return region_.tensors[input.tensor].spec.has_value();
      });
      lines_.add(inputs_known ? "  arena: built when the operators have started and told all sizes"
                              : "  arena: built at the first message, when all shapes are known");
      return;
    }
    std::vector<std::string> items{
        counted(region_.arena_bytes, "byte", "bytes"),
        "for buffers of " + std::to_string(region_.buffer_bytes),
        "at least " + std::to_string(region_.lower_bound_bytes) + " in use at once"};
    lines_.add(2, "arena: ", items, ", ");
    if (const std::uint64_t staging = staging_bytes(region_); staging > 0) {
      items = {counted(staging, "byte", "bytes"), counted(region_.options.slots, "slot", "slots") +
                                                      " of each large input from the CPU"};
      lines_.add(2, "staging: ", items, ", ");
    }
  }

  const Graph& graph_;
  const GraphRegion& region_;
  PlanLines& lines_;
};

}  // namespace

std::string decision_text(const Graph& graph, const GraphBranch& branch) {
  if (branch.kind != BranchKind::Every) {
    return "by " + graph.full_name(graph.components[branch.decided_by.transmitter]);
  }
  const std::string often = branch.count == 1
                                ? "every iteration"
                                : "every " + std::to_string(branch.count) + " iterations";
  return branch.first == 0 ? often : often + " from number " + std::to_string(branch.first) + " on";
}

std::string launch_text(const GraphRegion& region, const GraphBranch& branch) {
  if (branch.launch == BranchLaunch::InIteration) {
    return {};
  }
  if (!launches_branches(region)) {
    return "in the iteration";
  }
  return branch.launch == BranchLaunch::Sibling ? "launched as a sibling"
                                                : "launched behind the iteration";
}

void render_graph_region(const Plan& plan, const Region& region, PlanLines& lines) {
  RegionText(plan, region, lines).render();
}

}  // namespace gxr
