#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
#include "commands/plan_application.hpp"
#include "document/number_text.hpp"
#include "graph/part_alone.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

struct ValidateOptions {
  ApplicationOptions application;
  std::string format = "text";
};

std::string summary(const Graph& graph) {
  return "ok: " + counted(graph.entities.size(), "entity", "entities") + ", " +
         counted(graph.components.size(), "component", "components") + ", " +
         counted(graph.links.size(), "connection", "connections");
}

int validate(const ValidateOptions& options) {
  if (options.format == "json") {
    reserve_standard_output();
  }
  const auto application = load_application(options.application);
  const bool is_part = is_part_alone(application->document, application->graph,
                                     application->catalog, application->names.size());
  if (is_part) {
    drop_concerns_of_includer(application->diagnostics);
  }
  try {
    static_cast<void>(plan_regions(*application, {options.application.executor}));
  } catch (const Error&) {
    // No executor for its scheduler: that is no mistake of the application.
  }
  if (options.format == "json") {
    print_diagnostics_as_json(*application);
    return application->exit_code();
  }
  print_diagnostics(*application);
  if (application->exit_code() == kDone) {
    std::printf("%s%s\n", summary(application->graph).c_str(),
                is_part ? ", a part for an application that includes it" : "");
  }
  return application->exit_code();
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand("validate", "Check an application without running it");
  options->application.add_to(*command);
  command->add_option("--format", options->format, "Form of the output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = validate(*options); });
}

}  // namespace gxr::commands
