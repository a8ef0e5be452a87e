#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <spdlog/fmt/fmt.h>

#include "commands/commands.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "control/control_socket.hpp"
#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

struct SetOptions {
  std::string socket;
  bool is_named = false;
  std::vector<std::string> assignments;
  std::string enabled;
  std::string disabled;
  double timeout = 10.0;  ///< seconds; 0: none
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

/// An Error of these codes is thrown before there is an application that could refuse.
bool is_wrong_usage(ErrorCode code) {
  return code == ErrorCode::NotFound || code == ErrorCode::InvalidArgument ||
         code == ErrorCode::InputOutput;
}

/// An assignment where the socket could stand leaves that out.
SetOptions with_socket(SetOptions options) {
  if (options.socket.find('=') != std::string::npos) {
    options.assignments.insert(options.assignments.begin(), std::move(options.socket));
    options.socket.clear();
  }
  if (options.socket.empty()) {
    options.socket = usual_control_path();
  }
  return options;
}

int set(const SetOptions& given) {
  const bool is_empty = given.is_named && given.socket.empty();
  const SetOptions options = is_empty ? given : with_socket(given);
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
  try {
    const bool on = !options.enabled.empty();
    send_request(options.socket, {options.assignments, on ? options.enabled : options.disabled, on},
                 std::chrono::milliseconds(std::llround(options.timeout * 1000.0)));
    return kDone;
  } catch (const Error& error) {
    return fail(error.message(), is_wrong_usage(error.code()) ? kUsage : kRunFailed);
  }
}

}  // namespace

void add_set(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SetOptions>();
  CLI::App* command =
      app.add_subcommand("set", "Change parameters of an application that runs with --control");
  CLI::Option* const socket = command->add_option(
      "SOCKET", options->socket,
      "The socket of 'gxr run --control'; without a name: the socket that it makes for 'auto'");
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
  add_number_option(*command, "--timeout", 0, 1e6,
                    "How long to wait for the answer; 0: no limit. An application answers when "
                    "its components are made",
                    [options](double seconds) { options->timeout = seconds; })
      ->type_name("SECONDS")
      ->default_str(fmt::format("{}", options->timeout));
  command->callback([options, socket, &exit_code] {
    options->is_named = socket->count() > 0;
    exit_code = set(*options);
  });
}

}  // namespace gxr::commands
