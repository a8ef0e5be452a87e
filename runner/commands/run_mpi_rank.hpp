#pragma once

#include "commands/load.hpp"
#include "commands/mpi_job.hpp"
#include "commands/run_options.hpp"

namespace gxr::commands {

/// Runs a rank of a job, of which mpirun or Slurm started the others, and reports; returns the exit
/// code. Throws Error.
int run_mpi_rank(LoadedApplication& application, const RunOptions& options, const MpiJob& job);

}  // namespace gxr::commands
