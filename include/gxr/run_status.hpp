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

/// The content of a queue at a moment of the run.
struct QueueStatus {
  std::string queue;                      ///< "entity/component"
  bool is_input = true;                   ///< a receiver's, else a transmitter's
  std::optional<std::uint64_t> messages;  ///< in both stages; none: not known at the moment
  std::optional<std::uint64_t> capacity;  ///< of one stage; likewise
  std::optional<std::uint64_t> dropped;   ///< so far, for lack of room; likewise
};

/// An entity, or a region that is a CUDA graph, at a moment of the run.
struct EntityStatus {
  std::string entity;                        ///< its name
  std::uint64_t ticks = 0;                   ///< how often it has ticked
  EntityState state = EntityState::Unknown;  ///< what a worker would find
  std::vector<std::string> reasons;  ///< what its scheduling terms wait for, in their own words
  std::vector<QueueStatus> queues;   ///< receivers, then transmitters
};

/// The entities of an executor. Each is seen at a moment of its own.
struct RunStatus {
  std::string executor;                ///< "one thread", "4 worker threads"
  std::vector<EntityStatus> entities;  ///< in activation order
};

}  // namespace gxr
