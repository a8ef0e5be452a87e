#include "graph/expand.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "graph/short_form.hpp"
#include "gxr/error.hpp"
#include "plan/plan.hpp"

namespace gxr::commands {
namespace {

/// A scheduler that is written keeps an application from being a CUDA graph by default.
constexpr const char* kGraphNote =
    "# In the short form, without a scheduler, this is one CUDA graph where it can be: 'gxr plan' "
    "says whether it is.\n"
    "# In this form it is a graph with '--executor auto', or with a gxr::cuda::GraphExecutor.\n";

bool may_be_graph(const LoadedApplication& application, const std::string& executor) {
  try {
    Diagnostics unused;
    const Plan plan = make_plan(application.graph, application.catalog, {executor}, unused);
    return plan.default_graph && plan.default_graph->chosen;
  } catch (const Error&) {
    return false;  // no executor for its scheduler
  }
}

/// Behind the line that says which YAML it is.
void add_graph_note(std::string& text) { text.insert(text.find('\n') + 1, kGraphNote); }

int expand(const ApplicationOptions& options, bool short_form) {
  const auto application = load_application(options);
  print_diagnostics(*application);
  if (application->exit_code() == kDone || application->lacks_types()) {
    std::string text =
        short_form ? expand_short(application->graph, application->document, application->catalog)
                   : gxr::expand(application->graph, application->document);
    if (application->exit_code() == kDone && may_be_graph(*application, options.executor) &&
        text.find("\nname: " + std::string(kShortScheduler) + "\n") != std::string::npos) {
      add_graph_note(text);
    }
    std::fputs(text.c_str(), stdout);
  }
  return application->exit_code();
}

}  // namespace

void add_expand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ApplicationOptions>();
  CLI::App* command = app.add_subcommand(
      "expand", "Print an application as one YAML file, with all parameters applied");
  options->add_to(*command);
  auto short_form = std::make_shared<bool>(false);
  command->add_flag("--short", *short_form, "Write entities in the short form that have one");
  command->callback(
      [options, short_form, &exit_code] { exit_code = expand(*options, *short_form); });
}

}  // namespace gxr::commands
