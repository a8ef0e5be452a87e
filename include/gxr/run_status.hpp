#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gxr {

/// What an entity does at a moment of the run.
struct EntityStatus {
  std::string entity;       ///< its name
  std::uint64_t ticks = 0;  ///< how often it has ticked
  /// "waits for a message on …", "is running", "has finished"; empty: it is not known, since the
  /// thread that runs the entities did not answer.
  std::string state;
};

/// What the entities of an application do at a moment of the run.
struct RunStatus {
  std::string executor;                ///< "one thread", "4 worker threads"
  std::vector<EntityStatus> entities;  ///< in activation order
};

}  // namespace gxr
