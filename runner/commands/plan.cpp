#include "plan/plan.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/plan_application.hpp"
#include "gxr/error.hpp"
#include "gxr/report.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

struct PlanCommandOptions {
  ApplicationOptions application;
  std::string format = "text";
};

void print_plan(const Plan& plan, const PlanCommandOptions& options) {
  const bool json = options.format == "json";
  std::fputs((json ? render_plan_json(plan) + "\n" : render_plan(plan)).c_str(), stdout);
}

int plan(const PlanCommandOptions& options) {
  const auto application = load_application(options.application);
  try {
    const std::optional<Plan> plan = plan_application(*application, {options.application.executor});
    print_diagnostics(*application);
    if (plan) {
      print_plan(*plan, options);
    }
    return application->exit_code();
  } catch (const Error& error) {
    print_diagnostics(*application);
    std::fprintf(stderr, "error: %s\n", error.what());
    return kUsage;
  } catch (const ComponentFailure& failure) {
    print_diagnostics(*application);
    std::fprintf(stderr, "error: %s\n", describe(failure.failure()).c_str());
    return kRunFailed;
  }
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
