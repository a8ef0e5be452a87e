#include "observe/status_json.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "observe/status_text.hpp"

namespace gxr {
namespace {

using StatusJson = nlohmann::ordered_json;

constexpr int kStatusVersion = 1;

/// The value from `first` to `last` that `text_of` calls `name`.
template <class Value, class TextOf>
Value value_of(const std::string& name, Value first, Value last, const TextOf& text_of) {
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    if (name == text_of(static_cast<Value>(i))) {
      return static_cast<Value>(i);
    }
  }
  throw Error(ErrorCode::InvalidData, "the status has the unknown state " + quote_text(name));
}

/// A number, or null for one that is not known.
StatusJson number(const std::optional<std::uint64_t>& value) {
  return value ? StatusJson(*value) : StatusJson();
}

std::optional<std::uint64_t> read_number(const nlohmann::json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

template <class List>
StatusJson list_json(const List& list) {
  StatusJson json = StatusJson::array();
  for (const auto& each : list) {
    json.push_back(to_json(each));
  }
  return json;
}

void add_ranks(const RankOrigins& origins, StatusJson& json) {
  json["ranks"] = origins.ranks;
  for (StatusJson& entity : json["entities"]) {
    entity["rank"] = origins.find(entity["entity"].get<std::string>()).value_or(0);
  }
  std::size_t number = 0;
  for (StatusJson& allocator : json["allocators"]) {
    allocator["rank"] = origins.find_allocator(number++).value_or(0);
  }
  for (StatusJson& graph : json["graphs"]) {
    graph["rank"] = origins.find(graph["region"].get<std::string>()).value_or(0);
  }
}

TimeFacts read_times(const nlohmann::json& json) {
  if (json.is_null()) {
    return {};
  }
  const auto ns = [&](const char* key) { return json.at(key).get<std::int64_t>(); };
  return {json.at("count").get<std::uint64_t>(),
          ns("total_ns"),
          ns("p50_ns"),
          ns("p90_ns"),
          ns("p99_ns"),
          ns("p999_ns"),
          ns("longest_ns")};
}

QueueStatus read_queue(const nlohmann::json& json) {
  return {json.at("queue").get<std::string>(), json.at("direction") == "input",
          read_number(json.at("messages")),    read_number(json.at("capacity")),
          read_number(json.at("dropped")),     read_number(json.at("peak")),
          read_number(json.at("arrived")),     read_times(json.at("waiting"))};
}

DeadlineStatus read_deadline(const nlohmann::json& json) {
  return {json.at("of") == "age",
          json.at("source").get<std::string>(),
          json.at("limit_ns").get<std::int64_t>(),
          json.at("checked").get<std::uint64_t>(),
          json.at("missed").get<std::uint64_t>(),
          json.at("longest_ns").get<std::int64_t>()};
}

EntityStatus read_entity(const nlohmann::json& json) {
  EntityStatus entity;
  entity.entity = json.at("entity").get<std::string>();
  entity.ticks = json.at("ticks").get<std::uint64_t>();
  entity.most_ticks = read_number(json.at("most_ticks"));
  entity.state =
      value_of(json.at("state").get<std::string>(), EntityState::Unknown, EntityState::Finished,
               [](EntityState state) { return std::string(to_string(state)); });
  entity.reasons = json.at("reasons").get<std::vector<std::string>>();
  for (const nlohmann::json& queue : json.at("queues")) {
    entity.queues.push_back(read_queue(queue));
  }
  entity.times = read_times(json.at("times"));
  entity.lateness = read_times(json.at("lateness"));
  for (const nlohmann::json& deadline : json.at("deadlines")) {
    entity.deadlines.push_back(read_deadline(deadline));
  }
  entity.type = json.at("type").get<std::string>();
  entity.swaps = json.at("swaps").get<std::uint64_t>();
  entity.restarts = json.at("restarts").get<std::uint64_t>();
  entity.lost = json.at("lost").get<std::uint64_t>();
  return entity;
}

GraphStatus read_graph(const nlohmann::json& json) {
  GraphStatus graph{json.at("region").get<std::string>(), json.at("device").get<std::int32_t>(),
                    json.at("loops").get<bool>(), read_number(json.at("iterations"))};
  graph.measured = json.at("measured").get<std::uint64_t>();
  graph.measured_ns = json.at("measured_ns").get<std::int64_t>();
  for (const nlohmann::json& each : json.at("operators")) {
    graph.operators.push_back(
        {each.at("entity").get<std::string>(), each.at("runs").get<std::uint64_t>(),
         each.at("total_ns").get<std::int64_t>(), each.at("longest_ns").get<std::int64_t>()});
  }
  return graph;
}

RunStatus read_run(const nlohmann::json& json) {
  RunStatus run;
  run.executor = json.at("executor").get<std::string>();
  for (const nlohmann::json& entity : json.at("entities")) {
    run.entities.push_back(read_entity(entity));
  }
  for (const nlohmann::json& path : json.at("paths")) {
    run.paths.push_back({path.at("source").get<std::string>(), path.at("sink").get<std::string>(),
                         read_times(path.at("age"))});
  }
  run.ages_left_out = json.at("ages_left_out").get<std::uint64_t>();
  for (const nlohmann::json& allocator : json.at("allocators")) {
    run.allocators.push_back({allocator.at("allocator").get<std::string>(),
                              allocator.at("bytes").get<std::uint64_t>(),
                              allocator.at("peak_bytes").get<std::uint64_t>()});
  }
  if (json.contains("graphs")) {  // an application that began before an update has none
    for (const nlohmann::json& graph : json.at("graphs")) {
      run.graphs.push_back(read_graph(graph));
    }
  }
  return run;
}

RankOrigins read_origins(const nlohmann::json& json) {
  RankOrigins origins;
  origins.ranks = json.at("ranks").get<std::uint32_t>();
  for (const nlohmann::json& entity : json.at("entities")) {
    origins.of_entity[entity.at("entity").get<std::string>()] =
        entity.at("rank").get<std::uint32_t>();
  }
  for (const nlohmann::json& allocator : json.at("allocators")) {
    origins.of_allocator.push_back(allocator.at("rank").get<std::uint32_t>());
  }
  return origins;
}

ApplicationStatus read_application(const nlohmann::json& json) {
  if (json.at("version") != kStatusVersion) {
    throw Error(ErrorCode::InvalidData, "the application's status has another version");
  }
  ApplicationStatus status;
  status.application = {json.at("process").get<std::int64_t>(), json.at("name").get<std::string>(),
                        json.at("files").get<std::vector<std::string>>(),
                        json.at("started_ms").get<std::int64_t>()};
  status.phase =
      value_of(json.at("state").get<std::string>(), RunPhase::Starting, RunPhase::Stopping,
               [](RunPhase phase) { return std::string(phase_text(phase)); });
  status.elapsed_ns = json.at("elapsed_ns").get<std::int64_t>();
  status.calls = json.at("calls").get<std::vector<std::string>>();
  if (json.contains("silent_ranks")) {
    status.silent_ranks = json.at("silent_ranks").get<std::vector<std::uint32_t>>();
  }
  status.run = read_run(json);
  if (json.contains("ranks")) {
    status.origins = read_origins(json);
  }
  return status;
}

/// The library's exceptions are about keys and types.
template <class Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::InvalidData, "what came is no status of an application");
  }
}

}  // namespace

StatusJson to_json(const ApplicationIdentity& application) {
  return {{"process", application.process},
          {"name", application.name},
          {"files", application.files},
          {"started_ms", application.started_ms}};
}

StatusJson to_json(const TimeFacts& times) {
  if (times.count == 0) {
    return {};
  }
  return {{"count", times.count},          {"total_ns", times.total_ns}, {"p50_ns", times.p50_ns},
          {"p90_ns", times.p90_ns},        {"p99_ns", times.p99_ns},     {"p999_ns", times.p999_ns},
          {"longest_ns", times.longest_ns}};
}

StatusJson to_json(const QueueStatus& queue) {
  return {{"queue", queue.queue},
          {"direction", queue.is_input ? "input" : "output"},
          {"messages", number(queue.messages)},
          {"capacity", number(queue.capacity)},
          {"dropped", number(queue.dropped)},
          {"peak", number(queue.peak)},
          {"arrived", number(queue.arrived)},
          {"waiting", to_json(queue.waiting)}};
}

StatusJson to_json(const PathStatus& path) {
  return {{"source", path.source}, {"sink", path.sink}, {"age", to_json(path.age)}};
}

StatusJson to_json(const AllocatorStatus& allocator) {
  return {{"allocator", allocator.allocator},
          {"bytes", allocator.bytes},
          {"peak_bytes", allocator.peak_bytes}};
}

StatusJson to_json(const OperatorStatistics& each) {
  return {{"entity", each.entity},
          {"runs", each.runs},
          {"total_ns", each.total_ns},
          {"longest_ns", each.longest_ns}};
}

StatusJson to_json(const GraphStatus& graph) {
  return {{"region", graph.region},
          {"device", graph.device},
          {"loops", graph.loops},
          {"iterations", number(graph.iterations)},
          {"measured", graph.measured},
          {"measured_ns", graph.measured_ns},
          {"operators", list_json(graph.operators)}};
}

StatusJson to_json(const DeadlineStatus& deadline) {
  return {{"of", deadline.is_age ? "age" : "tick"},
          {"source", deadline.source},
          {"limit_ns", deadline.limit_ns},
          {"checked", deadline.checked},
          {"missed", deadline.missed},
          {"longest_ns", deadline.longest_ns}};
}

StatusJson to_json(const EntityStatus& entity) {
  return {{"entity", entity.entity},
          {"ticks", entity.ticks},
          {"most_ticks", number(entity.most_ticks)},
          {"state", to_string(entity.state)},
          {"reasons", entity.reasons},
          {"queues", list_json(entity.queues)},
          {"times", to_json(entity.times)},
          {"lateness", to_json(entity.lateness)},
          {"deadlines", list_json(entity.deadlines)},
          {"type", entity.type},
          {"swaps", entity.swaps},
          {"restarts", entity.restarts},
          {"lost", entity.lost}};
}

StatusJson to_json(const ApplicationStatus& status) {
  StatusJson json = {{"version", kStatusVersion}};
  json.update(to_json(status.application));
  json["state"] = phase_text(status.phase);
  json["elapsed_ns"] = status.elapsed_ns;
  json["executor"] = status.run.executor;
  json["calls"] = status.calls;
  if (!status.silent_ranks.empty()) {
    json["silent_ranks"] = status.silent_ranks;
  }
  json["entities"] = list_json(status.run.entities);
  json["paths"] = list_json(status.run.paths);
  json["ages_left_out"] = status.run.ages_left_out;
  json["allocators"] = list_json(status.run.allocators);
  json["graphs"] = list_json(status.run.graphs);
  if (status.origins.ranks > 0) {
    add_ranks(status.origins, json);
  }
  return json;
}

EntityStatus read_entity_status(const nlohmann::json& json) {
  return reading([&] { return read_entity(json); });
}

ApplicationStatus read_status(const nlohmann::json& json) {
  return reading([&] { return read_application(json); });
}

}  // namespace gxr
