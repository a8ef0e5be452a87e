#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/python_process.hpp"
#include "commands/text_layout.hpp"
#include "commands/wrong_usage.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "launcher/entries.hpp"
#include "observe/file_size_signal.hpp"

namespace {

using namespace gxr::commands;

/// The text of --help, in lines of at most kTextWidth columns.
class HelpText final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option),
                 make_option_desc(option), kIndent, column_width_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description(), kIndent, column_width_);
  }

 private:
  static constexpr std::size_t kIndent = 2;
};

constexpr const char* kMoreHelp =
    "Try:  gxr launch 'image::Source count=4 ! image::Writer path=%d.png'\n"
    "      gxr COMMAND --help\n"
    "The documentation begins with docs/README.md; an installed gxr has it in\n"
    "share/doc/gxr.";

struct Command {
  std::string_view name;
  void (*add)(CLI::App& app, int& exit_code);
};

/// In the order of --help.
constexpr Command kCommands[] = {
    {"run", add_run},
    {"launch", add_launch},
    {"mpirun", add_mpirun},
    {"ps", add_ps},
    {"status", add_status},
    {"top", add_top},
    {"get", add_get},
    {"set", add_set},
    {"swap", add_swap},
    {"validate", add_validate},
    {"expand", add_expand},
    {"plan", add_plan},
    {"graph", add_graph},
    {"list", add_list},
    {"echo", add_echo},
    {"describe", add_describe},
    {"explain", add_explain},
    {"schema", add_schema},
    {"replay-info", add_replay_info},
    {"new", add_new},
    {"lsp", add_lsp},
    {"completion", add_completion},
    {"man", add_man},
};

/// The command that comes first on the command line, or all of them. Making all takes longer than
/// reading a small application.
void add_commands(CLI::App& app, std::string_view first, int& exit_code) {
  const bool describes_all = first == "completion" || first == "man";
  const auto* const named = std::ranges::find(kCommands, first, &Command::name);
  for (const Command& command : kCommands) {
    if (describes_all || named == std::end(kCommands) || &command == named) {
      command.add(app, exit_code);
    }
  }
}

bool is_command(std::string_view word) {
  return std::ranges::find(kCommands, word, &Command::name) != std::end(kCommands);
}

/// "help run" is "run --help".
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    if (words.empty() || is_command(words.front())) {
      words.emplace_back("--help");
    }
  }
  return words;
}

bool is_called_gxe(const char* program) {
  const std::string_view name(program);
  return name.substr(name.rfind('/') + 1) == "gxe";
}

/// The first argument that stands for gxe where there is no link of that name.
constexpr std::string_view kGxeWord = "gxe";

int run_gxe(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{std::string(kGxeWord)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  keep_command_line(std::move(words));
  return gxe(arguments);
}

}  // namespace

int gxr_main(int argc, char** argv) {
  gxr::let_writes_fail_at_size_limit();
  if (argc > 0 && is_called_gxe(argv[0])) {
    return run_gxe({argv + 1, argv + argc});
  }
  if (argc > 1 && std::string_view(argv[1]) == kGxeWord) {
    return run_gxe({argv + 2, argv + argc});
  }
  keep_command_line({argv + std::min(argc, 1), argv + argc});
  CLI::App app("Runs graph applications written in YAML.", "gxr");
  app.formatter(std::make_shared<HelpText>());
  app.require_subcommand(1);
  app.set_version_flag("-V,--version", version_text());
  int exit_code = kDone;
  std::vector<std::string> words = words_of(argc, argv);
  add_commands(app, words.empty() ? "" : words.front(), exit_code);
  app.footer(kMoreHelp);  // behind, since commands inherit it
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own for each kind of mistake; for us all of them are wrong usage.
    if (error.get_exit_code() == 0) {
      app.exit(error);  // prints the help or the version
      return with_output_written(kDone);
    }
    std::fputs(gxr::printable_lines(wrong_usage(app, error), "").c_str(), stderr);
    return with_output_written(kUsage);
  } catch (const std::bad_alloc&) {
    std::fputs("error: there is not enough memory\n", stderr);
    return kUsage;
  } catch (const gxr::Error& error) {
    print_error(error.what());
    return with_output_written(kUsage);
  }
  return with_output_written(exit_code);
}
