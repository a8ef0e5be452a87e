#include "observe/facts_text.hpp"

#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "document/number_text.hpp"

namespace gxr {
namespace {

std::string count_or_unknown(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : "?";
}

std::string path_name(const PathStatus& path) { return path.source + " -> " + path.sink; }

/// "writer: tick", "writer: age of data from camera".
std::string deadline_name(const EntityStatus& entity, const DeadlineStatus& deadline) {
  return entity.entity + (deadline.is_age ? ": age of data" : ": tick") +
         (deadline.source.empty() ? "" : " from " + deadline.source);
}

/// A table of named times.
using NamedTimes = std::vector<std::pair<std::string, const TimeFacts*>>;

std::string time_table(const char* title, const NamedTimes& rows) {
  if (rows.empty()) {
    return {};
  }
  const std::size_t width = name_width(rows, title, [](const auto& row) { return row.first; });
  std::string text = fmt::format("{} {:>10} {:>10} {:>10} {:>10}\n", padded(title, width), "median",
                                 "99 %", "99.9 %", "longest");
  for (const auto& [name, times] : rows) {
    text += fmt::format("{} {:>10} {:>10} {:>10} {:>10}\n", padded(name, width),
                        time_cell(*times, times->p50_ns), time_cell(*times, times->p99_ns),
                        time_cell(*times, times->p999_ns), time_cell(*times, times->longest_ns));
  }
  return text;
}

}  // namespace

std::string duration_text(double ns) {
  if (ns < 1e3) {
    return fmt::format("{:.0f} ns", ns);
  }
  if (ns < 1e6) {
    return fmt::format("{:.2f} us", ns * 1e-3);
  }
  if (ns < 1e9) {
    return fmt::format("{:.2f} ms", ns * 1e-6);
  }
  return fmt::format("{:.2f} s", ns * 1e-9);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB"};
  if (bytes < 1024) {
    return fmt::format("{} B", bytes);
  }
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) {
    value /= 1024;
  }
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string time_cell(const TimeFacts& facts, std::int64_t ns) {
  return facts.count == 0 ? "-" : duration_text(static_cast<double>(ns));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t size = count_characters(text);
  return size < width ? text + std::string(width - size, ' ') : text;
}

std::string queue_table(const std::vector<EntityStatus>& entities) {
  std::vector<const QueueStatus*> queues;
  for (const EntityStatus& entity : entities) {
    for (const QueueStatus& queue : entity.queues) {
      queues.push_back(&queue);
    }
  }
  if (queues.empty()) {
    return {};
  }
  const std::size_t width =
      name_width(queues, "queue", [](const QueueStatus* each) { return each->queue; });
  std::string text =
      fmt::format("{} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10}\n", padded("queue", width), "messages",
                  "capacity", "most", "dropped", "wait", "99 %");
  for (const QueueStatus* queue : queues) {
    const TimeFacts& waiting = queue->waiting;
    text += fmt::format("{} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10}\n", padded(queue->queue, width),
                        count_or_unknown(queue->messages), count_or_unknown(queue->capacity),
                        queue->is_input ? count_or_unknown(queue->peak) : "-",
                        count_or_unknown(queue->dropped), time_cell(waiting, waiting.p50_ns),
                        time_cell(waiting, waiting.p99_ns));
  }
  return text;
}

std::string lateness_table(const std::vector<EntityStatus>& entities) {
  NamedTimes rows;
  for (const EntityStatus& entity : entities) {
    if (entity.lateness.count > 0) {
      rows.emplace_back(entity.entity, &entity.lateness);
    }
  }
  return time_table("lateness", rows);
}

std::string deadline_table(const std::vector<EntityStatus>& entities) {
  std::vector<std::pair<std::string, const DeadlineStatus*>> rows;
  for (const EntityStatus& entity : entities) {
    for (const DeadlineStatus& deadline : entity.deadlines) {
      rows.emplace_back(deadline_name(entity, deadline), &deadline);
    }
  }
  if (rows.empty()) {
    return {};
  }
  const std::size_t width = name_width(rows, "deadline", [](const auto& row) { return row.first; });
  std::string text = fmt::format("{} {:>11} {:>10} {:>10} {:>11}\n", padded("deadline", width),
                                 "at most", "checked", "missed", "longest");
  for (const auto& [name, deadline] : rows) {
    text += fmt::format("{} {:>11} {:>10} {:>10} {:>11}\n", padded(name, width),
                        duration_text(static_cast<double>(deadline->limit_ns)), deadline->checked,
                        deadline->missed, duration_text(static_cast<double>(deadline->longest_ns)));
  }
  return text;
}

std::string path_table(const RunStatus& status) {
  NamedTimes rows;
  for (const PathStatus& path : status.paths) {
    rows.emplace_back(path_name(path), &path.age);
  }
  std::string text = time_table("age of data", rows);
  if (status.ages_left_out > 0) {
    text += fmt::format("{} on further paths\n", counted(status.ages_left_out, "age", "ages"));
  }
  return text;
}

std::string graph_table(const std::vector<GraphStatus>& graphs) {
  if (graphs.empty()) {
    return {};
  }
  std::size_t width =
      name_width(graphs, "CUDA graph", [](const GraphStatus& graph) { return graph.region; });
  for (const GraphStatus& graph : graphs) {
    width = std::max(width, name_width(graph.operators, "", [](const OperatorStatistics& each) {
                       return "  " + each.entity;
                     }));
  }
  const auto mean = [](std::int64_t total, std::uint64_t count) {
    return count == 0 ? std::string("-")
                      : duration_text(static_cast<double>(total) / static_cast<double>(count));
  };
  std::string text = fmt::format("{} {:>11} {:>9} {:>11} {:>11}\n", padded("CUDA graph", width),
                                 "iterations", "measured", "mean", "longest");
  for (const GraphStatus& graph : graphs) {
    text += fmt::format("{} {:>11} {:>9} {:>11} {:>11}\n", padded(graph.region, width),
                        graph.iterations ? std::to_string(*graph.iterations) : "-", graph.measured,
                        mean(graph.measured_ns, graph.measured), "-");
    for (const OperatorStatistics& each : graph.operators) {
      text +=
          fmt::format("{} {:>11} {:>9} {:>11} {:>11}\n", padded("  " + each.entity, width), "",
                      each.runs, mean(each.total_ns, each.runs),
                      each.runs == 0 ? "-" : duration_text(static_cast<double>(each.longest_ns)));
    }
  }
  return text;
}

std::string allocator_table(const std::vector<AllocatorStatus>& allocators) {
  if (allocators.empty()) {
    return {};
  }
  const std::size_t width = name_width(allocators, "allocator",
                                       [](const AllocatorStatus& each) { return each.allocator; });
  std::string text =
      fmt::format("{} {:>11} {:>11}\n", padded("allocator", width), "in use", "most");
  for (const AllocatorStatus& each : allocators) {
    text += fmt::format("{} {:>11} {:>11}\n", padded(each.allocator, width), bytes_text(each.bytes),
                        bytes_text(each.peak_bytes));
  }
  return text;
}

}  // namespace gxr
