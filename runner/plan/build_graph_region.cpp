#include "plan/build_graph_region.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "graph/parameter_value.hpp"
#include "plan/block_order.hpp"
#include "plan/named_entities.hpp"
#include "plan/polling_entities.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

class Builder {
 public:
  Builder(const WorkGraph& work, const RegionSearch& search, std::uint32_t region)
      : work_(work),
        search_(search),
        region_(region),
        polls_(polling_entities(work, search.region_of, region, search.regions[region].entities)) {
    graph_.options = search.regions[region].options;
  }

  BuiltRegion build() {
    const BlockOrder found = order_of_region(work_, search_.region_of, region_,
                                             search_.regions[region_].entities, polls_);
    PlanBlock block = add_block(found.items, {});
    for (const EntityId entity : order_) {
      add_handlers(entity);
      add_inputs(entity);
    }
    for (StepId step = 0; step < graph_.steps.size(); ++step) {
      add_outputs(step);
    }
    for (TensorId tensor = 0; tensor < graph_.tensors.size(); ++tensor) {
      add_edges(tensor);
    }
    for (GraphStep& step : graph_.steps) {
      sort_unique(step.predecessors);
      sort_unique(step.reads);
    }
    find_deciders();
    add_delayed();
    add_written_by_program();
    find_lasting();
    return {std::move(graph_), std::move(block)};
  }

 private:
  [[nodiscard]] bool inside(ComponentId component) const {
    return search_.region_of[work_.entity_of(component)] == region_;
  }

  /// Steps and branches of one branch body, which stands in `around`.
  PlanBlock add_block(const std::vector<BlockItem>& items, const std::vector<BranchPlace>& around) {
    PlanBlock block;
    for (const BlockItem& item : items) {
      if (item.branch != kNone) {
        add_branch(item, around, block);
        continue;
      }
      order_.push_back(item.entity);
      if (work_.at(item.entity).kind == WorkEntity::Kind::Passage) {
        graph_.dissolved.push_back(item.entity);
      } else {
        add_step(item.entity);
        graph_.steps.back().around = around;
        block.items.emplace_back(PlanStep{item.entity, step_of_.at(item.entity)});
      }
    }
    return block;
  }

  void add_branch(const BlockItem& item, const std::vector<BranchPlace>& around, PlanBlock& block) {
    const Branch& branch = work_.branches.at(item.branch);
    const auto id = static_cast<BranchId>(graph_.branches.size());
    const GraphComponent& component = work_.graph.components[branch.component];
    const Capability& declared = *branch_of(component);
    const auto number = [&](BranchKind kind, std::size_t key) {
      return branch.kind == kind ? unsigned_parameter(component, declared.key(key)) : std::nullopt;
    };
    graph_.branches.push_back({branch.kind,
                               branch.component,
                               kNone,
                               {},
                               static_cast<std::uint32_t>(item.alternatives.size()),
                               around.empty() ? BranchPlace{} : around.back(),
                               number(BranchKind::While, 2).value_or(0),
                               // 0 is a warning with --compat gxf.
                               std::max<std::uint64_t>(number(BranchKind::Every, 0).value_or(1), 1),
                               number(BranchKind::Every, 2).value_or(0),
                               branch.launch});
    selectors_of_.push_back(branch.selector);
    PlanBranch made{branch.component, id, {}};
    for (std::uint32_t i = 0; i < item.alternatives.size(); ++i) {
      std::vector<BranchPlace> inside = around;
      inside.push_back({id, i});
      made.alternatives.push_back(add_block(item.alternatives[i], inside));
    }
    block.items.emplace_back(std::move(made));
  }

  /// Tensors of the time before. Each needs memory of its own where a step reads it when it is
  /// written again.
  void add_delayed() {
    // By what is delayed, the While whose runs count, which is around writers and reader, and what
    // is launched as a graph of its own with the reader.
    std::map<std::tuple<TensorId, BranchId, BranchId>, TensorId> delayed;
    for (const Link& link : work_.delayed) {
      const auto from = tensor_of_.find(link.transmitter);
      const auto reader = step_of_.find(work_.entity_of(link.receiver));
      if (from == tensor_of_.end() || reader == step_of_.end()) {
        continue;  // of another region
      }
      const auto [known, added] =
          delayed.try_emplace({from->second, repeated_by(from->second, reader->second),
                               launched_around(graph_, reader->second)},
                              static_cast<TensorId>(graph_.tensors.size()));
      if (added) {
        graph_.tensors.emplace_back();
        graph_.tensors.back().delays = from->second;
        graph_.tensors.back().lasts = true;
      }
      GraphTensor& tensor = graph_.tensors[known->second];
      tensor.receivers.push_back(link.receiver);
      tensor.consumers.push_back(reader->second);
      graph_.steps[reader->second].reads.push_back(known->second);
      sort_unique(graph_.steps[reader->second].reads);
    }
    for (const auto& [key, id] : delayed) {
      const TensorId from = std::get<0>(key);
      graph_.tensors[id].in_place =
          !is_copied_across(from, std::get<2>(key)) && is_read_before(graph_, id, from);
    }
  }

  /// Of a graph that a program drives: one for each receiver that nothing is connected to.
  void add_written_by_program() {
    if (!graph_.options.host_driven) {
      return;
    }
    for (StepId step = 0; step < graph_.steps.size(); ++step) {
      for (const ComponentId receiver : work_.at(graph_.steps[step].entity).receivers) {
        const auto is_of_receiver = [&](const GraphTensor& tensor) {
          return std::ranges::find(tensor.receivers, receiver) != tensor.receivers.end();
        };
        if (std::ranges::any_of(graph_.tensors, is_of_receiver)) {
          continue;
        }
        graph_.steps[step].reads.push_back(static_cast<TensorId>(graph_.tensors.size()));
        GraphTensor& tensor = graph_.tensors.emplace_back();
        tensor.by_program = true;
        tensor.receivers.push_back(receiver);
        tensor.consumers.push_back(step);
      }
    }
  }

  /// Is a tensor written beside those that read it, in this branch, of the time before?
  [[nodiscard]] bool is_copied_across(TensorId written, BranchId readers) const {
    const BranchId writer = launched_around(graph_, graph_.tensors[written].producer);
    const auto is_sibling = [&](BranchId id) {
      return id != kNone && graph_.branches[id].launch == BranchLaunch::Sibling;
    };
    return writer != readers && (is_sibling(writer) || is_sibling(readers));
  }

  /// The innermost While around all that write a tensor and a step; kNone: there is none.
  [[nodiscard]] BranchId repeated_by(TensorId written, StepId reader) const {
    std::vector<BranchPlace> around = graph_.steps[reader].around;
    const auto cut = [&](StepId writer) {
      around.erase(std::ranges::mismatch(around, graph_.steps[writer].around).in1, around.end());
    };
    cut(graph_.tensors[written].producer);
    for (const TensorWriter& other : graph_.tensors[written].in_turn) {
      cut(other.step);
    }
    while (!around.empty() && graph_.branches[around.back().branch].kind != BranchKind::While) {
      around.pop_back();
    }
    return around.empty() ? kNone : around.back().branch;
  }

  void find_deciders() {
    for (BranchId id = 0; id < graph_.branches.size(); ++id) {
      const ComponentId selector = selectors_of_[id];
      if (selector == kNone) {
        continue;  // an Every
      }
      graph_.branches[id].selector = tensor_of_.at(selector);
      graph_.branches[id].decided_by = {selector, step_of_.at(work_.entity_of(selector))};
    }
  }

  /// When all tensors are there: which are read although no step may have written them.
  void find_lasting() {
    for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
      GraphTensor& tensor = graph_.tensors[id];
      tensor.lasts = tensor.lasts || (tensor.producer != kNone && may_be_old(graph_, id));
    }
    for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
      if (const TensorId from = graph_.tensors[id].delays; from != kNone) {
        graph_.tensors[from].lasts = true;
      }
    }
  }

  void add_step(EntityId entity) {
    step_of_[entity] = static_cast<StepId>(graph_.steps.size());
    GraphStep step;
    step.entity = entity;
    step.codelet = work_.at(entity).codelets.front();
    step.polls = polls_[entity];
    for (const ComponentId id : work_.at(entity).terms) {
      const GraphComponent& term = work_.graph.components[id];
      if (const Capability* const limit = term.capability(Capability::Kind::LimitsTicks)) {
        // A number below 0 is no limit; of several the least one counts.
        if (const auto count = unsigned_parameter(term, limit->key(0))) {
          step.count = std::min(*count, step.count.value_or(*count));
        }
      }
    }
    graph_.steps.push_back(std::move(step));
  }

  void add_handlers(EntityId entity) {
    for (const ComponentId handler : work_.at(entity).handlers) {
      const GraphComponent& component = work_.graph.components[handler];
      const ComponentId source =
          component.handle(component.capability(Capability::Kind::LooksForInput)->key(0));
      graph_.handlers.push_back({handler, step_of_.at(entity),
                                 source == kNone ? kNone : step_of_.at(work_.entity_of(source))});
    }
  }

  /// One input for each transmitter outside, however many receive it here.
  void add_inputs(EntityId entity) {
    for (const Link& link : work_.at(entity).incoming) {
      if (inside(link.transmitter)) {
        continue;
      }
      const auto [known, added] = input_of_.try_emplace(link.transmitter, graph_.inputs.size());
      if (added) {
        GraphTensor tensor;
        tensor.place = GraphTensor::Place::Slot;
        graph_.inputs.push_back({static_cast<TensorId>(graph_.tensors.size()),
                                 {},
                                 search_.region_of[work_.entity_of(link.transmitter)] != kNone});
        graph_.tensors.push_back(std::move(tensor));
      }
      GraphInput& input = graph_.inputs[known->second];
      input.links.push_back(link);
      arrive(input.tensor, link.receiver);
    }
  }

  void add_outputs(StepId step) {
    for (const ComponentId transmitter : work_.at(graph_.steps[step].entity).transmitters) {
      if (const std::optional<TensorId> shared = written_in_turn(transmitter)) {
        graph_.tensors[*shared].in_turn.push_back({transmitter, step});
        graph_.steps[step].writes.push_back(*shared);
        tensor_of_[transmitter] = *shared;
        leave(*shared, transmitter);  // to those that the others do not send to
        continue;
      }
      const auto tensor = static_cast<TensorId>(graph_.tensors.size());
      tensor_of_[transmitter] = tensor;
      graph_.tensors.emplace_back();
      graph_.tensors.back().transmitter = transmitter;
      graph_.tensors.back().producer = step;
      graph_.steps[step].writes.push_back(tensor);
      leave(tensor, transmitter);
    }
  }

  /// The tensor of another transmitter that sends to the same receivers, in another body of a
  /// branch.
  [[nodiscard]] std::optional<TensorId> written_in_turn(ComponentId transmitter) const {
    for (const Link& link : work_.at(work_.entity_of(transmitter)).outgoing) {
      for (const Link& other : work_.at(work_.entity_of(link.receiver)).incoming) {
        const auto known = tensor_of_.find(other.transmitter);
        if (link.transmitter == transmitter && other.receiver == link.receiver &&
            known != tensor_of_.end() &&
            work_.branches.exclude_each_other(work_.entity_of(transmitter),
                                              work_.entity_of(other.transmitter))) {
          return known->second;
        }
      }
    }
    return std::nullopt;
  }

  /// Follows a tensor from a transmitter to the operators of the region and out of it.
  void leave(TensorId tensor, ComponentId transmitter) {
    for (const Link& link : work_.at(work_.entity_of(transmitter)).outgoing) {
      if (link.transmitter != transmitter || !reached_.insert({tensor, link.receiver}).second) {
        continue;
      }
      if (inside(link.receiver)) {
        arrive(tensor, link.receiver);
      } else {
        go_out(tensor, link);
      }
    }
  }

  void arrive(TensorId tensor, ComponentId receiver) {
    const EntityId entity = work_.entity_of(receiver);
    if (work_.at(entity).kind == WorkEntity::Kind::Passage) {
      graph_.tensors[tensor].passed.push_back(receiver);
      for (const ComponentId transmitter : work_.at(entity).transmitters) {
        graph_.tensors[tensor].passed.push_back(transmitter);
        leave(tensor, transmitter);
      }
      return;
    }
    graph_.tensors[tensor].receivers.push_back(receiver);
    graph_.tensors[tensor].consumers.push_back(step_of_[entity]);
  }

  void go_out(TensorId tensor, const Link& link) {
    graph_.tensors[tensor].place = GraphTensor::Place::Slot;
    auto output = std::ranges::find(graph_.outputs, tensor, &GraphOutput::tensor);
    if (output == graph_.outputs.end()) {
      output = graph_.outputs.insert(output, {tensor, {}});
    }
    output->links.push_back(link);
  }

  void add_edges(TensorId id) {
    const GraphTensor& tensor = graph_.tensors[id];
    for (const StepId consumer : tensor.consumers) {
      graph_.steps[consumer].reads.push_back(id);
      add_edge(tensor.producer, consumer);
      for (const TensorWriter& other : tensor.in_turn) {
        add_edge(other.step, consumer);
      }
    }
  }

  void add_edge(StepId writer, StepId reader) {
    if (writer != kNone && !work_.branches.exclude_each_other(graph_.steps[writer].entity,
                                                              graph_.steps[reader].entity)) {
      graph_.steps[reader].predecessors.push_back(writer);
    }
  }

  const WorkGraph& work_;
  const RegionSearch& search_;
  std::uint32_t region_;
  std::vector<bool> polls_;  // by entity
  GraphRegion graph_;
  std::unordered_map<EntityId, StepId> step_of_;
  std::unordered_map<ComponentId, std::size_t> input_of_;
  std::vector<EntityId> order_;                          // of all members
  std::unordered_map<ComponentId, TensorId> tensor_of_;  // by transmitter
  std::vector<ComponentId> selectors_of_;                // by branch
  std::set<std::pair<TensorId, ComponentId>> reached_;   // receivers
};

}  // namespace

BuiltRegion build_graph_region(const WorkGraph& work, const RegionSearch& search,
                               std::uint32_t region) {
  return Builder(work, search, region).build();
}

}  // namespace gxr
