#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gxr/report.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Messages that are left in queues, and those that the queues dropped.
void add_queues(Report& report, const Instance& instance);

/// Ticks and times of an entity; the times in counts of `counter`.
struct MeasuredTicks {
  std::uint64_t count = 0;
  std::uint64_t total_time = 0;
  std::uint64_t longest_time = 0;

  void add(std::uint64_t time) noexcept {
    total_time += time;
    longest_time = std::max(longest_time, time);
  }
};
/// Adds the entity's line to the report; `ns_per_count` 0: nothing was measured.
void add_statistics(Report& report, const LiveEntity& entity, const MeasuredTicks& ticks,
                    double ns_per_count);

/// Tells completed from deadlock when nothing can run any more; see design, section 4.
/// `finished` of `all` entities answered NEVER.
void judge_rest(Report& report, std::size_t finished, std::size_t all);

/// An entity that had not finished, with what its terms wait for at `now`.
WaitingEntity waiting_entity(const LiveEntity& entity, const Instance& instance, std::int64_t now);

}  // namespace gxr
