#include "plan/plan.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
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

bool is_json(const PlanCommandOptions& options) { return options.format == "json"; }

int plan(const PlanCommandOptions& options) {
  if (is_json(options)) {
    reserve_standard_output();
  }
  const auto application = load_application(options.application);
  try {
    const PlanOptions choice{options.application.executor};
    const std::optional<Plan> plan = application->lacks_types()
                                         ? plan_known_types(*application, choice)
                                         : plan_with_shapes(*application, choice);
    if (is_json(options) && !plan) {
      print_diagnostics_as_json(*application);
      return application->exit_code();
    }
    print_diagnostics(*application);
    if (plan) {
      if (is_json(options)) {
        print_json(render_plan_json(*plan));
      } else {
        print_text(render_plan(*plan));
      }
    }
    return application->exit_code();
  } catch (const Error& error) {
    print_diagnostics(*application);
    print_error(error.what());
    return kUsage;
  } catch (const ComponentFailure& failure) {
    print_diagnostics(*application);
    print_error(describe(failure.failure()));
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
