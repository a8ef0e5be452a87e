#pragma once

#include "commands/load.hpp"
#include "commands/run_options.hpp"

namespace gxr::commands {

/// Runs an application in processes of this host and reports; returns the exit code. Throws Error.
int run_ranks(LoadedApplication& application, const RunOptions& options);

}  // namespace gxr::commands
