#include "observe/status_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using StatusJson = nlohmann::ordered_json;

constexpr int kStatusVersion = 1;
constexpr std::size_t kLongestColumn = 32;

constexpr std::array<std::pair<EntityState, const char*>, 7> kStates{
    {{EntityState::Unknown, "unknown"},
     {EntityState::NotStarted, "not-started"},
     {EntityState::Queued, "queued"},
     {EntityState::Running, "running"},
     {EntityState::Ready, "ready"},
     {EntityState::Waiting, "waiting"},
     {EntityState::Finished, "finished"}}};
constexpr std::array<std::pair<RunPhase, const char*>, 3> kPhases{
    {{RunPhase::Starting, "starting"},
     {RunPhase::Running, "running"},
     {RunPhase::Stopping, "stopping"}}};

template <class Names, class Value>
const char* name_of(const Names& names, Value value) noexcept {
  const auto found = std::ranges::find(names, value, [](const auto& each) { return each.first; });
  return found == names.end() ? "unknown" : found->second;
}

template <class Value, class Names>
Value value_of(const Names& names, const std::string& name) {
  const auto found =
      std::ranges::find(names, name, [](const auto& each) { return std::string(each.second); });
  if (found == names.end()) {
    throw Error(ErrorCode::InvalidData, "the status has the unknown state " + quote_text(name));
  }
  return found->first;
}

/// A number, or null for one that is not known.
StatusJson number(const std::optional<std::uint64_t>& value) {
  return value ? StatusJson(*value) : StatusJson();
}

std::optional<std::uint64_t> read_number(const nlohmann::json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

StatusJson to_json(const QueueStatus& queue) {
  return {{"queue", queue.queue},
          {"direction", queue.is_input ? "input" : "output"},
          {"messages", number(queue.messages)},
          {"capacity", number(queue.capacity)},
          {"dropped", number(queue.dropped)}};
}

QueueStatus read_queue(const nlohmann::json& json) {
  return {json.at("queue").get<std::string>(), json.at("direction") == "input",
          read_number(json.at("messages")), read_number(json.at("capacity")),
          read_number(json.at("dropped"))};
}

EntityStatus read_entity(const nlohmann::json& json) {
  EntityStatus entity;
  entity.entity = json.at("entity").get<std::string>();
  entity.ticks = json.at("ticks").get<std::uint64_t>();
  entity.state = value_of<EntityState>(kStates, json.at("state").get<std::string>());
  entity.reasons = json.at("reasons").get<std::vector<std::string>>();
  for (const nlohmann::json& queue : json.at("queues")) {
    entity.queues.push_back(read_queue(queue));
  }
  return entity;
}

ApplicationStatus read_application(const nlohmann::json& json) {
  if (json.at("version") != kStatusVersion) {
    throw Error(ErrorCode::InvalidData, "the application's status has another version");
  }
  ApplicationStatus status;
  status.application = {json.at("process").get<std::int64_t>(), json.at("name").get<std::string>(),
                        json.at("files").get<std::vector<std::string>>(),
                        json.at("started_ms").get<std::int64_t>()};
  status.phase = value_of<RunPhase>(kPhases, json.at("state").get<std::string>());
  status.elapsed_ns = json.at("elapsed_ns").get<std::int64_t>();
  status.calls = json.at("calls").get<std::vector<std::string>>();
  status.run.executor = json.at("executor").get<std::string>();
  for (const nlohmann::json& entity : json.at("entities")) {
    status.run.entities.push_back(read_entity(entity));
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

/// Counts characters, not bytes.
std::string padded(const std::string& text, std::size_t width) {
  const std::size_t size = count_characters(text);
  return size < width ? text + std::string(width - size, ' ') : text;
}

template <class List, class Name>
std::size_t column_of(const List& list, std::string_view title, const Name& name) {
  std::size_t width = title.size();
  for (const auto& each : list) {
    width = std::max(width, std::min(count_characters(name(each)), kLongestColumn));
  }
  return width;
}

const char* unknown_text(RunPhase phase) {
  return phase == RunPhase::Running ? "not known: the scheduler's thread is in a call" : "";
}

/// A line for each reason; those behind the first below it.
void add_entity_row(std::string& text, const EntityStatus& entity, std::size_t width,
                    RunPhase phase) {
  const bool lists = entity.state == EntityState::Waiting && entity.reasons.size() > 1;
  const std::string state = entity.state == EntityState::Unknown ? unknown_text(phase)
                            : lists                              ? entity.reasons.front()
                                                                 : state_text(entity);
  text += fmt::format("{} {:>10}  {}", padded(entity.entity, width), entity.ticks, state);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (std::size_t i = 1; lists && i < entity.reasons.size(); ++i) {
    text += std::string(width + 13, ' ') + entity.reasons[i] + "\n";
  }
}

std::string entity_table(const ApplicationStatus& status) {
  const std::vector<EntityStatus>& entities = status.run.entities;
  if (entities.empty()) {
    return {};
  }
  const std::size_t width =
      column_of(entities, "entity", [](const EntityStatus& each) { return each.entity; });
  std::string text = fmt::format("{} {:>10}  state\n", padded("entity", width), "ticks");
  for (const EntityStatus& entity : entities) {
    add_entity_row(text, entity, width, status.phase);
  }
  return text;
}

std::string count_or_unknown(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : "?";
}

std::string queue_table(const std::vector<const QueueStatus*>& queues) {
  if (queues.empty()) {
    return {};
  }
  const std::size_t width =
      column_of(queues, "queue", [](const QueueStatus* each) { return each->queue; });
  std::string text = fmt::format("{} {:>10} {:>10} {:>10}\n", padded("queue", width), "messages",
                                 "capacity", "dropped");
  for (const QueueStatus* queue : queues) {
    text += fmt::format("{} {:>10} {:>10} {:>10}\n", padded(queue->queue, width),
                        count_or_unknown(queue->messages), count_or_unknown(queue->capacity),
                        count_or_unknown(queue->dropped));
  }
  return text;
}

void add_queues_of(const EntityStatus& entity, std::vector<const QueueStatus*>& queues) {
  for (const QueueStatus& queue : entity.queues) {
    queues.push_back(&queue);
  }
}

std::string headline(const ApplicationStatus& status) {
  std::string text = fmt::format("application {}, process {}: {} for {}",
                                 quote_text(status.application.name), status.application.process,
                                 phase_text(status.phase), elapsed_text(status.elapsed_ns));
  if (!status.run.executor.empty()) {
    text += fmt::format(" by {}, {}, {}", status.run.executor,
                        counted(status.run.entities.size(), "entity", "entities"),
                        counted(ticks_of(status.run), "tick", "ticks"));
  }
  return text + "\n";
}

}  // namespace

const char* to_string(EntityState state) noexcept { return name_of(kStates, state); }
const char* phase_text(RunPhase phase) noexcept { return name_of(kPhases, phase); }

std::string state_text(const EntityStatus& entity) {
  switch (entity.state) {
    case EntityState::NotStarted:
      return "has not started";
    case EntityState::Queued:
      return "is to be looked at";
    case EntityState::Running:
      return "is running";
    case EntityState::Ready:
      return "is ready";
    case EntityState::Finished:
      return "has finished";
    case EntityState::Waiting: {
      std::string text;
      for (const std::string& reason : entity.reasons) {
        text += (text.empty() ? "" : "; ") + reason;
      }
      return text.empty() ? "waits" : text;
    }
    case EntityState::Unknown:
      break;
  }
  return {};
}

std::string content_text(const QueueStatus& queue) {
  return count_or_unknown(queue.messages) + " of " + count_or_unknown(queue.capacity);
}

std::string elapsed_text(std::int64_t ns) {
  const std::int64_t s = ns / 1'000'000'000;
  if (s < 60) {
    return fmt::format("{:.1f} s", static_cast<double>(ns) * 1e-9);
  }
  if (s < 3600) {
    return fmt::format("{} min {} s", s / 60, s % 60);
  }
  return s < 86400 ? fmt::format("{} h {} min", s / 3600, s / 60 % 60)
                   : fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

std::uint64_t ticks_of(const RunStatus& status) noexcept {
  std::uint64_t ticks = 0;
  for (const EntityStatus& entity : status.entities) {
    ticks += entity.ticks;
  }
  return ticks;
}

std::string render_status(const ApplicationStatus& status) {
  std::string text = headline(status);
  for (const std::string& call : status.calls) {
    text += "runs " + call + "\n";
  }
  std::vector<const QueueStatus*> queues;
  for (const EntityStatus& entity : status.run.entities) {
    add_queues_of(entity, queues);
  }
  const std::string entities = entity_table(status);
  const std::string table = queue_table(queues);
  text += (entities.empty() ? "" : "\n") + entities;
  return text + (table.empty() ? "" : "\n") + table;
}

std::string render_entity(const EntityStatus& entity) {
  const std::string state = state_text(entity);
  std::string text = fmt::format("entity {}: {}", quote_text(entity.entity),
                                 counted(entity.ticks, "tick", "ticks"));
  if (entity.state == EntityState::Waiting && entity.reasons.size() > 1) {
    text += '\n';
    for (const std::string& reason : entity.reasons) {
      text += "  " + reason + "\n";
    }
  } else {
    text += (state.empty() ? "" : ", " + state) + "\n";
  }
  std::vector<const QueueStatus*> queues;
  add_queues_of(entity, queues);
  const std::string table = queue_table(queues);
  return text + (table.empty() ? "" : "\n") + table;
}

StatusJson to_json(const ApplicationIdentity& application) {
  return {{"process", application.process},
          {"name", application.name},
          {"files", application.files},
          {"started_ms", application.started_ms}};
}

StatusJson to_json(const EntityStatus& entity) {
  StatusJson queues = StatusJson::array();
  for (const QueueStatus& queue : entity.queues) {
    queues.push_back(to_json(queue));
  }
  return {{"entity", entity.entity},
          {"ticks", entity.ticks},
          {"state", to_string(entity.state)},
          {"reasons", entity.reasons},
          {"queues", std::move(queues)}};
}

StatusJson to_json(const ApplicationStatus& status) {
  StatusJson json = {{"version", kStatusVersion}};
  json.update(to_json(status.application));
  json["state"] = phase_text(status.phase);
  json["elapsed_ns"] = status.elapsed_ns;
  json["executor"] = status.run.executor;
  json["calls"] = status.calls;
  json["entities"] = StatusJson::array();
  for (const EntityStatus& entity : status.run.entities) {
    json["entities"].push_back(to_json(entity));
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
