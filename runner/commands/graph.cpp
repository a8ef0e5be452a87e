#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
#include "commands/plan_application.hpp"
#include "graph/draw.hpp"
#include "graph/drawing.hpp"
#include "gxr/error.hpp"
#include "gxr/report.hpp"
#include "plan/draw_plan.hpp"
#include "runtime/instance.hpp"

namespace gxr::commands {
namespace {

const std::vector<std::string> kFormats = {"text", "dot", "mermaid", "svg", "png"};

struct GraphOptions {
  ApplicationOptions application;
  std::string format;
  std::string output;
  bool plan = false;
  bool details = false;
  bool components = false;
};

/// Endings of file names and the formats they stand for.
constexpr std::pair<std::string_view, const char*> kEndings[] = {
    {"", "text"},   {".txt", "text"},    {".text", "text"},       {".dot", "dot"},
    {".gv", "dot"}, {".mmd", "mermaid"}, {".mermaid", "mermaid"}, {".svg", "svg"},
    {".png", "png"}};

/// The format that was asked for, else that of the output file's name, else text.
std::string format_of(const GraphOptions& options) {
  if (!options.format.empty()) {
    return options.format;
  }
  const std::string ending = std::filesystem::path(options.output).extension().string();
  std::string known;
  for (const auto& [name, format] : kEndings) {
    if (ending == name) {
      return format;
    }
    known.append(known.empty() ? "" : ", ").append(name);
  }
  throw Error(ErrorCode::InvalidArgument, "'" + options.output +
                                              "' has none of the known endings (" + known +
                                              "); name the format with --format");
}

void write(Drawing drawing, const GraphOptions& options) {
  if (!options.details) {
    leave_out_details(drawing);
  }
  const std::string format = format_of(options);
  if (format == "png" && options.output.empty() && ::isatty(STDOUT_FILENO) != 0) {
    throw Error(ErrorCode::InvalidArgument, "a PNG does not go to a terminal; name a file with -o");
  }
  write_output(draw(drawing, format), options.output);
}

int graph(const GraphOptions& options) {
  const auto application = load_application(options.application);
  try {
    const std::optional<Plan> plan =
        options.plan ? plan_with_shapes(*application, {options.application.executor})
                     : std::nullopt;
    print_diagnostics(*application);
    if (application->exit_code() == kDone || application->lacks_types() ||
        application->lacks_surroundings()) {
      Drawing drawing =
          plan ? make_drawing(*plan) : make_drawing(application->graph, application->catalog);
      if (options.components || drawing.nodes.empty()) {
        add_components(application->graph, application->catalog, drawing);
      }
      write(std::move(drawing), options);
    }
    return application->exit_code();
  } catch (const Error& error) {
    print_error(error.what());
    return kUsage;
  } catch (const ComponentFailure& failure) {
    print_diagnostics(*application);
    print_error(describe(failure.failure()));
    return kRunFailed;
  }
}

}  // namespace

void add_graph(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* command = app.add_subcommand("graph", "Draw an application's graph");
  options->application.add_to(*command);
  options->application.takes_components_alone = true;
  command
      ->add_option("--format", options->format,
                   "Form of the picture; left out: that of the output file's name, else text")
      ->check(CLI::IsMember(kFormats));
  command->add_option("-o,--output", options->output, "File to write instead of standard output")
      ->type_name("FILE");
  command->add_flag("--plan", options->plan, "Frame the regions that run as CUDA graphs");
  command->add_flag("--details", options->details,
                    "Show when entities tick, and capacities and policies of queues");
  command->add_flag("--components", options->components,
                    "Show the components of all entities: queues, terms, pools, codelets");
  command->callback([options, &exit_code] { exit_code = graph(*options); });
}

}  // namespace gxr::commands
