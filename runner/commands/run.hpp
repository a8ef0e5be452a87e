#pragma once

#include "commands/run_options.hpp"

namespace gxr::commands {

/// Loads the application, runs it and reports; returns the exit code.
int run(const RunOptions& options);

}  // namespace gxr::commands
