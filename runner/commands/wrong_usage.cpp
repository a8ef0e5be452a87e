#include "commands/wrong_usage.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "document/diagnostics.hpp"
#include "document/utf8.hpp"

namespace gxr::commands {
namespace {

/// The command that the command line names, or the program.
const CLI::App& named_command(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : named_command(*named.front());
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> long_options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// "unknown option '--stat'; did you mean '--stats'?"
std::string unknown(const std::string& what, const std::string& word, const std::string& meant,
                    const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string hint = std::ranges::find(names, meant) != names.end()
                               ? "did you mean " + quote_text(meant) + "?"
                               : suggestion(meant, candidates);
  return "unknown " + what + " " + quote_text(word) + (hint.empty() ? "" : "; " + hint);
}

/// Empty when something else is wrong.
std::string unknown_word(const CLI::App& app) {
  const CLI::App& command = named_command(app);
  const std::vector<std::string> words = command.remaining(true);
  const auto option = std::ranges::find_if(words, is_option);
  const std::vector<std::string> commands = commands_of(command);
  if (!commands.empty() && !words.empty() && option != words.begin()) {
    return unknown("command", words.front(), words.front(), commands);
  }
  if (option == words.end()) {
    return {};
  }
  const std::string name = option->substr(0, option->find('='));
  const bool one_dash = !name.starts_with("--") && name.size() > 2;
  return unknown("option", name, one_dash ? "-" + name : name, long_options_of(command));
}

/// "; did you mean 'events'?" for "--executor: event not in {greedy,threads,events}", else nothing.
std::string meant_value(const std::string& text) {
  constexpr std::string_view kList = " not in {";
  const std::size_t list = text.find(kList);
  const std::size_t word = text.find(": ");
  if (list == std::string::npos || word == std::string::npos || word > list || text.back() != '}') {
    return {};
  }
  std::vector<std::string_view> known;
  std::string_view rest = std::string_view(text).substr(list + kList.size());
  rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    known.push_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  const std::string hint = suggestion(text.substr(word + 2, list - word - 2), known);
  return hint.empty() ? hint : "; " + hint;
}

}  // namespace

std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error) {
  const bool may_be_word = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  std::string text = may_be_word ? unknown_word(app) : "";
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    if (const std::string meant = meant_value(error.what()); !meant.empty()) {
      text = error.what() + meant;
    }
  }
  return text.empty() ? CLI::FailureMessage::simple(&app, error)
                      : text + "\nRun with --help for more information.\n";
}

}  // namespace gxr::commands
