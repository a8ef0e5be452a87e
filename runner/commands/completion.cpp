#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/completion_scripts.hpp"
#include "commands/gxe_flags.hpp"
#include "commands/output.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

struct CompletionOptions {
  std::string shell;
  std::string output;
};

std::string script_of(const CommandTable& table, const std::string& shell) {
  const CommandEntry gxe = gxe_command();
  return shell == "bash"  ? bash_completion(table, gxe)
         : shell == "zsh" ? zsh_completion(table, gxe)
                          : fish_completion(table, gxe);
}

int completion(CLI::App& app, const CompletionOptions& options) {
  try {
    write_output(script_of(command_table(app), options.shell), options.output);
    return kDone;
  } catch (const Error& error) {
    print_error(error.message());
    return kUsage;
  }
}

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompletionOptions>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script that completes the command lines of gxr and gxe");
  command->add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->add_option("-o,--output", options->output, "Write to a file")->type_name("FILE");
  command->callback([options, &app, &exit_code] { exit_code = completion(app, *options); });
}

}  // namespace gxr::commands
