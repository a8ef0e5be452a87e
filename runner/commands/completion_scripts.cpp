#include "commands/completion_scripts.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gxr::commands {
namespace {

/// One word of a shell.
std::string shell_word(std::string_view text) {
  std::string made = "'";
  for (const char c : text) {
    made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return made + "'";
}

std::string joined(const std::vector<std::string>& words) {
  std::string made;
  for (const std::string& word : words) {
    made += (made.empty() ? "" : " ") + word;
  }
  return made;
}

std::string names_of(const CommandTable& table) {
  std::string made;
  for (const CommandEntry& command : table.commands) {
    made += (made.empty() ? "" : " ") + command.name;
  }
  return made;
}

// ---- bash

/// What the script's function _gxr_reply understands.
std::string bash_kind(const OptionEntry& entry) {
  switch (entry.completes) {
    case Completes::Choices:
      return "words " + joined(entry.choices);
    case Completes::Files:
      return "files";
    case Completes::Yaml:
      return "yaml";
    case Completes::Libraries:
      return "libraries";
    case Completes::Folders:
      return "folders";
    case Completes::Types:
      return "types";
    case Completes::Elements:
      return "elements";
    case Completes::Diagnostics:
      return "diagnostics";
    case Completes::Nothing:
      return "nothing";
  }
  return "nothing";
}

std::string bash_values(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    std::string patterns;
    for (const std::string& name : option.names) {
      patterns += (patterns.empty() ? "" : " | ") + shell_word(command.name + " " + name);
    }
    if (!option.value.empty()) {
      text += "    " + patterns + ") kind=" + shell_word(bash_kind(option)) + " ;;\n";
    }
  }
  return text;
}

std::string bash_arguments(const CommandEntry& command) {
  std::string text;
  std::size_t place = 0;
  for (const OptionEntry& argument : command.arguments) {
    const std::string pattern = argument.repeats
                                    ? shell_word(command.name + " ") + "*"
                                    : shell_word(command.name + " " + std::to_string(place++));
    text += "    " + pattern + ") kind=" + shell_word(bash_kind(argument)) + " ;;\n";
  }
  return text;
}

std::string option_names(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    text += (text.empty() ? "" : " ") + joined(option.names);
  }
  return text;
}

constexpr const char* kBashFunctions = R"bash(
# Codelets as a line of gxr launch names them.
_gxr_elements() {
  gxr list types --base gxr::Codelet 2>/dev/null | sed -n 's/^  \([^ ][^ ]*\).*/\1/p' |
    if [[ $1 == gxr* ]]; then cat; else sed 's/^gxr:://'; fi
}

# Fills COMPREPLY with what the kind allows for the word.
_gxr_reply() {
  local kind=$1 word=$2 prefix=
  case $kind in
    words\ *) mapfile -t COMPREPLY < <(compgen -W "${kind#words }" -- "$word") ;;
    types) mapfile -t COMPREPLY < <(compgen -W "$(gxr list types 2>/dev/null | sed -n 's/^  \([^ ][^ ]*\).*/\1/p')" -- "$word") ;;
    elements)
      # All since an open quote is one word to bash.
      prefix=$(sed "s/'[^']*'//g; s/\"[^\"]*\"//g" <<<"$line")
      case $prefix in
        *[\'\"]*) kind=quoted prefix=${prefix#*[\'\"]} word=${word#[\'\"]} prefix=${prefix%"$word"} ;;
        *) prefix= ;;
      esac
      mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$(_gxr_elements "$word")" -- "$word")
      ;;
    diagnostics) mapfile -t COMPREPLY < <(compgen -W "$(gxr explain 2>/dev/null | sed 's/ .*//')" -- "$word") ;;
    files) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    yaml) mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.yaml' -- "$word"; compgen -f -X '!*.yml' -- "$word") ;;
    libraries) mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.so' -- "$word"; compgen -f -X '!*.py' -- "$word") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    *) COMPREPLY=() ;;
  esac
  case $kind in
    files | yaml | libraries | folders) compopt -o filenames 2>/dev/null ;;
    types | elements)
      # To bash, a colon ends a word: what stands before the last one is not replaced.
      if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        prefix=${word%"${word##*:}"}
        COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
      fi
      ;;
  esac
}

_gxr() {
  local line=${COMP_LINE:0:COMP_POINT} words count word kind command i place=0 waits=
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  # The flags of gxe are those of a command.
  [[ ${words[0]##*/} == gxe ]] && words=(gxr "${words[@]}") && words[1]=gxe
  count=${#words[@]}
  word=${words[count - 1]}
  if ((count == 2)); then
    _gxr_reply "words $_gxr_commands" "$word"
    return
  fi
  command=${words[1]}
  for ((i = 2; i < count - 1; ++i)); do
    if [[ -n $waits ]]; then
      waits=
    elif [[ ${words[i]} == -?* ]]; then
      _gxr_value "$command" "${words[i]}"
      waits=$kind
    else
      ((++place))
    fi
  done
  if [[ -n $waits ]]; then
    kind=$waits
  elif [[ $word == --*=* ]]; then
    _gxr_value "$command" "${word%%=*}"
    word=${word#*=}
  elif [[ $word == -* ]]; then
    _gxr_options "$command"
  else
    _gxr_argument "$command" "$place"
  fi
  _gxr_reply "$kind" "$word"
}

complete -F _gxr gxr gxe
)bash";

// ---- zsh

/// Inside of '...' of _arguments, which divides at colons and brackets.
std::string zsh_text(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') {
      made += '\\';
    }
    made += c;
  }
  return made;
}

std::string zsh_action(const OptionEntry& entry) {
  switch (entry.completes) {
    case Completes::Choices:
      return "(" + joined(entry.choices) + ")";
    case Completes::Files:
      return "_files";
    case Completes::Yaml:
      return "_files -g \"*.(yaml|yml)\"";
    case Completes::Libraries:
      return "_files -g \"*.(so|py)\"";
    case Completes::Folders:
      return "_files -/";
    case Completes::Types:
      return "_gxr_types";
    case Completes::Elements:
      return "_gxr_elements";
    case Completes::Diagnostics:
      return "_gxr_diagnostics";
    case Completes::Nothing:
      return " ";
  }
  return " ";
}

std::string zsh_arguments(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    const std::string all = joined(option.names);
    for (const std::string& name : option.names) {
      const std::string value =
          option.value.empty() ? "" : ":" + zsh_text(option.value) + ":" + zsh_action(option);
      text += " \\\n        " + shell_word((option.repeats ? "*" : "(" + all + ")") + name + "[" +
                                           zsh_text(option.help) + "]" + value);
    }
  }
  for (const OptionEntry& argument : command.arguments) {
    text += " \\\n        " + shell_word((argument.repeats ? "*:" : ":") +
                                         zsh_text(argument.value) + ":" + zsh_action(argument));
  }
  return text;
}

// ---- fish

std::string fish_values(const OptionEntry& entry) {
  switch (entry.completes) {
    case Completes::Choices:
      return " -a " + shell_word(joined(entry.choices));
    case Completes::Files:
      return " -F";
    case Completes::Yaml:
      return " -k -a '(__gxr_files .yaml .yml)'";
    case Completes::Libraries:
      return " -k -a '(__gxr_files .so .py)'";
    case Completes::Folders:
      return " -a '(__fish_complete_directories)'";
    case Completes::Types:
      return " -a '(__gxr_types)'";
    case Completes::Elements:
      return " -a '(__gxr_elements)'";
    case Completes::Diagnostics:
      return " -a '(__gxr_diagnostics)'";
    case Completes::Nothing:
      return "";
  }
  return "";
}

/// -x: a value is required, and files are none; -r only the former.
std::string fish_option_values(const OptionEntry& option) {
  const std::string values = fish_values(option);
  return option.value.empty() ? ""
                              : (option.completes == Completes::Files ? " -r" : " -x") + values;
}

/// fish tells -x, -long and --long.
std::string fish_name(const std::string& name) {
  return name.starts_with("--") ? " -l " + name.substr(2)
         : name.size() > 2      ? " -o " + name.substr(1)
                                : " -s " + name.substr(1);
}

/// Lines that begin with `where`, which says of what command line they are.
std::string fish_lines(const std::string& where, const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    text += where;
    for (const std::string& name : option.names) {
      text += fish_name(name);
    }
    text += fish_option_values(option) + " -d " + shell_word(option.help) + "\n";
  }
  for (const OptionEntry& argument : command.arguments) {
    const std::string values = fish_values(argument);
    text += values.empty() ? "" : where + values + "\n";
  }
  return text;
}

}  // namespace

std::string bash_completion(const CommandTable& table, const CommandEntry& gxe) {
  std::string values;
  std::string arguments;
  std::string options;
  const auto add = [&](const CommandEntry& command) {
    values += bash_values(command);
    arguments += bash_arguments(command);
    options += "    " + shell_word(command.name) +
               ") kind=" + shell_word("words " + option_names(command)) + " ;;\n";
  };
  std::ranges::for_each(table.commands, add);
  add(gxe);
  const std::string last = "    *) kind= ;;\n  esac\n}\n";
  return "# Completes the command lines of gxr and gxe in bash. Made by 'gxr completion bash'.\n\n"
         "_gxr_commands=" +
         shell_word(names_of(table) + " " + option_names(table.program)) +
         "\n\n# Sets `kind` to what an option of a command takes; empty for flags.\n"
         "_gxr_value() {\n  case \"$1 $2\" in\n" +
         values + last +
         "\n# Sets `kind` to what the argument of a command at a place is.\n"
         "_gxr_argument() {\n  case \"$1 $2\" in\n" +
         arguments + last + "\n_gxr_options() {\n  case $1 in\n" + options + last + kBashFunctions;
}

std::string zsh_completion(const CommandTable& table, const CommandEntry& gxe) {
  std::string commands;
  std::string cases;
  for (const CommandEntry& command : table.commands) {
    commands += "    " + shell_word(zsh_text(command.name) + ":" + command.help) + "\n";
    cases +=
        "    " + command.name + ")\n      _arguments -s" + zsh_arguments(command) + "\n      ;;\n";
  }
  return "#compdef gxr gxe\n# Completes the command lines of gxr and gxe in zsh. Made by 'gxr "
         "completion zsh'.\n\n"
         "_gxr_types() {\n  local -a types\n"
         "  types=(${(f)\"$(gxr list types 2>/dev/null | sed -n 's/^  \\([^ ][^ "
         "]*\\).*/\\1/p')\"})\n"
         "  compadd -a types\n}\n\n"
         "# Codelets as a line of gxr launch names them, which may stand in quotes.\n"
         "_gxr_elements() {\n  local -a types\n  compset -q\n"
         "  types=(${(f)\"$(gxr list types --base gxr::Codelet 2>/dev/null | sed -n 's/^  \\([^ "
         "][^ "
         "]*\\).*/\\1/p')\"})\n"
         "  [[ $PREFIX == gxr* ]] || types=(${types#gxr::})\n  compadd -a types\n}\n\n"
         "_gxr_diagnostics() {\n  local -a codes\n"
         "  codes=(${(f)\"$(gxr explain 2>/dev/null | sed 's/ .*//')\"})\n  compadd -a codes\n}\n\n"
         "_gxr() {\n  if [[ $service == gxe ]]; then\n    _arguments" +
         zsh_arguments(gxe) + "\n    return\n  fi\n  local -a commands\n  commands=(\n" + commands +
         "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    compadd -- " +
         option_names(table.program) +
         "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n"
         "  case $command in\n" +
         cases + "  esac\n}\n\n_gxr \"$@\"\n";
}

std::string fish_completion(const CommandTable& table, const CommandEntry& gxe) {
  std::string text =
      "# Completes the command lines of gxr and gxe in fish. Made by 'gxr completion fish'.\n\n"
      "function __gxr_types\n  gxr list types 2>/dev/null | sed -n 's/^  \\([^ ][^ ]*\\).*/\\1/p'\n"
      "end\n\n# Codelets as a line of gxr launch names them. All since an open quote is one word.\n"
      "function __gxr_elements\n"
      "  set -l word (commandline -ct | string trim -l -c \"'\\\"\")\n"
      "  set -l before (string match -r '^.*\\s' -- $word)\n"
      "  set -l types (gxr list types --base gxr::Codelet 2>/dev/null | sed -n 's/^  \\([^ ][^ "
      "]*\\).*/\\1/p')\n"
      "  string match -qr '(^|\\s)gxr\\S*$' -- $word; or set types (string replace gxr:: '' -- "
      "$types)\n"
      "  for type in $types\n    echo \"$before$type\"\n  end\n"
      "end\n\nfunction __gxr_diagnostics\n  gxr explain 2>/dev/null | sed 's/ .*//'\nend\n\n"
      "# Folders, and files with one of the endings.\nfunction __gxr_files\n  set -l endings "
      "(string join '|' "
      "(string escape --style=regex $argv))\n  __fish_complete_path (commandline -ct) | string "
      "match -r "
      "'^[^\\t]*(?:'$endings'|/)(?:\\t.*)?$'\nend\n\ncomplete -c gxr -f\ncomplete -c gxe -f\n";
  for (const CommandEntry& command : table.commands) {
    text += "complete -c gxr -n __fish_use_subcommand -a " + shell_word(command.name) + " -d " +
            shell_word(command.help) + "\n";
  }
  text += fish_lines("complete -c gxr -n __fish_use_subcommand", table.program);
  for (const CommandEntry& command : table.commands) {
    text += fish_lines("complete -c gxr -n '__fish_seen_subcommand_from " + command.name + "'",
                       command);
  }
  return text + fish_lines("complete -c gxe", gxe);
}

}  // namespace gxr::commands
