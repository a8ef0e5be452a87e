#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gxr::commands {

/// Exit codes of the executable (documented in docs/command-line.md).
enum ExitCode : int {
  kDone = 0,
  kRunFailed = 1,
  kUsage = 2,
  kInvalidApplication = 3,
  kExtensionNotLoadable = 4,
  kSignal = 130,
};

// Each command adds its sub-command to `app`; its callback sets `exit_code`. One file a command.
void add_run(CLI::App& app, int& exit_code);
void add_launch(CLI::App& app, int& exit_code);
void add_mpirun(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_expand(CLI::App& app, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_graph(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_echo(CLI::App& app, int& exit_code);
void add_describe(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_replay_info(CLI::App& app, int& exit_code);
void add_ps(CLI::App& app, int& exit_code);
void add_status(CLI::App& app, int& exit_code);
void add_top(CLI::App& app, int& exit_code);
void add_get(CLI::App& app, int& exit_code);
void add_set(CLI::App& app, int& exit_code);
void add_swap(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_lsp(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);

/// The output of `gxr --version`: version, commit, build, fingerprint of the SDK, CUDA, MPI.
std::string version_text();

/// GXF's command line, for the executable called gxe; returns the exit code, which is 0 or 1.
int gxe(const std::vector<std::string>& arguments);

}  // namespace gxr::commands
