#include "commands/command_table.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <CLI/CLI.hpp>

namespace gxr::commands {
namespace {

/// Names of validators that check nothing: CLI11 keeps no other note about an option.
constexpr std::pair<const char*, Completes> kMarks[] = {
    {"completes yaml", Completes::Yaml},         {"completes libraries", Completes::Libraries},
    {"completes folders", Completes::Folders},   {"completes types", Completes::Types},
    {"completes elements", Completes::Elements}, {"completes diagnostics", Completes::Diagnostics}};

Completes mark_of(CLI::Option& option) {
  for (const auto& [name, what] : kMarks) {
    try {
      option.get_validator(name);
      return what;
    } catch (const CLI::OptionNotFound&) {
      continue;
    }
  }
  return Completes::Nothing;
}

/// The words of "TEXT:{text,json}".
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find(":{");
  const std::size_t end = type.find('}', begin == std::string::npos ? type.size() : begin);
  if (end == std::string::npos) {
    return choices;
  }
  for (std::size_t at = begin + 2; at < end;) {
    const std::size_t next = std::min(type.find(',', at), end);
    choices.push_back(type.substr(at, next - at));
    at = next + 1;
  }
  return choices;
}

Completes completes_of(CLI::Option& option, const OptionEntry& entry) {
  const Completes mark = mark_of(option);
  if (mark != Completes::Nothing) {
    return mark;
  }
  return !entry.choices.empty()    ? Completes::Choices
         : entry.value == "FILE"   ? Completes::Files
         : entry.value == "FOLDER" ? Completes::Folders
         : entry.value == "TYPE"   ? Completes::Types
                                   : Completes::Nothing;
}

OptionEntry entry_of(CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) {
    entry.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    entry.names.push_back("--" + name);
  }
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string type = takes_value ? option.get_type_name() : "";
  entry.choices = choices_of(type);
  entry.value = option.get_positional() ? option.get_name(true) : type.substr(0, type.find(':'));
  entry.default_value = takes_value ? option.get_default_str() : "";
  entry.help = option.get_description();
  entry.required = option.get_required();
  entry.repeats = option.get_items_expected_max() > 1;
  entry.completes = completes_of(option, entry);
  return entry;
}

CommandEntry entry_of(CLI::App& app) {
  CommandEntry entry;
  entry.name = app.get_name();
  entry.help = app.get_description();
  for (CLI::Option* option : app.get_options()) {
    OptionEntry made = entry_of(*option);
    (made.names.empty() ? entry.arguments : entry.options).push_back(std::move(made));
  }
  return entry;
}

}  // namespace

CLI::Option* completes(CLI::Option* option, Completes what) {
  for (const auto& [name, marked] : kMarks) {
    if (marked == what) {
      option->check(CLI::Validator([](std::string&) { return std::string(); }, "", name));
    }
  }
  return option;
}

CommandTable command_table(CLI::App& app) {
  CommandTable table;
  table.program = entry_of(app);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) {
      table.commands.push_back(entry_of(*command));
    }
  }
  return table;
}

}  // namespace gxr::commands
