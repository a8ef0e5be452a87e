#include "commands/run_options.hpp"

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/command_table.hpp"
#include "commands/number_option.hpp"

namespace gxr::commands {

std::int64_t RunOptions::own_process() const { return process != 0 ? process : ::getpid(); }

LogChoices RunOptions::log_choices() const {
  return {*parse_log_level(log_level), log_file,
          log_format == "json" ? LogForm::Json : LogForm::Text, log_rotation};
}

void RunOptions::add_log_options(CLI::App& command) {
  command.add_option("--log-level", log_level, "Least important level to log")
      ->check(CLI::IsMember({"off", "error", "warn", "info", "debug"}))
      ->capture_default_str();
  CLI::Option* const file =
      command.add_option("--log-file", log_file, "Append the log to a file")->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--log-rotate",
          [this](const std::string& text) {
            const std::optional<LogRotation> rotation = parse_log_rotation(text);
            if (!rotation) {
              throw CLI::ValidationError(
                  "--log-rotate", "Value " + text +
                                      " is no size of 1 KB or more with a unit (10MB, 512KiB), "
                                      "which a count of 1 to 999 files may follow (10MB,3)");
            }
            log_rotation = *rotation;
          },
          "Before the log file gets larger than SIZE, rename it to FILE.1, FILE.1 to FILE.2 and so "
          "on, and begin a new one; COUNT old files stay, 5 if left out")
      ->type_name("SIZE[,COUNT]")
      ->needs(file);
  command
      .add_option("--log-format", log_format,
                  "Form of the log; json: an object with time, level, entity, component and text "
                  "on each line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void RunOptions::add_to(CLI::App& command) {
  add_log_options(command);
  command.add_option("--format", format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_flag("--strict-end", strict_end,
                   "Exit code 1 also when the run ends by its time limit, and for a deadlock with "
                   "--compat gxf");
  command.add_flag("--deadlock-ok", deadlock_ok, "Exit code 0 when the run ends in a deadlock");
  CLI::Option* const verify_option = command.add_flag(
      "--verify", verify,
      "Run operators that can work on CPU and GPU on both, and compare their results");
  command
      .add_option("--cuda-dot", cuda_dot, "Write CUDA's picture of each CUDA graph, for Graphviz")
      ->type_name("FILE")
      ->excludes(verify_option);
  command.add_option("--trace", trace, "Write a trace for Perfetto or chrome://tracing (JSON)")
      ->type_name("FILE");
  CLI::Option* const control_option =
      command
          .add_option("--control", control,
                      "A further socket for 'gxr status', 'get' and 'set'; auto: one that they "
                      "try first")
          ->type_name("SOCKET")
          ->expected(0, 1)
          ->default_str("auto");
  command
      .add_flag("--no-control", no_control,
                "Make no control socket: nobody can ask this run, or change it")
      ->excludes(control_option);
  command
      .add_option("--monitor", monitor,
                  "Show the run on a page for browsers, and give its metrics; without a host, to "
                  "this machine alone; port 0: any that is free")
      ->type_name("[HOST:]PORT");
  CLI::Option* const watch =
      command
          .add_option("--watch", application.watched_file,
                      "File of parameters to set at the start and after each change of the file")
          ->type_name("FILE")
          ->check([](const std::string& file) {
            return file == "-" ? std::string("standard input cannot be watched") : std::string();
          });
  completes(watch, Completes::Yaml);
  add_number_option(
      command, "--end-patience", 0, 1e6,
      "How long GPU work may make no progress when the run is to end early; 0: no limit; left out: "
      "10, or the longest watchdog_ms of a CUDA graph if that is more",
      [this](double seconds) { end_patience = seconds; })
      ->type_name("SECONDS");
  command.add_flag("--nvtx", nvtx,
                   "Mark the ticks of entities and codelets for NVIDIA's profilers");
  command.add_flag("--check-streams", check_streams,
                   "Fail when a codelet uses the legacy default stream of CUDA");
  command.add_flag("--quiet", quiet,
                   "Do not show how far a long run has come, on the terminal or each minute in "
                   "the log");
  command.add_flag("--stats", statistics, "Measure and print ticks and time of every entity");
}

}  // namespace gxr::commands
