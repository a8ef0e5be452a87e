#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "commands/load.hpp"
#include "observe/log.hpp"
#include "observe/log_rotation.hpp"
#include "observe/trace_events.hpp"
#include "ranks/rank_map.hpp"

namespace CLI {
class App;
}

namespace gxr::commands {

/// One of several processes that run an application together.
struct RankFacts {
  Rank rank = 0;
  TraceBegin trace_begin;   ///< of the time line that all share
  std::string joint_trace;  ///< the file that shows all in the end; empty: none
};

/// Options of commands that run an application.
struct RunOptions {
  ApplicationOptions application;
  std::string log_level = "info";
  std::string log_file;
  std::string log_format = "text";
  LogRotation log_rotation{};
  std::string cuda_dot;
  std::string trace;
  std::optional<std::string> control;
  bool no_control = false;
  std::optional<std::string> monitor;  ///< where the page is, "[HOST:]PORT"
  std::string format = "text";
  bool statistics = false;
  bool quiet = false;
  bool prints_data = false;  ///< standard output has what the application prints, and nothing else
  bool strict_end = false;
  bool deadlock_ok = false;
  bool verify = false;
  bool nvtx = false;
  bool check_streams = false;
  std::optional<double> end_patience;  ///< seconds
  std::int64_t process = 0;            ///< by which people know the run; 0: this one
  std::optional<RankFacts> of_rank;    ///< of this process, if it is one of several

  /// Adds all but those of the application; they must live as long as the command.
  void add_to(CLI::App& command);
  [[nodiscard]] std::int64_t own_process() const;
  [[nodiscard]] LogChoices log_choices() const;

 private:
  void add_log_options(CLI::App& command);
};

}  // namespace gxr::commands
