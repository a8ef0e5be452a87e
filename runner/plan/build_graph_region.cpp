#include "plan/build_graph_region.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "graph/parameter_value.hpp"
#include "plan/looking_entities.hpp"

namespace gxr {
namespace {

using Kind = WorkEntity::Kind;

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
        looks_(looking_entities(work, search.region_of, region, search.regions[region].entities)) {
    graph_.options = search.regions[region].options;
  }

  GraphRegion build() {
    const std::vector<EntityId> order = topological_order();
    for (const EntityId entity : order) {
      if (work_.at(entity).kind == Kind::Passage) {
        graph_.dissolved.push_back(entity);
      } else {
        add_step(entity);
      }
    }
    for (const EntityId entity : order) {
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
    return std::move(graph_);
  }

 private:
  [[nodiscard]] bool inside(ComponentId component) const {
    return search_.region_of[work_.entity_of(component)] == region_;
  }

  /// Kahn's algorithm; of those that are ready, one that looks for input, else the one that the
  /// files name first.
  [[nodiscard]] std::vector<EntityId> topological_order() const {
    const std::vector<EntityId>& members = search_.regions[region_].entities;
    std::unordered_map<EntityId, std::size_t> waits;
    const auto later = [&](EntityId a, EntityId b) {
      return looks_[a] == looks_[b] ? a > b : looks_[b];
    };
    std::priority_queue<EntityId, std::vector<EntityId>, decltype(later)> ready(later);
    for (const EntityId entity : members) {
      const auto count = std::ranges::count_if(
          work_.at(entity).incoming, [&](const Link& link) { return inside(link.transmitter); });
      waits[entity] = static_cast<std::size_t>(count);
      if (count == 0) {
        ready.push(entity);
      }
    }
    std::vector<EntityId> order;
    while (!ready.empty()) {
      const EntityId entity = ready.top();
      ready.pop();
      order.push_back(entity);
      for (const Link& link : work_.at(entity).outgoing) {
        if (inside(link.receiver) && --waits[work_.entity_of(link.receiver)] == 0) {
          ready.push(work_.entity_of(link.receiver));
        }
      }
    }
    return order;
  }

  void add_step(EntityId entity) {
    step_of_[entity] = static_cast<StepId>(graph_.steps.size());
    GraphStep step;
    step.entity = entity;
    step.codelet = work_.at(entity).codelets.front();
    step.looks = looks_[entity];
    for (const ComponentId id : work_.at(entity).terms) {
      const GraphComponent& term = work_.graph.components[id];
      if (term.type->name == "gxr::CountSchedulingTerm") {
        step.count = unsigned_parameter(term, "count");
      }
    }
    graph_.steps.push_back(std::move(step));
  }

  void add_handlers(EntityId entity) {
    for (const ComponentId handler : work_.at(entity).handlers) {
      const ComponentId source = work_.graph.components[handler].handle("source");
      graph_.handlers.push_back({handler, step_of_.at(entity),
                                 source == kNone ? kNone : step_of_.at(work_.entity_of(source))});
    }
  }

  /// One input for each transmitter outside, whoever receives it here.
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
      const auto tensor = static_cast<TensorId>(graph_.tensors.size());
      graph_.tensors.emplace_back();
      graph_.tensors.back().transmitter = transmitter;
      graph_.tensors.back().producer = step;
      graph_.steps[step].writes.push_back(tensor);
      leave(tensor, transmitter);
    }
  }

  /// Follows a tensor from a transmitter to the operators of the region and out of it.
  void leave(TensorId tensor, ComponentId transmitter) {
    for (const Link& link : work_.at(work_.entity_of(transmitter)).outgoing) {
      if (link.transmitter != transmitter) {
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
    if (work_.at(entity).kind == Kind::Passage) {
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
    if (graph_.outputs.empty() || graph_.outputs.back().tensor != tensor) {
      graph_.outputs.push_back({tensor, {}});
    }
    graph_.outputs.back().links.push_back(link);
  }

  void add_edges(TensorId id) {
    const GraphTensor& tensor = graph_.tensors[id];
    for (const StepId consumer : tensor.consumers) {
      graph_.steps[consumer].reads.push_back(id);
      if (tensor.producer != kNone) {
        graph_.steps[consumer].predecessors.push_back(tensor.producer);
      }
    }
  }

  const WorkGraph& work_;
  const RegionSearch& search_;
  std::uint32_t region_;
  std::vector<bool> looks_;  // by entity
  GraphRegion graph_;
  std::unordered_map<EntityId, StepId> step_of_;
  std::unordered_map<ComponentId, std::size_t> input_of_;
};

}  // namespace

GraphRegion build_graph_region(const WorkGraph& work, const RegionSearch& search,
                               std::uint32_t region) {
  return Builder(work, search, region).build();
}

}  // namespace gxr
