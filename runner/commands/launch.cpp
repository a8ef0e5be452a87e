#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
#include "commands/plan_application.hpp"
#include "commands/run.hpp"
#include "graph/expand.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

/// Checks what `gxr validate` checks.
int print_short_form(const ApplicationOptions& options) {
  const auto application = load_application(options);
  try {
    static_cast<void>(plan_regions(*application, {options.executor}));
  } catch (const Error&) {
    // No executor for its scheduler: that is no mistake of the application.
  }
  print_diagnostics(*application);
  if (application->exit_code() == kDone) {
    print(expand_short(application->graph, application->document, application->catalog));
  }
  return application->exit_code();
}

}  // namespace

void add_launch(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  auto dry_run = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("launch", "Run an application that one line of elements describes");
  completes(
      command
          ->add_option("ELEMENT", options->application.line,
                       "Elements with '!' between them: 'TYPE KEY=VALUE ! TYPE'; one argument "
                       "or several")
          ->required(),
      Completes::Elements);
  CLI::Option* const dry_run_option =
      command->add_flag("--dry-run", *dry_run, "Print the application in the short form, and end");
  options->application.add_options_to(*command);
  options->add_to(*command);
  dry_run_option->excludes("--format");
  command->callback([options, dry_run, &exit_code] {
    exit_code = *dry_run ? print_short_form(options->application) : run(*options);
  });
}

}  // namespace gxr::commands
