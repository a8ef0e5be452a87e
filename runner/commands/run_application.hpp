#pragma once

#include <string>
#include <vector>

#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "control/control_socket.hpp"
#include "control/watched_file.hpp"
#include "gxr/report.hpp"
#include "plan/plan.hpp"
#include "runtime/executor.hpp"

namespace gxr::commands {

/// How `gxr run` and gxe run an application.
struct RunChoices {
  bool verify = false;                     ///< --verify, which leaves CUDA graphs out
  std::vector<std::string> dot_files;      ///< --cuda-dot, see cuda_dot_files()
  const ControlSocket* control = nullptr;  ///< --control; nullptr: nobody changes parameters
  const WatchedFile* watched = nullptr;    ///< --watch
  const Document* document = nullptr;      ///< of the plan, with the watched file
  ExecutorOptions options;
};

/// Runs a planned application until it ends or a signal ends it. Throws Error when an extension
/// cannot be loaded, or a region has no executor.
Report run_application(const Plan& plan, const RunChoices& choices,
                       InterruptSignals::Style signals);

/// Ends the process at once if the report says that a GPU keeps it from ending.
void end_if_gpu_hangs(const Report& report, int exit_code);

}  // namespace gxr::commands
