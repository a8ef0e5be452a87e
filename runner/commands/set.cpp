#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "document/diagnostics.hpp"
#include "document/document.hpp"

namespace gxr::commands {
namespace {

struct SetOptions {
  ApplicationChoice application;
  std::string socket;  ///< or the first assignment
  std::vector<std::string> assignments;
  std::string enabled;
  std::string disabled;
};

int fail(const std::string& text, int code) {
  print_error(text);
  return code;
}

/// What is no assignment needs no application to be told so.
bool are_assignments(const std::vector<std::string>& arguments) {
  Document document;
  Diagnostics diagnostics;
  for (const std::string& argument : arguments) {
    document.add_override(argument, diagnostics);
  }
  for (const Diagnostic& found : diagnostics.all()) {
    fail(found.text + (found.hint.empty() ? "" : " (" + found.hint + ")"), kUsage);
  }
  return diagnostics.errors() == 0;
}

/// An assignment where the socket could stand leaves that out.
void sort_arguments(SetOptions& options) {
  if (options.socket.find('=') != std::string::npos) {
    options.assignments.insert(options.assignments.begin(), std::move(options.socket));
  } else if (!options.socket.empty()) {
    options.application.set_socket(std::move(options.socket));
  }
}

int set(SetOptions& options) {
  sort_arguments(options);
  const bool switches = !options.enabled.empty() || !options.disabled.empty();
  if (!switches && options.assignments.empty()) {
    return fail(
        "nothing to set: write ENTITY/[COMPONENT/]PARAMETER=VALUE, --enable ENTITY or "
        "--disable ENTITY",
        kUsage);
  }
  if (switches && !options.assignments.empty()) {
    return fail("operators are switched by themselves: leave " + options.assignments.front() +
                    " out, and set it by another 'gxr set'",
                kUsage);
  }
  if (!are_assignments(options.assignments)) {
    return kUsage;
  }
  const bool on = !options.enabled.empty();
  return options.application.ask({options.assignments, on ? options.enabled : options.disabled, on},
                                 [](const nlohmann::json&) { return static_cast<int>(kDone); });
}

}  // namespace

void add_set(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SetOptions>();
  CLI::App* command = app.add_subcommand("set", "Change parameters of a running application");
  command->add_option("SOCKET", options->socket, "A control socket; without a name: that of --app");
  CLI::Option* const assignments =
      command
          ->add_option("ASSIGNMENT", options->assignments,
                       "Values to set: all of them, or none when one is wrong")
          ->type_name("ENTITY/[COMPONENT/]PARAMETER=VALUE");
  CLI::Option* const enabled =
      command
          ->add_option("--enable", options->enabled, "Switch an operator of a CUDA graph on again")
          ->type_name("ENTITY")
          ->excludes(assignments);
  command->add_option("--disable", options->disabled, "Switch an operator of a CUDA graph off")
      ->type_name("ENTITY")
      ->excludes(assignments)
      ->excludes(enabled);
  options->application.add_to(*command);
  command->callback([options, &exit_code] { exit_code = set(*options); });
}

}  // namespace gxr::commands
