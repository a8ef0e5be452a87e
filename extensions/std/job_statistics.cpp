#include "job_statistics.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

void add(JobStatistics::Series& series, std::int64_t begin, std::int64_t end) {
  if (series.count > 0) {
    series.idle += begin - series.last_end;
  }
  ++series.count;
  series.execution.add(end - begin);
  series.last_end = end;
}

}  // namespace

void JobStatistics::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock of the scheduler",
                      "Lateness is measured with it; how long executions take, in real time.");
  interface
      .parameter(codelet_statistics_, "codelet_statistics", "Also measure each codelet for itself")
      .default_value(false);
  interface
      .parameter(json_file_path_, "json_file_path", "File to write the statistics to, as JSON",
                 "Written when the application ends.")
      .optional();
  interface
      .parameter(server_, "server", "Server that answers queries for the statistics",
                 "Accepted for GXF's files; there is no server in this version.")
      .optional();
  interface
      .parameter(event_history_count_, "event_history_count",
                 "Accepted for GXF's files, without effect",
                 "All executions are counted, none are sampled.")
      .default_value(100);
}

void JobStatistics::initialize() {
  if (server_.has_value()) {
    log_warning("'server' has no effect: the statistics go to standard output and json_file_path");
  }
}

JobStatistics::EntitySeries& JobStatistics::of(std::uint32_t entity_id, const std::string& name) {
  Shard& shard = shards_[entity_id % kShards];
  const std::lock_guard lock(shard.mutex);
  const auto [entry, added] = shard.entities.try_emplace(entity_id);
  if (added) {
    entry->second.name = name;
  }
  return entry->second;
}

void JobStatistics::on_start(std::uint32_t entity_id, const std::string& entity_name) {
  static_cast<void>(of(entity_id, entity_name));
}

void JobStatistics::on_execute(const Execution& execution) {
  Series& series = of(execution.entity_id, execution.entity_name).series;
  // A node of a behaviour tree that goes on has not failed.
  if (!execution.succeeded && execution.error != ErrorCode::NotFinished) {
    ++series.failures;
    return;
  }
  add(series, execution.begin, execution.end);
  series.lateness.add(execution.timestamp - execution.ready_at);
  series.last_timestamp = execution.timestamp;
}

void JobStatistics::on_tick(const Codelet& codelet, std::int64_t begin, std::int64_t end) {
  EntitySeries& entity = of(codelet.entity_id(), codelet.entity_name());
  for (CodeletSeries& known : entity.codelets) {
    if (known.component_id == codelet.component_id()) {
      add(known.series, begin, end);
      return;
    }
  }
  entity.codelets.push_back(
      {codelet.name().empty() ? codelet.type() : codelet.name(), codelet.component_id(), {}});
  add(entity.codelets.back().series, begin, end);
}

JobStatistics::Entities JobStatistics::all() {
  Entities entities;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [id, series] : shard.entities) {
      entities.emplace(id, &series);
    }
  }
  return entities;
}

void JobStatistics::deinitialize() {
  const Entities entities = all();
  const std::string tables = render_tables(entities, *codelet_statistics_);
  std::fwrite(tables.data(), 1, tables.size(), stdout);
  std::fflush(stdout);
  if (json_file_path_.has_value()) {
    write_file(entities);
  }
}

void JobStatistics::write_file(const Entities& entities) {
  const std::string& path = json_file_path_->path;
  const auto fail = [&path](const std::string& reason) {
    throw Error(ErrorCode::InputOutput, "cannot write the statistics to '" + path + "': " + reason);
  };
  OpenFile opened = open_to_write(path, WriteMode::Anew);
  StdioFile file = opened.stream("wb");
  if (file == nullptr) {
    fail(opened.reason());
  }
  const std::string json = render_json(entities, *codelet_statistics_);
  const bool taken = std::fwrite(json.data(), 1, json.size(), file.get()) == json.size();
  if (std::fclose(file.release()) != 0 || !taken) {
    fail(system_error_text(errno));
  }
}

}  // namespace gxr
