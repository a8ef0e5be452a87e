#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/export.hpp"

namespace gxr {

/// The state of an entity at a moment of the run.
enum class EntityState : std::uint8_t {
  Unknown,     ///< its scheduler did not say: it is in a call, or the run begins or ends
  NotStarted,  ///< start() has not run
  Queued,      ///< a worker is about to look at it
  Running,     ///< a worker runs it
  Ready,       ///< no scheduling term keeps it from running
  Waiting,     ///< for what its scheduling terms say
  Finished,    ///< it will not run any more
};
GXR_API const char* to_string(EntityState state) noexcept;  ///< "not-started", "waiting", …

/// Times that were measured, as percentiles: each is at most 13 % above the true one.
struct TimeFacts {
  std::uint64_t count = 0;      ///< how many times were measured; 0: all else is 0, too
  std::int64_t total_ns = 0;    ///< their sum
  std::int64_t p50_ns = 0;      ///< the median
  std::int64_t p90_ns = 0;      ///< 90 % of the times are not longer
  std::int64_t p99_ns = 0;      ///< likewise 99 %
  std::int64_t p999_ns = 0;     ///< likewise 99.9 %
  std::int64_t longest_ns = 0;  ///< the longest of all
};

/// The content of a queue at a moment of the run.
struct QueueStatus {
  std::string queue;                      ///< "entity/component"
  bool is_input = true;                   ///< a receiver's, else a transmitter's
  std::optional<std::uint64_t> messages;  ///< in both stages; none: not known at the moment
  std::optional<std::uint64_t> capacity;  ///< of one stage; likewise
  std::optional<std::uint64_t> dropped;   ///< so far, for lack of room; likewise
  std::optional<std::uint64_t> peak;      ///< most messages so far; only of a receiver
  std::optional<std::uint64_t> arrived;   ///< messages so far, but for those dropped before sync()
  TimeFacts waiting;  ///< from publication to the tick that could take it, of some messages
};

/// A deadline of an entity (`deadline` in its document) at a moment of the run.
struct DeadlineStatus {
  bool is_age = false;          ///< of the data that its ticks take; else of the ticks themselves
  std::string source;           ///< of an age: the entity that acquires the data; empty: any
  std::int64_t limit_ns = 0;    ///< the deadline
  std::uint64_t checked = 0;    ///< how many times or ages were compared with it
  std::uint64_t missed = 0;     ///< how many of them were longer
  std::int64_t longest_ns = 0;  ///< the longest of all
};

/// An entity, or a region that is a CUDA graph, at a moment of the run.
struct EntityStatus {
  std::string entity;       ///< its name
  std::uint64_t ticks = 0;  ///< how often it has ticked
  std::optional<std::uint64_t>
      most_ticks;  ///< how often it ticks in the whole run, if that is known
  EntityState state = EntityState::Unknown;  ///< what a worker would find
  std::vector<std::string> reasons;          ///< what its scheduling terms wait for, in their words
  std::vector<QueueStatus> queues;           ///< receivers, then transmitters
  /// Inside ticks. At a high rate one tick in 64 is measured, at a low one each; see `ticks`.
  TimeFacts times;
  /// How long after the times that it waited for it ticked, all of them; with clocks of real time.
  TimeFacts lateness;
  std::string type = {};       ///< of its first codelet; empty: not known
  std::uint64_t swaps = 0;     ///< how often another operator took the place of one of its codelets
  std::uint64_t restarts = 0;  ///< how often one of its codelets was made anew after a failure
  std::uint64_t lost = 0;      ///< messages that failing ticks had taken before it went on
  std::vector<DeadlineStatus> deadlines = {};  ///< in the order: tick, ages
};

/// How old data is when a sink takes it: from the begin of the source's tick to that of the sink's,
/// or until the sink has waited for the GPU that makes the data. Times that the messages carry
/// themselves do not count: they may be of other clocks.
struct PathStatus {
  std::string source;  ///< an entity without inputs
  std::string sink;    ///< an entity whose outputs nobody takes
  TimeFacts age;       ///< of some messages; where a sink has data of several sources, by turns
};

/// The memory that an allocator has given out.
struct AllocatorStatus {
  std::string allocator;         ///< "entity/component"
  std::uint64_t bytes = 0;       ///< now
  std::uint64_t peak_bytes = 0;  ///< most at a time so far
};

/// An operator of a graph, in the iterations that were measured, by the GPU's clock. The next
/// operator waits for the kernel that takes the time, so it takes a microsecond or two longer.
struct OperatorStatistics {
  std::string entity;           ///< its name
  std::uint64_t runs = 0;       ///< iterations in which it ran
  std::int64_t total_ns = 0;    ///< of all these iterations
  std::int64_t longest_ns = 0;  ///< of one iteration
};

/// A region that runs as a CUDA graph, at a moment of the run.
struct GraphStatus {
  std::string region;       ///< its name
  std::int32_t device = 0;  ///< number of the GPU
  bool loops = true;        ///< on the GPU; else the host launches it, in each tick of the region
  std::optional<std::uint64_t> iterations;  ///< that have ended, of one that loops
  // Of a graph with `instrument_every`: the last iterations that were measured, 64 at most.
  std::uint64_t measured = 0;    ///< how many
  std::int64_t measured_ns = 0;  ///< of all of them, from the begin to the end of the last operator
  std::vector<OperatorStatistics> operators = {};  ///< in the order of the graph
};

/// The entities of an executor. Each is seen at a moment of its own.
struct RunStatus {
  std::string executor;                     ///< "one thread", "4 worker threads"
  std::vector<EntityStatus> entities;       ///< in activation order
  std::vector<PathStatus> paths;            ///< 256 at most, in the order in which they were found
  std::uint64_t ages_left_out = 0;          ///< that were measured on further paths
  std::vector<AllocatorStatus> allocators;  ///< those that count what they give out
  std::vector<GraphStatus> graphs;          ///< those that run
};

}  // namespace gxr
