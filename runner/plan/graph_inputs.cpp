#include "plan/graph_inputs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "document/no_handles.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

struct FoundInput {
  GraphRegion* region = nullptr;
  std::size_t index = 0;
};

class InputReader {
 public:
  InputReader(const GraphComponent& executor, const Graph& graph, std::vector<Region>& regions,
              Diagnostics& diagnostics)
      : executor_(executor), graph_(graph), regions_(regions), diagnostics_(diagnostics) {}

  void read_specs(const ParameterAssignment& given) {
    for (std::size_t i = 0; i < given.value->size(); ++i) {
      const Value& key = given.value->key(i);
      const ComponentId receiver = receiver_called(key, graph_.scopes[given.scope].prefix);
      const std::optional<FoundInput> input = find_input(receiver);
      GraphTensor* tensor = find_without_writer(receiver);
      if (input) {
        tensor = &input->region->tensors[input->region->inputs[input->index].tensor];
      }
      if (tensor == nullptr) {
        report(
            key,
            "is no receiver that is fed from outside of the graph, by a delayed connection, or by "
            "a program that drives it");
      } else {
        tensor->spec = read_spec(given.value->value(i));
        tensor->spec_is_given = true;
      }
    }
  }

  void read_timestamp_from(const ParameterAssignment& given) {
    const ComponentId receiver = executor_.handle("timestamp_from");
    if (receiver == kNone) {
      return;
    }
    if (const std::optional<FoundInput> input = find_input(receiver)) {
      input->region->timestamp_from = input->index;
    } else if (find_without_writer(receiver) != nullptr) {
      report(*given.value, "is fed by a delayed connection or a program, whose tensor has no time");
    } else {
      report(*given.value, "is no receiver that is fed from outside of the graph");
    }
  }

 private:
  [[nodiscard]] ComponentId receiver_called(const Value& key, const std::string& prefix) const {
    const std::string_view text = key.text();
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
      return kNone;
    }
    const GraphEntity* entity = graph_.find_entity(prefix + std::string(text.substr(0, slash)));
    if (entity == nullptr) {
      return kNone;
    }
    const auto found = std::ranges::find_if(entity->components, [&](ComponentId id) {
      return graph_.components[id].name == text.substr(slash + 1);
    });
    return found == entity->components.end() ? kNone : *found;
  }

  /// By the receiver of an operator, or of an entity that was dissolved.
  [[nodiscard]] std::optional<FoundInput> find_input(ComponentId receiver) const {
    for (Region& region : regions_) {
      if (!region.graph || region.declared_by != executor_.id) {
        continue;
      }
      for (std::size_t i = 0; i < region.graph->inputs.size(); ++i) {
        const GraphInput& input = region.graph->inputs[i];
        const auto& receivers = region.graph->tensors[input.tensor].receivers;
        const bool direct = std::ranges::find(receivers, receiver) != receivers.end();
        if (direct ||
            std::ranges::find(input.links, receiver, &Link::receiver) != input.links.end()) {
          return FoundInput{&*region.graph, i};
        }
      }
    }
    return std::nullopt;
  }

  /// The tensor that a delayed connection or a program gives a receiver; nullptr: neither does.
  [[nodiscard]] GraphTensor* find_without_writer(ComponentId receiver) const {
    for (Region& region : regions_) {
      if (!region.graph || region.declared_by != executor_.id) {
        continue;
      }
      for (GraphTensor& tensor : region.graph->tensors) {
        if ((tensor.delays != kNone || tensor.by_program) &&
            std::ranges::find(tensor.receivers, receiver) != tensor.receivers.end()) {
          return &tensor;
        }
      }
    }
    return nullptr;
  }

  static std::optional<TensorSpec> read_spec(const Value& value) {
    NoHandles none;
    try {
      return ParameterTraits<TensorSpec>::parse(value, none);
    } catch (const Error&) {
      return std::nullopt;  // reported when parameters were checked
    }
  }

  void report(const Value& name, const char* what) {
    std::vector<std::string> inputs;
    for (const Region& region : regions_) {
      if (region.graph && region.declared_by == executor_.id) {
        for (const GraphInput& input : region.graph->inputs) {
          inputs.push_back(graph_.full_name(graph_.components[input.links.front().receiver]));
        }
        for (const GraphTensor& tensor : region.graph->tensors) {
          if (tensor.by_program) {
            inputs.push_back(graph_.full_name(graph_.components[tensor.receivers.front()]));
          }
        }
      }
    }
    std::string hint;
    for (const std::string& input : inputs) {
      hint += (hint.empty() ? "its inputs: " : ", ") + in_quotes(input);
    }
    diagnostics_.add(DiagnosticCode::RegionInput, name, in_quotes(name.text()) + " " + what,
                     inputs.empty() ? "the graph has no inputs" : hint);
  }

  const GraphComponent& executor_;
  const Graph& graph_;
  std::vector<Region>& regions_;
  Diagnostics& diagnostics_;
};

}  // namespace

void apply_inputs(const GraphComponent& executor, const Graph& graph, std::vector<Region>& regions,
                  Diagnostics& diagnostics) {
  InputReader reader(executor, graph, regions, diagnostics);
  if (const ParameterAssignment* given = executor.find("inputs")) {
    reader.read_specs(*given);
  }
  if (const ParameterAssignment* given = executor.find("timestamp_from")) {
    reader.read_timestamp_from(*given);
  }
}

}  // namespace gxr
