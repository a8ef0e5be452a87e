#include "observe/status_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "observe/facts_text.hpp"

namespace gxr {
namespace {

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
  text += fmt::format("{} {:>10} {:>10} {:>10}  {}", padded(entity.entity, width), entity.ticks,
                      time_cell(entity.times, entity.times.p50_ns),
                      time_cell(entity.times, entity.times.p99_ns), state);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (std::size_t i = 1; lists && i < entity.reasons.size(); ++i) {
    text += std::string(width + 35, ' ') + entity.reasons[i] + "\n";
  }
}

std::string entity_table(const ApplicationStatus& status) {
  const std::vector<EntityStatus>& entities = status.run.entities;
  if (entities.empty()) {
    return {};
  }
  const std::size_t width =
      name_width(entities, "entity", [](const EntityStatus& each) { return each.entity; });
  std::string text = fmt::format("{} {:>10} {:>10} {:>10}  state\n", padded("entity", width),
                                 "ticks", "tick", "99 %");
  for (const EntityStatus& entity : entities) {
    add_entity_row(text, entity, width, status.phase);
  }
  return text;
}

/// "5 ticks measured: median …"; empty when there is none.
std::string times_text(const TimeFacts& times, const char* one, const char* several) {
  if (times.count == 0) {
    return {};
  }
  const auto text = [](std::int64_t ns) { return duration_text(static_cast<double>(ns)); };
  return fmt::format("{}: median {}, 90 % {}, 99 % {}, 99.9 % {}, longest {}\n",
                     counted(times.count, one, several), text(times.p50_ns), text(times.p90_ns),
                     text(times.p99_ns), text(times.p999_ns), text(times.longest_ns));
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
  for (const std::uint32_t rank : status.silent_ranks) {
    text += fmt::format("\nrank {} does not answer: its entities are left out", rank);
  }
  return text + "\n";
}

/// "12 ticks", "12 of 300 ticks".
std::string ticks_text(const EntityStatus& entity) {
  return entity.most_ticks
             ? fmt::format("{} of {}", entity.ticks, counted(*entity.most_ticks, "tick", "ticks"))
             : counted(entity.ticks, "tick", "ticks");
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
  const auto number = [](const std::optional<std::uint64_t>& count) {
    return count ? std::to_string(*count) : std::string("?");
  };
  return number(queue.messages) + " of " + number(queue.capacity);
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
  const std::string tables[] = {entity_table(status),
                                queue_table(status.run.entities),
                                lateness_table(status.run.entities),
                                deadline_table(status.run.entities),
                                path_table(status.run),
                                graph_table(status.run.graphs),
                                allocator_table(status.run.allocators),
                                exchange_table(status.run.entities)};
  for (const std::string& table : tables) {
    text += (table.empty() ? "" : "\n") + table;
  }
  return text;
}

std::string exchange_text(const EntityStatus& entity) {
  std::string text;
  if (entity.swaps > 0) {
    text +=
        fmt::format("an operator of it was exchanged {}; ", counted(entity.swaps, "time", "times"));
  }
  if (entity.restarts > 0) {
    text += fmt::format("an operator of it was made anew {} after a failure; ",
                        counted(entity.restarts, "time", "times"));
  }
  if (entity.lost > 0) {
    text += fmt::format("{} lost in failed ticks; ",
                        counted(entity.lost, "message was", "messages were"));
  }
  return text.empty() ? text : fmt::format("{}its type is {}", text, entity.type);
}

std::string exchange_table(const std::vector<EntityStatus>& entities) {
  std::string table;
  for (const EntityStatus& entity : entities) {
    const std::string text = exchange_text(entity);
    table += text.empty() ? text : fmt::format("entity {}: {}\n", quote_text(entity.entity), text);
  }
  return table;
}

std::string render_entity(const EntityStatus& entity) {
  const std::string state = state_text(entity);
  std::string text = fmt::format("entity {}: {}", quote_text(entity.entity), ticks_text(entity));
  if (entity.state == EntityState::Waiting && entity.reasons.size() > 1) {
    text += '\n';
    for (const std::string& reason : entity.reasons) {
      text += "  " + reason + "\n";
    }
  } else {
    text += (state.empty() ? "" : ", " + state) + "\n";
  }
  text += times_text(entity.times, "tick measured", "ticks measured");
  text += times_text(entity.lateness, "tick late", "ticks late");
  const std::string exchanges = exchange_text(entity);
  text += exchanges.empty() ? exchanges : exchanges + "\n";
  for (const std::string& table : {deadline_table({entity}), queue_table({entity})}) {
    text += (table.empty() ? "" : "\n") + table;
  }
  return text;
}

}  // namespace gxr
