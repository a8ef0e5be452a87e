#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gxr {

/// What an entity does at a moment of the run.
enum class EntityState : std::uint8_t {
  Unknown,     ///< its scheduler did not say: it is in a call, or the run begins or ends
  NotStarted,  ///< start() has not run
  Queued,      ///< a worker is about to look at it
  Running,     ///< a worker runs it
  Ready,       ///< no scheduling term keeps it from running
  Waiting,     ///< for what its scheduling terms say
  Finished,    ///< it will not run any more
};

/// What a queue holds at a moment of the run.
struct QueueStatus {
  std::string queue;  ///< "entity/component"
  bool is_input = true;
  std::optional<std::uint64_t> messages;  ///< in both stages; none: not known at the moment
  std::optional<std::uint64_t> capacity;  ///< of one stage; likewise
  std::optional<std::uint64_t> dropped;   ///< so far, for lack of room; likewise
};

/// What an entity, or a region that is a CUDA graph, does at a moment of the run.
struct EntityStatus {
  std::string entity;
  std::uint64_t ticks = 0;
  EntityState state = EntityState::Unknown;
  std::vector<std::string> reasons;  ///< what its scheduling terms wait for, in their own words
  std::vector<QueueStatus> queues;   ///< receivers, then transmitters
};

/// What the entities of an executor do. Each is seen at a moment of its own.
struct RunStatus {
  std::string executor;  ///< "one thread", "4 worker threads"
  std::vector<EntityStatus> entities;
};

/// How far an application has come.
enum class RunPhase : std::uint8_t {
  Starting,  ///< its components are being made and initialised
  Running,
  Stopping,  ///< its components are being stopped
};

/// Which application it is.
struct ApplicationIdentity {
  std::int64_t process = 0;        ///< PID
  std::string name;                ///< the stem of its first file
  std::vector<std::string> files;  ///< as they were named
  std::int64_t started_ms = 0;     ///< of the Unix clock, when it was ready to begin
};

/// An application at a moment of its run.
struct ApplicationStatus {
  ApplicationIdentity application;
  RunPhase phase = RunPhase::Starting;
  std::int64_t elapsed_ns = 0;     ///< real time since it was ready to begin
  std::vector<std::string> calls;  ///< calls of components in which threads are, see describe()
  RunStatus run;                   ///< without entities as long as there are none
};

}  // namespace gxr
