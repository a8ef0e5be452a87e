#include "observe/report_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "observe/facts_text.hpp"
#include "observe/status_json.hpp"
#include "observe/status_text.hpp"

namespace gxr {
namespace {

constexpr std::size_t kGreatestNameWidth = 32;

/// Long names keep their end, which tells them apart.
std::string fit(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : ".." + text.substr(text.size() - width + 2);
}

std::uint64_t total_ticks(const Report& report) {
  std::uint64_t ticks = 0;
  for (const EntityStatistics& entity : report.entities) {
    ticks += entity.ticks;
  }
  return ticks;
}

/// Some of an application's many thousand, when nothing is wrong with them.
constexpr std::size_t kMostLines = 20;

std::string waiting_text(const WaitingEntity& waiting) {
  std::string text = fmt::format("  entity {}:", quote_text(waiting.entity));
  if (waiting.reasons.empty()) {
    return text + " has no scheduling term that waits\n";
  }
  text += waiting.reasons.size() == 1 ? " " : "\n    ";
  for (std::size_t i = 0; i < waiting.reasons.size(); ++i) {
    text += (i > 0 ? "\n    " : "") + printable_lines(waiting.reasons[i], "      ");
  }
  return text + "\n";
}

/// Whoever waits may be the cause of a deadlock; after another end it tells what went on.
std::string all_waiting(const Report& report) {
  if (report.waiting.empty()) {
    return {};
  }
  if (report.reason == EndReason::Deadlock) {
    std::string text;
    for (const WaitingEntity& waiting : report.waiting) {
      text += waiting_text(waiting);
    }
    return text;
  }
  std::string text = fmt::format("when the run ended, {} waited:\n",
                                 counted(report.waiting.size(), "entity", "entities"));
  const std::size_t shown = std::min(report.waiting.size(), kMostLines);
  for (std::size_t i = 0; i < shown; ++i) {
    text += waiting_text(report.waiting[i]);
  }
  if (shown < report.waiting.size()) {
    text +=
        fmt::format("  and {} more, which --format json lists\n", report.waiting.size() - shown);
  }
  return text;
}

/// Of a queue or a component, "entity/component".
ReportProblem warning_about(const std::string& name, std::string text) {
  const std::size_t slash = name.rfind('/');
  const bool has_entity = slash != std::string::npos;
  return {ReportProblem::Kind::Warning, std::move(text), name.substr(0, has_entity ? slash : 0),
          has_entity ? name.substr(slash + 1) : std::string()};
}

void add_unread(const Report& report, std::vector<ReportProblem>& problems) {
  const bool all = report.reason == EndReason::Deadlock || report.unread.size() <= kMostLines;
  const std::size_t shown = all ? report.unread.size() : kMostLines;
  for (std::size_t i = 0; i < shown; ++i) {
    const UnreadMessages& unread = report.unread[i];
    problems.push_back(warning_about(
        unread.queue,
        fmt::format("{} in {} {} never read", counted(unread.count, "message", "messages"),
                    quote_text(unread.queue), unread.count == 1 ? "was" : "were")));
  }
  if (shown < report.unread.size()) {
    std::uint64_t others = 0;
    for (std::size_t i = shown; i < report.unread.size(); ++i) {
      others += report.unread[i].count;
    }
    problems.push_back(
        {ReportProblem::Kind::Warning,
         fmt::format("{} in {} more queues were never read; --format json lists them",
                     counted(others, "message", "messages"), report.unread.size() - shown),
         {},
         {}});
  }
}

/// "'sync/s' discarded 58 of 60 messages: REASON (nearest miss 33.00 us, sync_threshold 0 ns)"
std::string discarded_text(const DiscardedMessages& discarded) {
  const Discard& discard = discarded.discard;
  const std::string of = discard.of == 0 ? std::string() : fmt::format(" of {}", discard.of);
  const bool one = (discard.of == 0 ? discard.count : discard.of) == 1;
  std::string text =
      fmt::format("{} discarded {}{} {}: {}", quote_text(discarded.component), discard.count, of,
                  one ? "message" : "messages", printable_lines(discard.reason, "  "));
  if (const auto& miss = discard.nearest_miss) {
    text += fmt::format(
        " (nearest miss {}, {} {})", duration_text(static_cast<double>(miss->distance_ns)),
        printable(miss->threshold), duration_text(static_cast<double>(miss->threshold_ns)));
  }
  return text;
}

double period_of(const GraphStatistics& graph) {
  return graph.iterations == 0
             ? 0
             : static_cast<double>(graph.duration_ns) / static_cast<double>(graph.iterations);
}

/// How new values of parameters came into a graph; empty when there were none.
std::string updates_text(const GraphStatistics& graph) {
  std::string text;
  const auto add = [&](std::uint64_t times, const char* one, const char* several) {
    if (times > 0) {
      text += (text.empty() ? "" : ", ") + counted(times, one, several);
    }
  };
  add(graph.parameter_sets, "time without new nodes", "times without new nodes");
  add(graph.node_updates, "update of its nodes", "updates of its nodes");
  add(graph.graph_updates, "update of the whole graph", "updates of the whole graph");
  add(graph.instantiations, "new instantiation", "new instantiations");
  return text.empty() ? text
                      : fmt::format("parameters of {} changed: {}\n",
                                    fit(printable(graph.region), kGreatestNameWidth), text);
}

std::string late_text(const GraphStatistics& graph) {
  const std::string region = fit(printable(graph.region), kGreatestNameWidth);
  std::string text;
  if (graph.late > 0) {
    text += fmt::format("{} of {} took longer than iteration_timeout_us\n",
                        counted(graph.late, "iteration", "iterations"), region);
  }
  if (graph.left_out > 0) {
    text += fmt::format("{} of siblings of {} left out: the one before still ran\n",
                        counted(graph.left_out, "turn", "turns"), region);
  }
  if (graph.late_inputs > 0) {
    text += fmt::format("inputs of {} were late, by input_timeout_ms, {}\n", region,
                        counted(graph.late_inputs, "time", "times"));
  }
  return text;
}

/// A line of a table of times.
struct TimesRow {
  const std::string& name;
  std::uint64_t count;
  std::int64_t total_ns;
  std::int64_t longest_ns;
};

/// `title` heads the names and `count` the numbers; `no_mean`: of a row whose count is 0.
std::string times_table(std::string_view title, std::string_view count, std::string_view no_mean,
                        const std::vector<TimesRow>& rows) {
  std::size_t width = title.size();
  for (const TimesRow& row : rows) {
    width = std::max(width, std::min(row.name.size(), kGreatestNameWidth));
  }
  std::string text = fmt::format("{:<{}} {:>10} {:>11} {:>11} {:>11}\n", title, width, count,
                                 "total", "mean", "longest");
  for (const TimesRow& row : rows) {
    const auto total = static_cast<double>(row.total_ns);
    text += fmt::format("{:<{}} {:>10} {:>11} {:>11} {:>11}\n",
                        fit(printable(row.name), kGreatestNameWidth), width, row.count,
                        duration_text(total),
                        row.count == 0 ? std::string(no_mean)
                                       : duration_text(total / static_cast<double>(row.count)),
                        duration_text(static_cast<double>(row.longest_ns)));
  }
  return text;
}

/// The operators of a graph, in the iterations that were measured; empty without any.
std::string operator_table(const GraphStatistics& graph) {
  if (graph.measured == 0) {
    return {};
  }
  std::vector<TimesRow> rows;
  for (const OperatorStatistics& each : graph.operators) {
    rows.push_back({each.entity, each.runs, each.total_ns, each.longest_ns});
  }
  return fmt::format("{}, {} measured, {} each\n", fit(printable(graph.region), kGreatestNameWidth),
                     counted(graph.measured, "iteration", "iterations"),
                     duration_text(static_cast<double>(graph.measured_ns) /
                                   static_cast<double>(graph.measured))) +
         times_table("operator  ", "runs", "-", rows);
}

/// The ticks' work on CUDA streams, times measured on GPUs; empty without any.
std::string device_table(const Report& report) {
  std::vector<TimesRow> rows;
  for (const EntityStatistics& each : report.entities) {
    if (each.device_ticks > 0) {
      rows.push_back(
          {each.entity, each.device_ticks, each.device_total_ns, each.device_longest_ns});
    }
  }
  return rows.empty() ? std::string() : times_table("work on GPUs", "ticks", "-", rows);
}

/// What CUDA graphs did, times measured on the GPU, and their memory; empty without any.
std::string graph_table(const Report& report) {
  if (report.graphs.empty()) {
    return {};
  }
  std::size_t width = 10;
  for (const GraphStatistics& graph : report.graphs) {
    width = std::max(width, std::min(graph.region.size(), kGreatestNameWidth));
  }
  std::string text = fmt::format("{:<{}} {:>10} {:>11} {:>11} {:>11}\n", "CUDA graph", width,
                                 "iterations", "total", "period", "memory");
  for (const GraphStatistics& graph : report.graphs) {
    const auto time = [&](double ns) { return graph.loops ? duration_text(ns) : "-"; };
    text += fmt::format("{:<{}} {:>10} {:>11} {:>11} {:>11}\n",
                        fit(printable(graph.region), kGreatestNameWidth), width, graph.iterations,
                        time(static_cast<double>(graph.duration_ns)), time(period_of(graph)),
                        bytes_text(graph.memory_bytes));
  }
  for (const GraphStatistics& graph : report.graphs) {
    text += updates_text(graph) + late_text(graph) + operator_table(graph);
  }
  if (!std::ranges::all_of(report.graphs, &GraphStatistics::captures_checked)) {
    text += "captures were not checked for work on other streams (--check-streams)\n";
  }
  for (const GraphMemory& memory : report.graph_memory) {
    text += fmt::format("GPU {} keeps {} for CUDA graphs that allocate memory, {} in use\n",
                        memory.device, bytes_text(memory.reserved_bytes),
                        bytes_text(memory.used_bytes));
  }
  return text;
}

nlohmann::json to_json(const GraphStatistics& graph) {
  nlohmann::json json = {{"name", graph.region},
                         {"device", graph.device},
                         {"mode", graph.loops ? "resident" : "graph"},
                         {"iterations", graph.iterations},
                         {"memory_bytes", graph.memory_bytes},
                         {"captures_checked", graph.captures_checked}};
  if (graph.loops) {
    json["duration_ns"] = graph.duration_ns;
    json["period_ns"] = period_of(graph);
  }
  if (graph.measured > 0) {
    json["measured"] = graph.measured;
    json["measured_ns"] = graph.measured_ns;
    for (const OperatorStatistics& each : graph.operators) {
      json["operators"].push_back({{"entity", each.entity},
                                   {"runs", each.runs},
                                   {"total_ns", each.total_ns},
                                   {"longest_ns", each.longest_ns}});
    }
  }
  const std::pair<const char*, std::uint64_t> updates[] = {
      {"late", graph.late},
      {"left_out", graph.left_out},
      {"late_inputs", graph.late_inputs},
      {"parameter_sets", graph.parameter_sets},
      {"node_updates", graph.node_updates},
      {"graph_updates", graph.graph_updates},
      {"instantiations", graph.instantiations}};
  for (const auto& [key, times] : updates) {
    if (times > 0) {
      json[key] = times;
    }
  }
  return json;
}

nlohmann::json to_json(const GraphMemory& memory) {
  return {{"device", memory.device},
          {"reserved_bytes", memory.reserved_bytes},
          {"used_bytes", memory.used_bytes}};
}

nlohmann::json to_json(const Failure& failure, const FailurePlace* place) {
  nlohmann::json json = {{"entity", failure.entity}, {"component", failure.component},
                         {"type", failure.type},     {"method", failure.method},
                         {"text", failure.text},     {"code", to_string(failure.code)}};
  if (place != nullptr) {
    json["file"] = place->file;
    json["line"] = place->line;
    json["column"] = place->column;
  }
  return json;
}

/// nullptr when it is not known.
const FailurePlace* place_at(const std::vector<FailurePlace>& places, std::size_t index) {
  return index < places.size() && !places[index].lines.empty() ? &places[index] : nullptr;
}

nlohmann::json to_json(const DiscardedMessages& discarded) {
  const Discard& discard = discarded.discard;
  nlohmann::json json = {
      {"component", discarded.component}, {"count", discard.count}, {"reason", discard.reason}};
  if (discard.of > 0) {
    json["of"] = discard.of;
  }
  if (const auto& miss = discard.nearest_miss) {
    json["nearest_miss_ns"] = miss->distance_ns;
    json["threshold"] = miss->threshold;
    json["threshold_ns"] = miss->threshold_ns;
  }
  return json;
}

nlohmann::json to_json(const EntityStatistics& entity, const RunStatus& last, std::size_t index) {
  nlohmann::json json = {{"entity", entity.entity},
                         {"type", entity.codelet_type},
                         {"ticks", entity.ticks},
                         {"total_ns", entity.total_ns},
                         {"longest_ns", entity.longest_ns}};
  if (entity.device_ticks > 0) {
    json["device_ticks"] = entity.device_ticks;
    json["device_total_ns"] = entity.device_total_ns;
    json["device_longest_ns"] = entity.device_longest_ns;
  }
  if (index < last.entities.size()) {
    json["times"] = nlohmann::json(to_json(last.entities[index].times));
    json["lateness"] = nlohmann::json(to_json(last.entities[index].lateness));
    json["deadlines"] = nlohmann::json::array();
    for (const DeadlineStatus& deadline : last.entities[index].deadlines) {
      json["deadlines"].push_back(nlohmann::json(to_json(deadline)));
    }
    json["swaps"] = last.entities[index].swaps;
    json["restarts"] = last.entities[index].restarts;
    json["lost"] = last.entities[index].lost;
  }
  return json;
}

void add_facts(nlohmann::json& json, const RunStatus& last) {
  for (const EntityStatus& entity : last.entities) {
    for (const QueueStatus& queue : entity.queues) {
      json["queues"].push_back(nlohmann::json(to_json(queue)));
    }
  }
  for (const PathStatus& path : last.paths) {
    json["paths"].push_back(nlohmann::json(to_json(path)));
  }
  if (last.ages_left_out > 0) {
    json["ages_left_out"] = last.ages_left_out;
  }
  for (const AllocatorStatus& allocator : last.allocators) {
    json["allocators"].push_back(nlohmann::json(to_json(allocator)));
  }
}

}  // namespace

std::string render_end(const Report& report) {
  std::string reason = to_string(report.reason);
  if (report.by_signal) {
    reason += " by a signal";
  }
  if (!report.ran) {
    return reason + " before anything ran";
  }
  return fmt::format("{} after {}: {}, {}", reason,
                     duration_text(static_cast<double>(report.duration_ns)),
                     counted(report.entities.size(), "entity", "entities"),
                     counted(total_ticks(report), "tick", "ticks"));
}

std::string render_verified(const Report& report) {
  if (!report.verified || !report.ran) {
    return {};
  }
  const VerifiedResults& verified = *report.verified;
  std::string text;
  for (const std::string& region : verified.graphs_left_out) {
    text += fmt::format(
        "region {} was no CUDA graph in this run: its operators worked one by one, to be "
        "compared\n",
        quote_text(region));
  }
  if (verified.results == 0) {
    return text + "nothing was compared: no operator that ran can work on both CPU and GPU\n";
  }
  return text + fmt::format("verified {} of {}: the same on CPU and GPU\n",
                            counted(verified.results, "result", "results"),
                            counted(verified.operators, "operator", "operators"));
}

std::string missed_text(const EntityStatus& entity, const DeadlineStatus& deadline) {
  const auto time = [](std::int64_t ns) { return duration_text(static_cast<double>(ns)); };
  const std::string source = deadline.source.empty() ? "" : " from " + quote_text(deadline.source);
  const std::string missed = fmt::format("{} missed its deadline {}: ", quote_text(entity.entity),
                                         counted(deadline.missed, "time", "times"));
  const std::string longest = time(deadline.longest_ns);
  return missed +
         (deadline.is_age ? fmt::format("data{} was up to {} old", source, longest)
                          : fmt::format("a tick took up to {}", longest)) +
         ", at most " + time(deadline.limit_ns) + " is allowed";
}

std::vector<ReportProblem> problems_of(const Report& report) {
  std::vector<ReportProblem> problems;
  for (const Failure& failure : report.failures) {
    problems.push_back({ReportProblem::Kind::Error, printable_lines(describe(failure), "  "),
                        failure.entity, failure.component});
  }
  std::string waiting;
  if (report.reason == EndReason::Deadlock) {
    waiting += fmt::format("deadlock: {}\n", report.detail);
  }
  // Who is done waits for nothing that matters, and an error says more than what others waited for.
  if (report.reason != EndReason::Completed && report.reason != EndReason::Failed) {
    waiting += all_waiting(report);
  }
  if (!waiting.empty()) {
    waiting.pop_back();
    problems.push_back({ReportProblem::Kind::Waiting, std::move(waiting), {}, {}});
  }
  add_unread(report, problems);
  for (const DroppedMessages& dropped : report.dropped) {
    problems.push_back(warning_about(
        dropped.queue, fmt::format("{} dropped {} for lack of room", quote_text(dropped.queue),
                                   counted(dropped.count, "message", "messages"))));
  }
  for (const DiscardedMessages& discarded : report.discarded) {
    problems.push_back(warning_about(discarded.component, discarded_text(discarded)));
  }
  for (const EntityStatus& entity : report.last_status.entities) {
    for (const DeadlineStatus& deadline : entity.deadlines) {
      if (deadline.missed > 0) {
        problems.push_back(warning_about(entity.entity, missed_text(entity, deadline)));
      }
    }
  }
  return problems;
}

std::string render_problems(const Report& report, const std::vector<FailurePlace>& places) {
  std::string text;
  std::size_t failure = 0;
  for (const ReportProblem& problem : problems_of(report)) {
    const bool is_error = problem.kind == ReportProblem::Kind::Error;
    text += is_error ? "error: " : problem.kind == ReportProblem::Kind::Warning ? "warning: " : "";
    text += problem.text + "\n";
    const FailurePlace* const place = is_error ? place_at(places, failure++) : nullptr;
    text += place == nullptr ? "" : place->lines;
  }
  return text;
}

std::string render_statistics(const Report& report) {
  std::vector<TimesRow> rows;
  for (const EntityStatistics& each : report.entities) {
    rows.push_back({each.entity, each.ticks, each.total_ns, each.longest_ns});
  }
  std::string text = times_table("entity", "ticks", duration_text(0), rows);
  const RunStatus& last = report.last_status;
  const std::string tables[] = {device_table(report),
                                graph_table(report),
                                printable_lines(queue_table(last.entities), ""),
                                printable_lines(lateness_table(last.entities), ""),
                                printable_lines(deadline_table(last.entities), ""),
                                printable_lines(path_table(last), ""),
                                printable_lines(allocator_table(last.allocators), ""),
                                printable_lines(exchange_table(last.entities), "")};
  for (const std::string& table : tables) {
    text += (table.empty() ? "" : "\n") + table;
  }
  return text;
}

std::string render_report_json(const Report& report, const std::vector<FailurePlace>& places) {
  nlohmann::json json = {
      {"reason", to_string(report.reason)},   {"detail", report.detail},
      {"by_signal", report.by_signal},        {"duration_ns", report.duration_ns},
      {"failures", nlohmann::json::array()},  {"waiting", nlohmann::json::array()},
      {"unread", nlohmann::json::array()},    {"dropped", nlohmann::json::array()},
      {"discarded", nlohmann::json::array()}, {"entities", nlohmann::json::array()}};
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    json["failures"].push_back(to_json(report.failures[i], place_at(places, i)));
  }
  for (const WaitingEntity& waiting : report.waiting) {
    json["waiting"].push_back({{"entity", waiting.entity}, {"reasons", waiting.reasons}});
  }
  for (const UnreadMessages& unread : report.unread) {
    json["unread"].push_back({{"queue", unread.queue}, {"count", unread.count}});
  }
  for (const DroppedMessages& dropped : report.dropped) {
    json["dropped"].push_back({{"queue", dropped.queue}, {"count", dropped.count}});
  }
  for (const DiscardedMessages& discarded : report.discarded) {
    json["discarded"].push_back(to_json(discarded));
  }
  for (std::size_t i = 0; i < report.entities.size(); ++i) {
    json["entities"].push_back(to_json(report.entities[i], report.last_status, i));
  }
  add_facts(json, report.last_status);
  for (const GraphStatistics& graph : report.graphs) {
    json["graphs"].push_back(to_json(graph));
  }
  for (const GraphMemory& memory : report.graph_memory) {
    json["graph_memory"].push_back(to_json(memory));
  }
  if (report.verified) {
    json["verified"] = {{"results", report.verified->results},
                        {"operators", report.verified->operators},
                        {"graphs_left_out", report.verified->graphs_left_out}};
  }
  // Beyond ASCII all is escaped: texts of components may hold what a terminal takes for a command.
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace gxr
