#include "monitor/metrics_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/run_status.hpp"
#include "observe/status_text.hpp"

namespace gxr {
namespace {

/// As a label's value, in quotes. Bytes that are no UTF-8 become U+FFFD.
std::string label_value(std::string_view text) {
  std::string value = "\"";
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.size);
    value += !character.valid ? "\xef\xbf\xbd"
             : bytes == "\n"  ? "\\n"
             : bytes == "\""  ? "\\\""
             : bytes == "\\"  ? "\\\\"
                              : std::string(bytes);
    text.remove_prefix(character.size);
  }
  return value + "\"";
}

using Labels = std::vector<std::pair<const char*, std::string>>;

std::string label_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += (text.empty() ? "{" : ",") + std::string(name) + "=" + label_value(value);
  }
  return text.empty() ? text : text + "}";
}

std::string seconds(std::int64_t ns) { return shortest_text(static_cast<double>(ns) / 1e9); }

/// Writes families of metrics one after the other.
class MetricsWriter {
 public:
  explicit MetricsWriter(MetricsForm form) : open_(form == MetricsForm::OpenMetrics) {}

  void begin_counter(const std::string& name, const char* help) {
    begin(open_ ? name : name + "_total", "counter", help);
    sample_ = name + "_total";
  }
  void begin_gauge(const std::string& name, const char* help, const char* unit = nullptr) {
    begin(name, "gauge", help, unit);
  }
  /// Labels that do not change, with the value 1.
  void add_info(const std::string& name, const char* help, const Labels& labels) {
    begin(open_ ? name : name + "_info", open_ ? "info" : "gauge", help);
    sample_ = name + "_info";
    add(labels, "1");
  }
  /// One state of several, which follow by add_state().
  void begin_states(const std::string& name, const char* help) {
    begin(name, open_ ? "stateset" : "gauge", help);
  }
  void add_state(Labels labels, const char* state, bool is_on) {
    labels.emplace_back(sample_.c_str(), state);
    add(labels, is_on ? "1" : "0");
  }
  void add(const Labels& labels, const std::string& value) {
    text_ += sample_ + label_text(labels) + " " + value + "\n";
  }
  void add(const Labels& labels, const std::optional<std::uint64_t>& value) {
    if (value) {
      add(labels, std::to_string(*value));
    }
  }

  /// Times as quantiles, followed by add_times().
  void begin_times(const std::string& name, const char* help) {
    begin(name, "summary", help, "seconds");
  }
  void add_times(const Labels& labels, const TimeFacts& times) {
    if (times.count == 0) {
      return;
    }
    const std::pair<const char*, std::int64_t> quantiles[] = {{"0.5", times.p50_ns},
                                                              {"0.9", times.p90_ns},
                                                              {"0.99", times.p99_ns},
                                                              {"0.999", times.p999_ns},
                                                              {"1", times.longest_ns}};
    for (const auto& [quantile, ns] : quantiles) {
      Labels with_quantile = labels;
      with_quantile.emplace_back("quantile", quantile);
      add(with_quantile, seconds(ns));
    }
    text_ += sample_ + "_sum" + label_text(labels) + " " + seconds(times.total_ns) + "\n";
    text_ += sample_ + "_count" + label_text(labels) + " " + std::to_string(times.count) + "\n";
  }

  [[nodiscard]] std::string end() && { return std::move(text_) + (open_ ? "# EOF\n" : ""); }

 private:
  void begin(const std::string& name, const char* type, const char* help,
             const char* unit = nullptr) {
    text_ += "# TYPE " + name + " " + type + "\n";
    if (open_ && unit != nullptr) {
      text_ += "# UNIT " + name + " " + unit + "\n";
    }
    text_ += "# HELP " + name + " " + help + "\n";
    sample_ = name;
  }

  bool open_;
  std::string text_;
  std::string sample_;
};

void add_application(MetricsWriter& writer, const ApplicationStatus& status) {
  const ApplicationIdentity& application = status.application;
  writer.add_info("gxr_run", "The application.",
                  {{"name", application.name},
                   {"process", std::to_string(application.process)},
                   {"executor", status.run.executor},
                   {"version", GXR_VERSION}});
  writer.begin_gauge("gxr_run_start_time_seconds",
                     "When the application was ready to begin, as Unix time.", "seconds");
  writer.add({}, seconds(application.started_ms * 1'000'000));
  writer.begin_gauge("gxr_run_elapsed_seconds", "Time since then.", "seconds");
  writer.add({}, seconds(status.elapsed_ns));
  writer.begin_states("gxr_run_phase", "How far the application has come.");
  for (const RunPhase phase : {RunPhase::Starting, RunPhase::Running, RunPhase::Stopping}) {
    writer.add_state({}, phase_text(phase), phase == status.phase);
  }
}

void add_rank(const std::optional<std::uint32_t>& rank, Labels& labels) {
  if (rank) {
    labels.emplace_back("rank", std::to_string(*rank));
  }
}

/// The labels that all metrics of an entity have.
Labels labels_of(const ApplicationStatus& status, const EntityStatus& entity) {
  Labels labels{{"entity", entity.entity}};
  add_rank(status.origins.find(entity.entity), labels);
  return labels;
}

/// Without a rank, what its entities do is missing.
void add_ranks(MetricsWriter& writer, const ApplicationStatus& status) {
  if (status.origins.ranks == 0) {
    return;
  }
  writer.begin_gauge("gxr_rank_answers", "Whether a rank answers, so that its entities are there.");
  for (std::uint32_t rank = 0; rank < status.origins.ranks; ++rank) {
    const bool is_silent =
        std::ranges::find(status.silent_ranks, rank) != status.silent_ranks.end();
    writer.add({{"rank", std::to_string(rank)}}, is_silent ? "0" : "1");
  }
}

template <class F>
void for_each_deadline(const ApplicationStatus& status, F&& call) {
  for (const EntityStatus& entity : status.run.entities) {
    for (const DeadlineStatus& deadline : entity.deadlines) {
      Labels labels = labels_of(status, entity);
      labels.emplace_back("of", deadline.is_age ? "age" : "tick");
      labels.emplace_back("source", deadline.source);
      call(labels, deadline);
    }
  }
}

void add_entities(MetricsWriter& writer, const ApplicationStatus& status) {
  const std::vector<EntityStatus>& entities = status.run.entities;
  writer.begin_counter("gxr_entity_ticks", "How often an entity has ticked.");
  for (const EntityStatus& entity : entities) {
    writer.add(labels_of(status, entity), std::to_string(entity.ticks));
  }
  writer.begin_times("gxr_entity_tick_seconds", "Time inside of ticks, of some ticks.");
  for (const EntityStatus& entity : entities) {
    writer.add_times(labels_of(status, entity), entity.times);
  }
  writer.begin_times("gxr_entity_lateness_seconds",
                     "How long after the times that it waited for an entity ticked.");
  for (const EntityStatus& entity : entities) {
    writer.add_times(labels_of(status, entity), entity.lateness);
  }
  writer.begin_counter("gxr_deadline_checks", "Ticks or ages that were compared with a deadline.");
  for_each_deadline(status, [&](const Labels& labels, const DeadlineStatus& deadline) {
    writer.add(labels, std::to_string(deadline.checked));
  });
  writer.begin_counter("gxr_deadline_misses", "Ticks or ages that were longer than a deadline.");
  for_each_deadline(status, [&](const Labels& labels, const DeadlineStatus& deadline) {
    writer.add(labels, std::to_string(deadline.missed));
  });
  constexpr std::array kStates = {
      EntityState::Unknown, EntityState::NotStarted, EntityState::Queued,  EntityState::Running,
      EntityState::Ready,   EntityState::Waiting,    EntityState::Finished};
  writer.begin_states("gxr_entity_state", "What an entity does.");
  for (const EntityStatus& entity : entities) {
    for (const EntityState state : kStates) {
      writer.add_state(labels_of(status, entity), to_string(state), state == entity.state);
    }
  }
}

Labels labels_of(const ApplicationStatus& status, const EntityStatus& entity,
                 const QueueStatus& queue) {
  Labels labels = labels_of(status, entity);
  labels.emplace_back("queue", queue.queue);
  labels.emplace_back("direction", queue.is_input ? "input" : "output");
  return labels;
}

using QueueValue = std::optional<std::uint64_t> QueueStatus::*;

void add_queues(MetricsWriter& writer, const ApplicationStatus& status, QueueValue value) {
  for (const EntityStatus& entity : status.run.entities) {
    for (const QueueStatus& queue : entity.queues) {
      writer.add(labels_of(status, entity, queue), queue.*value);
    }
  }
}

void add_all_queues(MetricsWriter& writer, const ApplicationStatus& status) {
  writer.begin_gauge("gxr_queue_messages", "Messages in both stages of a queue.");
  add_queues(writer, status, &QueueStatus::messages);
  writer.begin_gauge("gxr_queue_capacity", "Messages for which one stage of a queue has room.");
  add_queues(writer, status, &QueueStatus::capacity);
  writer.begin_gauge("gxr_queue_peak_messages", "Most messages at a time in a queue so far.");
  add_queues(writer, status, &QueueStatus::peak);
  writer.begin_counter("gxr_queue_arrived_messages",
                       "Messages that arrived in a queue, without those dropped on their way in.");
  add_queues(writer, status, &QueueStatus::arrived);
  writer.begin_counter("gxr_queue_dropped_messages",
                       "Messages that a queue has dropped for lack of room.");
  add_queues(writer, status, &QueueStatus::dropped);
  writer.begin_times("gxr_queue_wait_seconds",
                     "From publication to the tick that could take a message, of some messages.");
  for (const EntityStatus& entity : status.run.entities) {
    for (const QueueStatus& queue : entity.queues) {
      writer.add_times(labels_of(status, entity, queue), queue.waiting);
    }
  }
}

/// The rank of a path is that of its sink, which measures it.
void add_paths(MetricsWriter& writer, const ApplicationStatus& status) {
  const RunStatus& run = status.run;
  writer.begin_times("gxr_path_age_seconds",
                     "Age of data from a source's tick to when a sink can take it, of some "
                     "messages.");
  for (const PathStatus& path : run.paths) {
    Labels labels{{"source", path.source}, {"sink", path.sink}};
    add_rank(status.origins.find(path.sink), labels);
    writer.add_times(labels, path.age);
  }
  writer.begin_counter("gxr_path_ages_left_out", "Ages that were measured on further paths.");
  writer.add({}, std::to_string(run.ages_left_out));
}

void add_allocators(MetricsWriter& writer, const ApplicationStatus& status,
                    std::uint64_t AllocatorStatus::*value) {
  const std::vector<AllocatorStatus>& allocators = status.run.allocators;
  for (std::size_t i = 0; i < allocators.size(); ++i) {
    Labels labels{{"allocator", allocators[i].allocator}};
    add_rank(status.origins.find_allocator(i), labels);
    writer.add(labels, std::to_string(allocators[i].*value));
  }
}

void add_allocators(MetricsWriter& writer, const ApplicationStatus& status) {
  writer.begin_gauge("gxr_allocator_used_bytes", "Memory that an allocator has given out.",
                     "bytes");
  add_allocators(writer, status, &AllocatorStatus::bytes);
  writer.begin_gauge("gxr_allocator_peak_bytes", "Most of it at a time so far.", "bytes");
  add_allocators(writer, status, &AllocatorStatus::peak_bytes);
}

/// `add(graph, labels)`.
template <class Add>
void for_each_graph(const ApplicationStatus& status, const Add& add) {
  for (const GraphStatus& graph : status.run.graphs) {
    Labels labels{{"region", graph.region}};
    add_rank(status.origins.find(graph.region), labels);
    add(graph, labels);
  }
}

void add_graphs(MetricsWriter& writer, const ApplicationStatus& status) {
  writer.begin_counter("gxr_graph_iterations", "Iterations of a CUDA graph that loops.");
  for_each_graph(status, [&](const GraphStatus& graph, const Labels& labels) {
    writer.add(labels, graph.iterations);
  });
  writer.begin_gauge("gxr_graph_operator_mean_seconds",
                     "Mean time of an operator in the last measured iterations of a CUDA graph.",
                     "seconds");
  for_each_graph(status, [&](const GraphStatus& graph, Labels labels) {
    labels.emplace_back("entity", "");
    for (const OperatorStatistics& each : graph.operators) {
      if (each.runs > 0) {
        labels.back().second = each.entity;
        writer.add(labels, seconds(each.total_ns / static_cast<std::int64_t>(each.runs)));
      }
    }
  });
}

}  // namespace

MetricsForm metrics_form(std::string_view accept) noexcept {
  const bool takes_open = accept.find("application/openmetrics-text") != std::string_view::npos;
  const bool takes_text = accept.find("text/plain") != std::string_view::npos;
  return takes_text && !takes_open ? MetricsForm::PrometheusText : MetricsForm::OpenMetrics;
}

const char* content_type_of(MetricsForm form) noexcept {
  return form == MetricsForm::OpenMetrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

std::string render_metrics(const ApplicationStatus& status, MetricsForm form) {
  MetricsWriter writer(form);
  add_application(writer, status);
  add_ranks(writer, status);
  add_entities(writer, status);
  add_all_queues(writer, status);
  add_paths(writer, status);
  add_allocators(writer, status);
  add_graphs(writer, status);
  return std::move(writer).end();
}

}  // namespace gxr
