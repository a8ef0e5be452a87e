#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/new_templates.hpp"
#include "commands/output.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/extension_descriptor.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string what;
  std::string folder;
  bool gpu = false;
};

/// Names that make no namespace and no target.
constexpr std::string_view kTaken[] = {
    // namespaces and entities that are there, macros of compilers
    "gxr", "nvidia", "std", "linux", "unix", "null", "numbers", "add", "check",
    // targets of CMake
    "all", "clean", "edit_cache", "help", "install", "package", "preinstall", "rebuild_cache",
    "test",
    // functions of the C library, which are not in a namespace
    "abs", "accept", "acos", "asin", "atan", "bind", "calloc", "ceil", "clock", "close", "connect",
    "cos", "daemon", "div", "dup", "erf", "exit", "exp", "fabs", "floor", "fork", "free", "gamma",
    "getenv", "index", "kill", "labs", "link", "listen", "log", "malloc", "nice", "open", "pause",
    "pipe", "poll", "pow", "printf", "putenv", "raise", "rand", "random", "read", "realloc", "recv",
    "remove", "rename", "rewind", "round", "scanf", "select", "send", "setenv", "shutdown",
    "sigaction", "signal", "sin", "sleep", "socket", "sqrt", "stat", "strlen", "sync", "system",
    "tan", "time", "times", "trunc", "wait", "write", "y0", "y1", "yn", "j0", "j1", "jn",
    // words of C++
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "co_await",
    "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq"};
/// The name of an extension has its place in the descriptor.
constexpr std::size_t kLongestName = sizeof(ExtensionDescriptor::name) - 1;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && text.front() >= 'a' &&
         text.front() <= 'z' && text.back() != '_' && text.find("__") == std::string_view::npos &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

/// "edge_finder" → "EdgeFinder"
std::string class_name(std::string_view name) {
  std::string made;
  bool begins = true;
  for (const char c : name) {
    if (c == '_') {
      begins = true;
      continue;
    }
    made += begins && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return made;
}

/// So that a shell takes it for one word.
std::string for_shell(const std::string& text) {
  const auto is_plain = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("/._-+").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, is_plain)) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

fs::path without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') {
    folder.pop_back();
  }
  return folder;
}

/// The last part of the path, which has no '/' at its end; throws Error when it cannot be a name.
std::string name_of(const fs::path& folder) {
  std::string name = folder.filename().string();
  if (!is_name(name)) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(name.empty() ? folder.string() : name) +
                    " cannot be a name: write at most " + std::to_string(kLongestName) +
                    " small letters, digits and '_', a letter first, such as 'edge_finder'");
  }
  if (std::ranges::find(kTaken, name) != std::end(kTaken)) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(name) + " cannot be a name: C, C++, CMake or gxr has it for itself");
  }
  return name;
}

std::string filled(std::string_view text, const std::string& name) {
  const std::pair<std::string_view, std::string> marks[] = {
      {"@name@", name}, {"@Name@", class_name(name)}, {"@version@", GXR_VERSION}};
  std::string made(text);
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = made.find(mark); at != std::string::npos;
         at = made.find(mark, at + value.size())) {
      made.replace(at, mark.size(), value);
    }
  }
  return made;
}

[[noreturn]] void cannot_make(const fs::path& path, const std::error_code& error) {
  throw Error(ErrorCode::InputOutput,
              "cannot make " + quote_text(path.string()) + ": " + system_error_text(error.value()));
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    cannot_make(folder, error);
  }
}

/// Nothing is ever overwritten: the folder is new or empty.
void require_empty(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) {
    return;
  }
  if (status.type() == fs::file_type::none) {
    cannot_make(folder, error);
  }
  if (status.type() != fs::file_type::directory) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(folder.string()) + " is there, and is no folder");
  }
  const bool is_empty = fs::is_empty(folder, error);
  if (error) {
    cannot_make(folder, error);
  }
  if (!is_empty) {
    throw Error(ErrorCode::InvalidArgument,
                quote_text(folder.string()) + " is not empty; nothing in it was changed");
  }
}

void write(const TemplateFile& file, const fs::path& folder, const std::string& name) {
  const fs::path path = folder / filled(file.path, name);
  make_folders(path.parent_path());
  write_output(filled(file.text, name), path.string());
  if (file.executable) {
    std::error_code error;
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
    if (error) {
      cannot_make(path, error);
    }
  }
}

/// A kind of folder.
struct Kind {
  std::string_view noun;  ///< in messages
  std::span<const TemplateFile> files;
  std::string_view next;  ///< commands to go on with, in the folder
};

constexpr std::string_view kBuildNext =
    "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure";

Kind kind_of(const NewOptions& options) {
  if (options.what == "app") {
    if (options.gpu) {
      throw Error(ErrorCode::InvalidArgument,
                  "--gpu is for operators: an application has none of its own. `gxr new operator "
                  "NAME --gpu` makes one");
    }
    return {"application", application_template(), "gxr run @name@.yaml"};
  }
  const std::string_view noun = options.what == "operator" ? "operator" : "extension";
  return {noun, options.gpu ? gpu_operator_template() : extension_template(), kBuildNext};
}

int make(const NewOptions& options) {
  const fs::path folder = without_slashes(options.folder);
  try {
    const Kind kind = kind_of(options);
    const std::string name = name_of(folder);
    require_empty(folder);
    make_folders(folder);
    for (const TemplateFile& file : kind.files) {
      write(file, folder, name);
    }
    print_text(std::string("made ").append(kind.noun) + " '" + name + "' in " + folder.string() +
               "\nnext: cd " + for_shell(folder.string()) + "; " + filled(kind.next, name) + "\n");
    return kDone;
  } catch (const Error& error) {
    print_error(error.message());
    return kUsage;
  }
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand(
      "new", "Make a folder with an extension or an application to begin with, and a test");
  command
      ->add_option("WHAT", options->what,
                   "extension, operator (an extension with one operator) or app")
      ->required()
      ->check(CLI::IsMember({"extension", "operator", "app"}));
  CLI::Option* const folder =
      command
          ->add_option("FOLDER", options->folder,
                       "Folder to make; its last part is the name: small letters, digits and '_'")
          ->required();
  completes(folder, Completes::Folders);
  command->add_flag("--gpu", options->gpu,
                    "The operator is for GPUs: CUDA sources, and a test that compares the kernel "
                    "with the host");
  command->callback([options, &exit_code] { exit_code = make(*options); });
}

}  // namespace gxr::commands
