#include "graph/expand.hpp"

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"

namespace gxr::commands {
namespace {

int expand(const ApplicationOptions& options) {
  const auto application = load_application(options);
  print_diagnostics(*application);
  if (application->exit_code() == kDone || application->lacks_types()) {
    std::fputs(gxr::expand(application->graph, application->document).c_str(), stdout);
  }
  return application->exit_code();
}

}  // namespace

void add_expand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ApplicationOptions>();
  CLI::App* command = app.add_subcommand(
      "expand", "Print an application as one YAML file, with all parameters applied");
  options->add_to(*command);
  command->callback([options, &exit_code] { exit_code = expand(*options); });
}

}  // namespace gxr::commands
