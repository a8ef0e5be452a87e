#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "control/control_folder.hpp"
#include "control/control_protocol.hpp"
#include "control/control_socket.hpp"
#include "observe/run_status.hpp"

namespace CLI {
class App;
}

namespace gxr::commands {

/// An application of this user that runs.
struct RunningApplication {
  ListeningSocket socket;
  std::optional<ApplicationStatus> about;  ///< without entities; none: it does not answer
};

/// All of them, by their process numbers; waits at most a second for their answers. Prints warnings
/// for folders that are not looked into.
std::vector<RunningApplication> running_applications();
/// "4711  tuning  apps/tuning/tuning.yaml", a line each; some of it escaped.
std::string list_text(const std::vector<RunningApplication>& applications);

/// Which application a command asks, and how long it waits for the answer.
class ApplicationChoice {
 public:
  /// Adds --app and --timeout.
  void add_to(CLI::App& command);
  /// The socket that an argument names.
  void set_socket(std::string path);
  [[nodiscard]] bool is_made() const noexcept { return !socket_.empty() || !app_.empty(); }

  /// Asks, and returns the exit code, after an error has been printed; else what `take` returns of
  /// the result. The answer may take longer than --timeout says, by `more`.
  int ask(const ControlRequest& request, const std::function<int(const nlohmann::json&)>& take,
          std::chrono::nanoseconds more = std::chrono::nanoseconds(0)) const;
  /// Prints the answer to a Question::StatusText, likewise.
  int print_status() const;
  /// Finds the application, and returns the exit code, after an error has been printed; else what
  /// `take` returns, which gets the path of its socket and what the option --timeout says. An Error
  /// that `take` throws is printed, too.
  int find(const std::function<int(const std::string& path, std::chrono::milliseconds patience)>&
               take) const;

 private:
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::chrono::milliseconds patience() const;
  int call(const ControlRequest& request, std::chrono::milliseconds patience,
           const std::function<int(const ControlCall&, const ControlDeadline&)>& take) const;

  std::string app_;
  std::string socket_;
  double timeout_ = 10.0;  ///< seconds; 0: none
};

/// Is it the path of a socket rather than the name of something in an application?
bool is_socket_path(const std::string& argument);

}  // namespace gxr::commands
