#pragma once

#include <optional>

#include "ranks/rank_map.hpp"

namespace gxr::commands {

/// The processes that mpirun or Slurm started together, of which this is one.
struct MpiJob {
  Rank rank = 0;
  Rank ranks = 0;
};

/// As the environment tells, without MPI; nothing when nobody started this one so. A process that a
/// rank has started has its environment, too.
std::optional<MpiJob> mpi_job();

}  // namespace gxr::commands
