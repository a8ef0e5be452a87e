#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "control/answer_json.hpp"
#include "document/no_handles.hpp"
#include "document/number_text.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"
#include "gxr/value.hpp"
#include "observe/facts_text.hpp"

namespace gxr::commands {
namespace {

struct SwapCommand {
  ApplicationChoice application;
  std::string operator_name;
  std::string type;
  std::string extension;
  std::string keep_for;
};

/// As parameters have it. Throws Error.
std::int64_t duration_of(const std::string& text) {
  return detail::parse_duration(Value::make_scalar(ValueKind::Scalar, text, false, {}), NoHandles())
      .nanoseconds;
}

/// "5s"; nothing for what is no time, after an error has been printed.
std::optional<std::int64_t> nanoseconds_of(const std::string& text) {
  try {
    return text.empty() ? 0 : duration_of(text);
  } catch (const Error& error) {
    print_error("--keep-for: " + error.message());
  }
  return std::nullopt;
}

int show(const nlohmann::json& answer) {
  const SwapResult result = read_swap_result(answer);
  if (!result.is_kept) {
    print_error(fmt::format("{}: {} failed in its probation, and {} is back; {}: {}",
                            result.component, result.new_type, result.old_type,
                            counted(result.lost, "message was lost", "messages were lost"),
                            result.failure ? result.failure->text : std::string()));
    return kRunFailed;
  }
  print_text(fmt::format("{} is {} now, and was {}{}; the entity paused for {}\n", result.component,
                         result.new_type, result.old_type,
                         result.took_over_state ? ", whose state it has" : "",
                         duration_text(static_cast<double>(result.pause_ns))));
  return kDone;
}

int swap(const SwapCommand& command) {
  const std::optional<std::int64_t> keep_for = nanoseconds_of(command.keep_for);
  if (!keep_for) {
    return kUsage;
  }
  ControlRequest request{{}, command.operator_name, true, ControlRequest::Question::Swap};
  request.type = command.type;
  request.keep_for_ns = *keep_for;
  if (!command.extension.empty()) {
    request.extension = std::filesystem::absolute(command.extension).string();
  }
  return command.application.ask(request, show, std::chrono::nanoseconds(*keep_for));
}

}  // namespace

void add_swap(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SwapCommand>();
  CLI::App* command = app.add_subcommand(
      "swap", "Exchange an operator of a running application for one of another type");
  command
      ->add_option("OPERATOR", options->operator_name,
                   "The entity, and its component if it has several codelets")
      ->required()
      ->type_name("ENTITY[/COMPONENT]");
  command->add_option("TYPE", options->type, "Type of the new operator")
      ->required()
      ->type_name("TYPE");
  completes(command
                ->add_option("-x,--extension", options->extension,
                             "Extension whose types count before all others, also when it is "
                             "another build of one that is loaded")
                ->type_name("FILE"),
            Completes::Libraries);
  command
      ->add_option("--keep-for", options->keep_for,
                   "Probation: the old operator comes back when the new one fails within this "
                   "time, as 5s or 500ms")
      ->type_name("TIME");
  options->application.add_to(*command);
  command->callback([options, &exit_code] { exit_code = swap(*options); });
}

}  // namespace gxr::commands
