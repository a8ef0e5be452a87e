#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gxr {

/// What an entity does at a moment of the run.
struct EntityStatus {
  std::string entity;
  std::uint64_t ticks = 0;
  std::string state;  ///< "waits for a message on …", "is running", "has finished"
};

/// What the entities of an executor do at a moment of the run.
struct RunStatus {
  std::string executor;  ///< "one thread", "4 worker threads"
  std::vector<EntityStatus> entities;
};

}  // namespace gxr
