#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "language/server.hpp"

namespace gxr::commands {
namespace {

/// Nothing but the protocol may reach standard output.
int serve() {
  reserve_standard_output();
  if (reserved_descriptor() < 0) {
    return kUsage;  // finish_output() says why
  }
  language::Server server(STDIN_FILENO, reserved_descriptor(), version_text());
  return server.run() ? kDone : kRunFailed;
}

}  // namespace

void add_lsp(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("lsp", "Language server: diagnostics, completion and more in an editor");
  command->callback([&exit_code] { exit_code = serve(); });
}

}  // namespace gxr::commands
