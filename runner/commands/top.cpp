#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "commands/terminal.hpp"
#include "commands/top_screen.hpp"
#include "commands/top_view.hpp"
#include "control/control_socket.hpp"
#include "gxr/error.hpp"
#include "observe/status_json.hpp"

namespace gxr::commands {
namespace {

struct TopOptions {
  ApplicationChoice application;
  std::string socket;
  double interval = 1.0;    ///< seconds
  std::uint64_t count = 0;  ///< blocks; 0: until the application ends
};

std::string block_of(const ApplicationStatus& before, const ApplicationStatus& now) {
  TopLook look;
  look.width = 200;
  look.height = 0;
  std::string text;
  for (const std::string& line : render_top(before, now, look).lines) {
    text += line + "\n";
  }
  return text;
}

ApplicationStatus ask_status(const TopQuestions& questions) {
  return read_status(send_request(
      questions.socket, {{}, {}, true, ControlRequest::Question::Status}, questions.patience));
}

/// A block for each interval.
int print_blocks(const TopQuestions& questions, std::uint64_t count) {
  ApplicationStatus before;
  ApplicationStatus now = ask_status(questions);
  for (std::uint64_t i = 1;; ++i) {
    print_text((i > 1 ? "\n" : "") + block_of(before, now));
    std::fflush(stdout);
    if (i == count || std::ferror(stdout) != 0) {
      return kDone;
    }
    std::this_thread::sleep_for(questions.interval);
    before = std::exchange(now, {});
    try {
      now = ask_status(questions);
    } catch (const Error& error) {
      // It ends while it answers, or before.
      if (error.code() == ErrorCode::NotFinished) {
        throw;
      }
      print_text(ended_text(before.application.name));
      return kDone;
    }
  }
}

int show_top(TopOptions& options) {
  if (!options.socket.empty()) {
    options.application.set_socket(options.socket);
  }
  return options.application.find([&](const std::string& path, std::chrono::milliseconds patience) {
    const TopQuestions questions{
        path, std::chrono::milliseconds(std::llround(options.interval * 1000.0)), patience};
    return options.count == 0 && Terminal::is_there() ? show_top_screen(questions)
                                                      : print_blocks(questions, options.count);
  });
}

}  // namespace

void add_top(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* command = app.add_subcommand(
      "top", "Show what a running application does, again and again, until it ends");
  command->add_option("SOCKET", options->socket, "A control socket")->type_name("[SOCKET]");
  options->application.add_to(*command);
  add_number_option(*command, "--interval", 0.1, 3600, "Time between two looks",
                    [options](double seconds) { options->interval = seconds; })
      ->type_name("SECONDS")
      ->default_str("1");
  add_count_option(*command, "--count", 1'000'000'000,
                   "Print so many tables, one below the other, and end; 0: until the application "
                   "ends, on all of the terminal if there is one",
                   [options](std::uint64_t count) { options->count = count; })
      ->type_name("N")
      ->default_str("0");
  command->callback([options, &exit_code] { exit_code = show_top(*options); });
}

}  // namespace gxr::commands
