#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "commands/interrupt_signals.hpp"
#include "commands/load.hpp"
#include "commands/plan_application.hpp"
#include "commands/run_progress.hpp"
#include "control/control_socket.hpp"
#include "control/watched_file.hpp"
#include "executors/executor.hpp"
#include "gxr/report.hpp"
#include "monitor/web_address.hpp"
#include "observe/report_text.hpp"
#include "observe/run_status.hpp"

namespace gxr::commands {

class RankMember;

/// How `gxr run` and gxe run an application.
struct RunChoices {
  bool verify = false;                           ///< --verify, which leaves CUDA graphs out
  std::vector<std::string> dot_files;            ///< --cuda-dot, see cuda_dot_files()
  const ControlSocket* control = nullptr;        ///< --control; nullptr: there is none
  const ControlSocket* usual_control = nullptr;  ///< without --no-control, if it could be made
  ApplicationIdentity identity;                  ///< for those who ask there
  const WebListener* monitor = nullptr;          ///< --monitor
  const WatchedFile* watched = nullptr;          ///< --watch
  RunProgress::Places progress;                  ///< where progress is shown
  const Document* document = nullptr;            ///< of the plan, with the watched file
  ExecutorOptions options;
  RankMember* member = nullptr;  ///< of several ranks
};

/// How a run ended.
struct RunEnd {
  Report report;
  std::vector<FailurePlace> places;  ///< of the report's failures, in their order
  int signal = 0;                    ///< that asked for the end first; 0: none did
  int exit_code = 0;                 ///< of a rank that could not run; 0: as the report says
};

/// An option of the command cannot be served; the text names it.
class OptionFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs a planned application, with its components if it has them, until it ends or a signal ends
/// it. Throws Error(OutOfMemory) when there is no thread for what gxr does beside the run, another
/// Error when an extension cannot be loaded or a region has no executor, and OptionFailure before
/// anything runs.
RunEnd run_application(PlannedApplication& planned, const RunChoices& choices,
                       InterruptSignals::Style style);

/// Where a file of the application describes what failed.
FailurePlace find_place(const Graph& graph, const SourceMap& sources, const Failure& failure);

/// Ends the process at once if the report says that a GPU keeps it from ending.
void end_if_gpu_hangs(const Report& report, int exit_code);

}  // namespace gxr::commands
