#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "control/answer_json.hpp"

namespace gxr::commands {
namespace {

struct GetOptions {
  ApplicationChoice application;
  std::vector<std::string> arguments;  ///< [SOCKET] PARAMETER
  std::string format = "text";
};

int show_values(const std::string& format, const nlohmann::json& answer) {
  const std::vector<ParameterFacts> parameters = read_parameters(answer);
  if (format == "json") {
    print(to_json(parameters));
    return kDone;
  }
  for (const ParameterFacts& each : parameters) {
    const std::string value = each.value.value_or("~");
    print_text((parameters.size() > 1 ? each.parameter + "=" + value : value) + "\n");
  }
  return kDone;
}

int get(GetOptions& options) {
  if (options.arguments.size() > 1) {
    options.application.set_socket(options.arguments.front());
  }
  return options.application.ask(
      {{}, options.arguments.back(), true, ControlRequest::Question::Get},
      [&](const nlohmann::json& answer) { return show_values(options.format, answer); });
}

}  // namespace

void add_get(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GetOptions>();
  CLI::App* command =
      app.add_subcommand("get", "Print the value of a parameter of a running application");
  command
      ->add_option("PARAMETER", options->arguments,
                   "The parameter, behind a control socket if need be")
      ->required()
      ->expected(1, 2)
      ->type_name("[SOCKET] ENTITY/[COMPONENT/]PARAMETER");
  options->application.add_to(*command);
  command->add_option("--format", options->format, "Form of the value")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = get(*options); });
}

}  // namespace gxr::commands
