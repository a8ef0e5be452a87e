#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gxr/run_status.hpp"

namespace gxr::commands {

/// How far a run has come.
struct ProgressFacts {
  std::int64_t elapsed_ns = 0;  ///< real time since it began
  std::uint64_t ticks = 0;      ///< of all entities
  double rate = 0;              ///< ticks a second, lately
  std::uint64_t dropped = 0;    ///< messages, of all queues
  std::string slowest;          ///< slowest_stage()
  double done = 0;              ///< share_done()
};

/// The stage that may hold the others up: the entity that spent most of the `seconds` since
/// `before` in ticks, "'sink' busy 85%"; when no time was measured, the last one with a full queue,
/// "'sink', queue full 2/2", else one that runs: "'sink' runs". Empty when there is none.
std::string slowest_stage(const RunStatus& before, const RunStatus& now, double seconds);
/// All messages that queues dropped.
std::uint64_t dropped_in(const RunStatus& status) noexcept;

/// How much of the run is done, from 0 to 1: of the entities whose number of ticks is known, that
/// of the one that has most left to do. 0 when none is known.
double share_done(const RunStatus& status) noexcept;

/// "12.3 s  25%, 37 s left  1250 ticks/s  slowest: 'sink', queue full 2/2  5 dropped", printable
/// and at most so many columns wide: what does not fit is left out, the slowest stage first.
std::string progress_line(const ProgressFacts& facts, std::size_t columns);
/// The same for the log, and without the time for a service manager.
std::string progress_words(const ProgressFacts& facts, bool with_time);

}  // namespace gxr::commands
