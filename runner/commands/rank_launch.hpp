#pragma once

#include <functional>
#include <vector>

#include "ipc/file_descriptor.hpp"
#include "ranks/rank_map.hpp"

namespace gxr::commands {

/// Runs `run` in so many processes of this host, each with its rank and its sockets to the others,
/// by rank, and waits for all of them. Signals that ask this process for the end go to them.
/// Returns the exit code on which they agreed; kRunFailed when all died. Throws Error(OutOfMemory)
/// when there are not enough processes or file descriptors. Precondition: the process has one
/// thread.
int launch_ranks(Rank ranks, const std::function<int(Rank, std::vector<FileDescriptor>)>& run);

}  // namespace gxr::commands
