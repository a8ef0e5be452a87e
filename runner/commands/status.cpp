#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "control/answer_json.hpp"
#include "document/utf8.hpp"
#include "observe/status_json.hpp"
#include "observe/status_text.hpp"

namespace gxr::commands {
namespace {

struct StatusOptions {
  ApplicationChoice application;
  std::vector<std::string> arguments;  ///< [SOCKET] [ENTITY]
  std::string format = "text";
};

std::string parameters_text(const ComponentFacts& component) {
  std::string text = component.component.empty()
                         ? component.type + "\n"
                         : component.component + " (" + component.type + ")\n";
  for (const ParameterFacts& each : component.parameters) {
    const std::string key = each.parameter.substr(each.parameter.rfind('/') + 1);
    text += fmt::format("  {}: {}", key, each.value.value_or("~"));
    text += std::string(each.fixed.empty() ? "  (changeable)" : "") + "\n";
  }
  return text;
}

std::string render(const EntityFacts& facts, const std::string& name) {
  std::string text;
  if (!facts.region.empty()) {
    text += "entity " + quote_text(name) + " is a part of CUDA graph " + quote_text(facts.region) +
            ", which runs as one entity\n";
  }
  text += facts.status
              ? render_entity(*facts.status)
              : "entity " + quote_text(name) + ": the application has not begun, or ends\n";
  for (const ComponentFacts& component : facts.components) {
    text += "\n" + parameters_text(component);
  }
  return text;
}

int show_all(const nlohmann::json& answer) {
  print(to_json(read_status(answer)));
  return kDone;
}

int show_one(const StatusOptions& options, const std::string& entity,
             const nlohmann::json& answer) {
  const EntityFacts facts = read_entity_facts(answer);
  if (options.format == "json") {
    print(to_json(facts));
  } else {
    print_text(render(facts, entity));
  }
  return kDone;
}

int show_status(StatusOptions& options) {
  std::vector<std::string>& arguments = options.arguments;
  if (arguments.size() > 1 || (arguments.size() == 1 && is_socket_path(arguments.front()))) {
    options.application.set_socket(arguments.front());
    arguments.erase(arguments.begin());
  }
  const std::string entity = arguments.empty() ? std::string() : arguments.front();
  if (entity.empty() && options.format == "text") {
    return options.application.print_status();  // which the application renders: that is faster
  }
  return options.application.ask(
      {{}, entity, true, ControlRequest::Question::Status}, [&](const nlohmann::json& answer) {
        return entity.empty() ? show_all(answer) : show_one(options, entity, answer);
      });
}

}  // namespace

void add_status(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StatusOptions>();
  CLI::App* command = app.add_subcommand(
      "status", "Show what a running application does, and why its entities wait");
  command
      ->add_option("SOCKET_OR_ENTITY", options->arguments,
                   "A control socket, an entity of which to show everything, or both in this order")
      ->expected(0, 2)
      ->type_name("[SOCKET] [ENTITY]");
  options->application.add_to(*command);
  command->add_option("--format", options->format, "Form of the status")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = show_status(*options); });
}

}  // namespace gxr::commands
