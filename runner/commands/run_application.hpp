#pragma once

#include <string>

#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "gxr/report.hpp"
#include "runtime/executor.hpp"

namespace gxr::commands {

/// How `gxr run` and gxe run an application.
struct RunChoices {
  std::string executor;  ///< what --executor says
  bool verify = false;   ///< --verify
  ExecutorOptions options;
};

/// Plans and runs an application that has no errors, until it ends or a signal ends it. Throws
/// Error when that is not there, or an extension cannot be loaded.
Report run_application(const LoadedApplication& application, const RunChoices& choices,
                       InterruptSignals::Style signals);

}  // namespace gxr::commands
