#include "commands/run_files.hpp"

#include <filesystem>
#include <system_error>

#include "commands/commands.hpp"
#include "commands/cuda_dot.hpp"
#include "commands/run_result.hpp"
#include "control/control_folder.hpp"
#include "gxr/error.hpp"
#include "monitor/web_server.hpp"
#include "observe/log.hpp"

namespace gxr::commands {
namespace {

TraceProcess traced_process(const RunOptions& options) {
  TraceProcess process{process_name(options)};
  if (options.of_rank) {
    process.name += ", rank " + std::to_string(options.of_rank->rank);
    process.number = options.of_rank->rank + 1;
    process.begin = options.of_rank->trace_begin;
  }
  return process;
}

}  // namespace

RunFiles::RunFiles(const Plan& plan, const RunOptions& options) {
  if (!options.cuda_dot.empty()) {
    dot_files = cuda_dot_files(plan, options.cuda_dot);
  }
  if (!options.trace.empty()) {
    trace.emplace(options.trace, traced_process(options));
  }
  if (options.application.watched_file) {
    watched.emplace(*options.application.watched_file, options.application.greatest_number);
  }
  if (options.control) {
    control.emplace(*options.control == "auto" ? usual_control_path() : *options.control);
  }
  if (options.monitor) {
    listen(*options.monitor);
  }
  if (!options.no_control) {
    make_usual_control(options.own_process());
  }
}

void RunFiles::listen(const std::string& address) {
  try {
    WebServer::require();
    monitor.emplace(parse_web_address(address));
  } catch (const Error& error) {
    throw Error(error.code(), "--monitor: " + error.message());
  }
}

/// Nobody has asked for it, so that the run goes on without.
void RunFiles::make_usual_control(std::int64_t process) {
  try {
    usual_control.emplace(make_own_control_path(process));
  } catch (const Error& error) {
    Log::write(LogLevel::Warn,
               "nobody can ask this application or change it (--no-control): " + error.message());
  }
}

bool RunFiles::write_trace() {
  try {
    if (trace) {
      trace->finish();
    }
    return true;
  } catch (const Error& error) {
    fail_run(error.message(), kRunFailed);
    return false;
  }
}

std::string process_name(const RunOptions& options) {
  const std::vector<std::string> names = options.application.names();
  const std::string name =
      names.empty() ? std::string() : std::filesystem::path(names.front()).stem().string();
  return name.empty() || name == "-" ? "gxr" : name;
}

std::string file_of_rank(const std::string& file, Rank rank) {
  std::filesystem::path path(file);
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  const bool is_own =
      type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
  if (rank == 0 || file.empty() || !is_own) {
    return file;
  }
  const std::string extension = path.extension().string();
  return path.replace_extension("rank" + std::to_string(rank) + extension).string();
}

}  // namespace gxr::commands
