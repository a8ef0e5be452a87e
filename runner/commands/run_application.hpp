#pragma once

#include <string>

#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "gxr/report.hpp"
#include "runtime/executor.hpp"

namespace gxr::commands {

/// Plans and runs an application that has no errors, until it ends or a signal ends it. `executor`
/// is what --executor says. Throws Error when that is not there, or an extension cannot be loaded.
Report run_application(const LoadedApplication& application, const std::string& executor,
                       const ExecutorOptions& options, InterruptSignals::Style signals);

}  // namespace gxr::commands
