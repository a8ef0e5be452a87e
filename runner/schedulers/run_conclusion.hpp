#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gxr/report.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Messages that are left in queues, and those that the queues dropped.
void add_queues(Report& report, const Instance& instance);

/// Tells completed from deadlock when nothing can run any more; see design, section 4.
/// `finished` of `all` entities answered NEVER.
void judge_rest(Report& report, std::size_t finished, std::size_t all);

/// An entity that had not finished, with what its terms wait for at `now`.
WaitingEntity waiting_entity(const LiveEntity& entity, const Instance& instance, std::int64_t now);

}  // namespace gxr
