#include "plan/plan.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

struct PlanCommandOptions {
  ApplicationOptions application;
  std::string format = "text";
};

int print_plan(const LoadedApplication& application, const PlanCommandOptions& options) {
  try {
    const Plan plan =
        make_plan(application.graph, application.catalog, {options.application.executor});
    const bool json = options.format == "json";
    std::fputs((json ? render_plan_json(plan) + "\n" : render_plan(plan)).c_str(), stdout);
    return kDone;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kUsage;
  }
}

int plan(const PlanCommandOptions& options) {
  const auto application = load_application(options.application);
  print_diagnostics(*application);
  const int code = application->exit_code();
  return code == kDone ? print_plan(*application, options) : code;
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PlanCommandOptions>();
  CLI::App* command = app.add_subcommand("plan", "Show how an application will run");
  options->application.add_to(*command);
  command->add_option("--format", options->format, "Form of the output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = plan(*options); });
}

}  // namespace gxr::commands
