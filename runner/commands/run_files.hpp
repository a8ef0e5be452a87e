#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/run_options.hpp"
#include "control/control_socket.hpp"
#include "control/watched_file.hpp"
#include "monitor/web_address.hpp"
#include "observe/trace_file.hpp"
#include "plan/plan.hpp"
#include "ranks/rank_map.hpp"

namespace gxr::commands {

/// Files and sockets that the options of a run name, opened before anything runs. They go with this
/// object.
struct RunFiles {
  std::vector<std::string> dot_files;
  std::optional<TraceFile> trace;
  std::optional<ControlSocket> control;
  std::optional<ControlSocket> usual_control;
  std::optional<WatchedFile> watched;
  std::optional<WebListener> monitor;

  /// Throws Error when one cannot be opened.
  RunFiles(const Plan& plan, const RunOptions& options);

  /// False when the trace cannot be written, which is said on standard error.
  bool write_trace();

 private:
  void listen(const std::string& address);
  void make_usual_control(std::int64_t process);
};

/// The name of an application in a trace: that of its first file.
std::string process_name(const RunOptions& options);

/// The file of a rank, where the first one has `file`: "trace.rank1.json". Devices and pipes are
/// for all ranks.
std::string file_of_rank(const std::string& file, Rank rank);

}  // namespace gxr::commands
