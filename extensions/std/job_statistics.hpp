#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gxr/gxr.hpp"
#include "quantiles.hpp"

namespace gxr {

/// Counts and times the executions of all entities that were started; prints tables, and writes a
/// JSON file, when the application ends, however it ends.
///
/// Entities are told apart without a common lock: their numbers choose one of several shards.
class JobStatistics final : public Monitor {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void on_start(std::uint32_t entity_id, const std::string& entity_name) override;
  void on_execute(const Execution& execution) override;
  void on_tick(const Codelet& codelet, std::int64_t begin, std::int64_t end) override;
  [[nodiscard]] bool wants_ticks() const override { return *codelet_statistics_; }

  /// Times in ns of the machine's steady clock, `lateness` of the scheduler's clock.
  struct Series {
    std::uint64_t count = 0;  ///< without those that failed
    std::uint64_t failures = 0;
    Quantiles execution;
    Quantiles lateness;
    std::int64_t idle = 0;  ///< sum of the pauses between executions
    std::int64_t last_end = 0;
    std::int64_t last_timestamp = 0;
  };
  struct CodeletSeries {
    std::string name;
    std::uint32_t component_id = 0;
    Series series;
  };
  struct EntitySeries {
    std::string name;
    Series series;
    std::vector<CodeletSeries> codelets;  ///< in the order of their first tick
  };
  using Entities = std::map<std::uint32_t, const EntitySeries*>;  ///< by number

 private:
  struct Shard {
    std::mutex mutex;  // guards the map; an entry is used by its entity's thread only
    std::map<std::uint32_t, EntitySeries> entities;
  };
  static constexpr std::size_t kShards = 32;

  EntitySeries& of(std::uint32_t entity_id, const std::string& name);
  [[nodiscard]] Entities all();
  void write_file(const Entities& entities);

  Parameter<Handle<Clock>> clock_;
  Parameter<bool> codelet_statistics_;
  Parameter<FilePath> json_file_path_;
  Parameter<Handle<IPCServer>> server_;
  Parameter<std::uint32_t> event_history_count_;
  std::array<Shard, kShards> shards_;
};

/// The tables that go to standard output.
std::string render_tables(const JobStatistics::Entities& entities, bool codelets);
/// GXF's JSON, numbers with at most 5 decimals.
std::string render_json(const JobStatistics::Entities& entities, bool codelets);

}  // namespace gxr
