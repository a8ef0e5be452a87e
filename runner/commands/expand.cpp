#include "graph/expand.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"

namespace gxr::commands {
namespace {

int expand(const ApplicationOptions& options, bool short_form) {
  const auto application = load_application(options);
  print_diagnostics(*application);
  if (application->exit_code() == kDone || application->lacks_types()) {
    const std::string text =
        short_form ? expand_short(application->graph, application->document, application->catalog)
                   : gxr::expand(application->graph, application->document);
    std::fputs(text.c_str(), stdout);
  }
  return application->exit_code();
}

}  // namespace

void add_expand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ApplicationOptions>();
  CLI::App* command = app.add_subcommand(
      "expand", "Print an application as one YAML file, with all parameters applied");
  options->add_to(*command);
  auto short_form = std::make_shared<bool>(false);
  command->add_flag("--short", *short_form, "Write entities in the short form that have one");
  command->callback(
      [options, short_form, &exit_code] { exit_code = expand(*options, *short_form); });
}

}  // namespace gxr::commands
