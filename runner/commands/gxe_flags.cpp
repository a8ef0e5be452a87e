#include "commands/gxe_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

constexpr std::string_view kWhat = "runs GXF applications with gxr";
constexpr std::string_view kParam = "--param";

struct Flag {
  std::string_view name;
  std::string_view value;  ///< empty: takes none
  std::string_view help;
  Completes completes = Completes::Nothing;
};

constexpr Flag kFlags[] = {
    {"-app", "FILE[,FILE...]", "application files, loaded in order", Completes::Yaml},
    {"-manifest", "FILE[,FILE...]", "manifests, which list extensions", Completes::Yaml},
    {"-app_root", "FOLDER", "what relative application and subgraph files count from",
     Completes::Folders},
    {"-graph_directory", "FOLDER", "put before every application file", Completes::Folders},
    {"-severity", "N", "0 none, 1 error, 2 warning, 3 info, 4 debug, 5 verbose",
     Completes::Choices},
    {"-log_file_path", "FILE", "write the log there", Completes::Files},
    {"-norun", "", "only load"},
    {kParam, "ENTITY/COMPONENT/PARAMETER=VALUE", "set a parameter (repeatable)"},
};
/// Where the texts begin in --help, unless a flag is longer.
constexpr std::size_t kHelpColumn = 29;
constexpr std::size_t kLeastGap = 3;

[[noreturn]] void fail(const std::string& text) { throw Error(ErrorCode::InvalidArgument, text); }

bool read_bool(const std::string& name, const std::string& given) {
  const std::string text = lower_case(given);
  for (const std::string_view yes : {"1", "t", "true", "y", "yes"}) {
    if (text == yes) {
      return true;
    }
  }
  for (const std::string_view no : {"0", "f", "false", "n", "no"}) {
    if (text == no) {
      return false;
    }
  }
  fail("illegal value '" + text + "' for the flag '" + name + "'");
}

int read_severity(const std::string& text) {
  int severity = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), severity);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail("illegal value '" + text + "' for the flag 'severity'");
  }
  if (severity < -1 || severity > 5) {
    fail("the severity " + text + " is not between -1 and 5");
  }
  return severity;
}

/// "; did you mean 'manifest'?", or nothing.
std::string flag_suggestion(std::string_view name) {
  std::vector<std::string_view> names = {"run", "help", "version"};
  for (const Flag& flag : kFlags) {
    names.push_back(flag.name.substr(flag.name.find_first_not_of('-')));
  }
  const std::string hint = suggestion(name, names);
  return hint.empty() ? hint : "; " + hint;
}

class FlagReader {
 public:
  explicit FlagReader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  GxeFlags read() {
    for (; next_ < arguments_.size(); ++next_) {
      const std::string& argument = arguments_[next_];
      if (argument == "--") {
        break;
      }
      if (argument.starts_with(kParam)) {
        read_parameter(argument);
      } else if (argument.size() > 1 && argument.starts_with('-')) {
        read_flag(argument);
      }
    }
    return std::move(flags_);
  }

 private:
  void read_parameter(const std::string& argument) {
    if (argument.size() > kParam.size()) {
      flags_.parameters.push_back(argument.substr(kParam.size() + 1));
    } else {
      flags_.parameters.push_back(value_of("param", std::nullopt));
    }
  }

  void read_flag(const std::string& argument) {
    const std::string text = argument.substr(argument.starts_with("--") ? 2 : 1);
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) {
      value = text.substr(equals + 1);
    }
    if (name == "run") {
      flags_.run = !value || read_bool(name, *value);
    } else if (name == "norun") {
      flags_.run = false;
    } else if (name.starts_with("help")) {
      flags_.help = true;
    } else if (name == "version") {
      flags_.version = true;
    } else if (name == "severity") {
      flags_.severity = read_severity(value_of(name, value));
    } else if (std::string* target = text_flag(name)) {
      *target = value_of(name, value);
    } else {
      fail("unknown command line flag '" + name + "'" + flag_suggestion(name));
    }
  }

  std::string* text_flag(std::string_view name) {
    return name == "app"               ? &flags_.app
           : name == "manifest"        ? &flags_.manifest
           : name == "app_root"        ? &flags_.app_root
           : name == "graph_directory" ? &flags_.graph_directory
           : name == "log_file_path"   ? &flags_.log_file_path
                                       : nullptr;
  }

  std::string value_of(const std::string& name, const std::optional<std::string>& given) {
    if (given) {
      return *given;
    }
    if (next_ + 1 == arguments_.size()) {
      fail("the flag '" + name + "' needs a value");
    }
    return arguments_[++next_];
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  GxeFlags flags_;
};

}  // namespace

GxeFlags read_gxe_flags(const std::vector<std::string>& arguments) {
  return FlagReader(arguments).read();
}

std::string gxe_usage() {
  std::string text = "gxe: " + std::string(kWhat) + "\n\n";
  for (const Flag& flag : kFlags) {
    const char* const between = flag.name == kParam ? "=" : flag.value.empty() ? "" : " ";
    std::string line = "  " + std::string(flag.name) + between + std::string(flag.value);
    line.resize(std::max(line.size() + kLeastGap, kHelpColumn), ' ');
    text += line + std::string(flag.help) + "\n";
  }
  return text +
         "  -help, -version\n\n"
         "Flags have one or two dashes; a value follows '=' or is the next argument.\n";
}

CommandEntry gxe_command() {
  CommandEntry entry{"gxe", std::string(kWhat), {}, {}};
  for (const Flag& flag : kFlags) {
    OptionEntry option;
    option.names = {std::string(flag.name)};
    option.value = flag.value;
    option.help = flag.help;
    option.repeats = flag.name == kParam;
    option.completes = flag.completes;
    if (flag.completes == Completes::Choices) {
      option.choices = {"0", "1", "2", "3", "4", "5"};
    }
    entry.options.push_back(std::move(option));
  }
  for (const auto& [name, help] :
       {std::pair("-help", "Print the flags"), std::pair("-version", "Print the version")}) {
    OptionEntry option;
    option.names = {name};
    option.help = help;
    entry.options.push_back(std::move(option));
  }
  return entry;
}

}  // namespace gxr::commands
