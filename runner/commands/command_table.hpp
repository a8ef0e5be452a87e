#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gxr::commands {

/// What a shell offers for a value.
enum class Completes {
  Nothing,
  Choices,
  Files,
  Yaml,
  Libraries,
  Folders,
  Types,
  Elements,
  Diagnostics
};

/// Says what a shell offers for the values of an option; left out, choices and the name of the
/// value (FILE, FOLDER, TYPE) tell.
CLI::Option* completes(CLI::Option* option, Completes what);

/// An option or an argument, as --help shows it.
struct OptionEntry {
  std::vector<std::string> names;  ///< "-m", "--manifest"; none for arguments
  std::string value;               ///< "FILE"; empty for flags
  std::vector<std::string> choices;
  std::string default_value;
  std::string help;
  bool required = false;
  bool repeats = false;
  Completes completes = Completes::Nothing;
};

struct CommandEntry {
  std::string name;
  std::string help;
  std::vector<OptionEntry> options;
  std::vector<OptionEntry> arguments;
};

/// The program itself and its commands, in the order of --help; without hidden ones.
struct CommandTable {
  CommandEntry program;
  std::vector<CommandEntry> commands;
};

CommandTable command_table(CLI::App& app);

}  // namespace gxr::commands
