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
#include "commands/python_process.hpp"
#include "commands/rank_options.hpp"
#include "gxr/error.hpp"
#include "gxr/report.hpp"
#include "ranks/rank_plan.hpp"
#include "runtime/complete_plan.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

struct PlanCommandOptions {
  ApplicationOptions application;
  std::string format = "text";
};

bool is_json(const PlanCommandOptions& options) { return options.format == "json"; }

/// Prints how the application is spread over ranks.
int plan_ranks(const PlanCommandOptions& options, LoadedApplication& application) {
  std::optional<Plan> plan = plan_regions(
      application, {options.application.executor, false, options.application.ranks > 1});
  std::optional<RankPlan> ranks;
  if (plan) {
    ranks = make_rank_plan(*plan, application.document, options.application.ranks,
                           application.diagnostics);
  }
  if (ranks && application.diagnostics.errors() == 0) {
    continue_in_python(application);
    add_tensors(infer_messages(*plan, application.diagnostics), *ranks);
  }
  application.diagnostics.sort();
  const bool is_complete = ranks && application.diagnostics.errors() == 0;
  if (is_json(options) && !is_complete) {
    print_diagnostics_as_json(application);
    return application.exit_code();
  }
  print_diagnostics(application);
  if (is_complete && is_json(options)) {
    print_json(render_rank_plan_json(*ranks));
  } else if (is_complete) {
    print_text(render_rank_plan(*ranks));
  }
  return application.exit_code();
}

int plan(const PlanCommandOptions& options) {
  if (is_json(options)) {
    reserve_standard_output();
  }
  const auto application = load_application(options.application);
  try {
    if (options.application.ranks > 0) {
      return plan_ranks(options, *application);
    }
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
  add_rank_options(*command,
                   "Show which process runs what when N processes run the application together",
                   options->application);
  command->get_option("--place")->needs("--ranks");
  command->callback([options, &exit_code] { exit_code = plan(*options); });
}

}  // namespace gxr::commands
