#include "plan/graph_executors.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "plan/default_device.hpp"
#include "plan/named_entities.hpp"

namespace gxr {
namespace {

template <class Unit>
std::chrono::nanoseconds time(const GraphComponent& executor, std::string_view key) {
  return Unit{integer_parameter(executor, key).value_or(0)};
}

bool is_graph_executor(const GraphComponent& component) {
  return component.type != nullptr && component.type->name == kGraphExecutor;
}

GraphOptions read_options(const Graph& graph, const GraphComponent& executor) {
  const auto number = [&](std::string_view key) {
    return static_cast<std::uint32_t>(unsigned_parameter(executor, key).value_or(0));
  };
  const auto signed_number = [&](std::string_view key) {
    return static_cast<std::int32_t>(integer_parameter(executor, key).value_or(0));
  };
  GraphOptions options;
  options.mode = enum_parameter<GraphMode>(executor, "mode");
  options.device = device_of_executor(graph, executor);
  options.loop = enum_parameter<GraphLoop>(executor, "loop");
  options.unroll = number("unroll");
  // A round of an unrolled loop needs inputs and room for all its iterations, while those of the
  // next come.
  const bool is_unrolled = options.mode == GraphMode::Resident && options.unroll > 1;
  options.slots = std::max(number("slots"), is_unrolled ? 2 * options.unroll : 1);
  options.priority = signed_number("priority");
  options.memory_sync_domain = enum_parameter<MemorySyncDomain>(executor, "memory_sync_domain");
  options.timeout = time<std::chrono::milliseconds>(executor, "timeout_ms");
  options.iteration_timeout = time<std::chrono::microseconds>(executor, "iteration_timeout_us");
  options.sleep_interval =
      time<std::chrono::microseconds>(executor, "data_not_ready_sleep_interval_us");
  options.pause = enum_parameter<GraphPause>(executor, "pause");
  options.host_driven = bool_parameter(executor, "host_driven").value_or(false);
  options.sync_with_host = bool_parameter(executor, "sync_with_host").value_or(false);
  options.on_stop = enum_parameter<GraphStop>(executor, "on_stop");
  options.ready = enum_parameter<GraphReady>(executor, "ready");
  options.input_timeout = time<std::chrono::milliseconds>(executor, "input_timeout_ms");
  options.missing_data = enum_parameter<MissingData>(executor, "missing_data");
  options.instrument_every = number("instrument_every");
  options.watchdog = time<std::chrono::milliseconds>(executor, "watchdog_ms");
  return options;
}

void read_entities(const WorkGraph& work, const ParameterAssignment& given,
                   GraphExecutorEntry& entry, Diagnostics& diagnostics) {
  std::unordered_set<EntityId> seen;
  for (std::size_t i = 0; i < given.value->size(); ++i) {
    const Value& name = given.value->at(i);
    const std::vector<EntityId> found = entities_called(work, given, name);
    if (found.empty()) {
      report_no_entity(work.graph, name, diagnostics);
    }
    for (const EntityId entity : found) {
      if (seen.insert(entity).second) {
        entry.entities.push_back({entity, &name});
      }
    }
  }
}

}  // namespace

bool has_graph_executor(const Graph& graph) {
  return std::ranges::any_of(graph.components, is_graph_executor);
}

std::vector<GraphExecutorEntry> find_graph_executors(const WorkGraph& work,
                                                     Diagnostics& diagnostics) {
  std::vector<GraphExecutorEntry> found;
  for (const GraphComponent& component : work.graph.components) {
    if (!is_graph_executor(component)) {
      continue;
    }
    GraphExecutorEntry& entry = found.emplace_back();
    entry.component = &component;
    entry.options = read_options(work.graph, component);
    if (const ParameterAssignment* given = component.find("entities")) {
      entry.names_entities = true;
      read_entities(work, *given, entry, diagnostics);
    }
  }
  return found;
}

}  // namespace gxr
