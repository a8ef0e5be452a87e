#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "language/server.hpp"

namespace gxr::commands {
namespace {

/// Nothing but the protocol may reach standard output.
int serve() {
  const int output = ::dup(STDOUT_FILENO);
  if (output < 0) {
    print_error("standard output is closed");
    return kUsage;
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  language::Server server(STDIN_FILENO, output, version_text());
  return server.run() ? kDone : kRunFailed;
}

}  // namespace

void add_lsp(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "lsp", "Serve an editor: problems, completion and more while an application is written");
  command->callback([&exit_code] { exit_code = serve(); });
}

}  // namespace gxr::commands
