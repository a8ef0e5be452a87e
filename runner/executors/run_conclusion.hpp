#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gxr/report.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Messages that are left in queues, and those that the queues dropped.
void add_queues(Report& report, const Instance& instance);
/// What a component says itself of messages that it discarded or keeps, if it says anything; what
/// it throws is a failure. `name` stands for it in the report; empty: its own. When everything has
/// stopped.
void add_account(Report& report, const Component& component, const std::string& name,
                 const Instance& instance);

/// Ticks and times of an entity; the times in counts of `counter`.
struct MeasuredTicks {
  std::uint64_t count = 0;
  std::uint64_t total_time = 0;
  std::uint64_t longest_time = 0;

  void count_tick() noexcept {
    std::atomic_ref<std::uint64_t>(count).store(count + 1, std::memory_order_relaxed);
  }
  /// Any thread.
  [[nodiscard]] std::uint64_t ticks_so_far() const noexcept {
    return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(count))
        .load(std::memory_order_relaxed);
  }
  void add(std::uint64_t time) noexcept {
    total_time += time;
    longest_time = std::max(longest_time, time);
  }
};
/// Adds the entity's line to the report; `ns_per_count` 0: nothing was measured.
void add_statistics(Report& report, const LiveEntity& entity, const MeasuredTicks& ticks,
                    double ns_per_count);

/// Adds failures of stop() of entities that stop because the run ends. GXF ignores those, so with
/// `compat_gxf` they are warnings.
void add_stop_failures(Report& report, const std::vector<Failure>& failures, bool compat_gxf);

/// Tells completed from deadlock when nothing can run any more; see design, section 4.
/// `finished` of `all` entities answered NEVER.
void judge_rest(Report& report, std::size_t finished, std::size_t all);

/// Adds an entity that has not finished, with what its terms wait for at `now`. After a deadlock
/// all of them count, else those that have started and wait. Before they are stopped.
void add_waiting(Report& report, const LiveEntity& entity, const Instance& instance,
                 std::int64_t now);
/// What its terms wait for at `now`, in their own words; none: nothing keeps it from running. By
/// whoever may use the entity's components.
std::vector<std::string> waiting_reasons(const LiveEntity& entity, const Instance& instance,
                                         std::int64_t now);
/// The same in one line: "waits for …", or "is ready".
std::string waiting_text(const LiveEntity& entity, const Instance& instance, std::int64_t now);

}  // namespace gxr
