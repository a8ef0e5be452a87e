#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "executors/data_sources.hpp"
#include "graph/graph.hpp"
#include "gxr/run_status.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Compares the ticks of an entity, and the ages of their data, with its deadlines. Belongs to the
/// thread that ticks the entity; any thread may ask for the status.
class Deadlines {
 public:
  /// `indices`: numbers of sources, by EntityId; kNone: it has none. `sources`: those elsewhere,
  /// too.
  Deadlines(const DeadlineRule& rule, const std::vector<std::uint32_t>& indices,
            const DataSources& sources);

  /// Is there one for the age of data?
  [[nodiscard]] bool wants_ages() const noexcept;
  void add_tick(std::int64_t ns) noexcept;
  /// Of data of this source.
  void add_age(std::uint32_t source, std::int64_t ns) noexcept;
  /// Throws ComponentFailure when a deadline was missed since the last call, and this is to fail.
  void require_met(const LiveEntity& entity);
  [[nodiscard]] std::vector<DeadlineStatus> status(const DataSources& sources) const;

 private:
  struct Deadline {
    bool is_age = false;
    std::uint32_t source = 0;  // number plus one; 0: any
    std::int64_t limit_ns = 0;
    std::atomic<std::uint64_t> checked{0};
    std::atomic<std::uint64_t> missed{0};
    std::atomic<std::int64_t> longest_ns{0};
  };
  struct Miss {
    const Deadline* deadline = nullptr;
    std::int64_t ns = 0;
  };

  void add(Deadline& deadline, std::int64_t ns) noexcept;

  const bool fails_;
  std::unique_ptr<Deadline[]> deadlines_;
  std::size_t count_ = 0;
  Miss miss_;  // the first one that nobody has asked for
};

}  // namespace gxr
