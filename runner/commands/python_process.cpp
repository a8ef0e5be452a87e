#include "commands/python_process.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/output.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "registry/python_host.hpp"
#include "registry/python_interpreter.hpp"

namespace gxr::commands {
namespace {

namespace fs = std::filesystem;

/// The process that has become Python already; its number outlives execv(), and a child of it has
/// another one.
constexpr const char* kMark = "GXR_PYTHON_PROCESS";

std::vector<std::string>& command_line() {
  static std::vector<std::string> words;
  return words;
}

bool uses_python(const LoadedApplication& application) {
  const auto is_python = [&](const GraphComponent& component) {
    const ExtensionFile* const file =
        component.type != nullptr ? application.catalog.file_of(*component.type) : nullptr;
    return file != nullptr && file->is_python;
  };
  return application.catalog.has_python() &&
         std::ranges::any_of(application.graph.components, is_python);
}

/// The number in "/dev/fd/63"; the shell names pipes so.
std::optional<int> descriptor_in(const std::string& name) {
  if (name == "-" || name == "/dev/stdin") {
    return STDIN_FILENO;
  }
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (name.starts_with(folder)) {
      int number = -1;
      const char* const end = name.data() + name.size();
      const auto read = std::from_chars(name.data() + folder.size(), end, number);
      return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Can it not be read a second time?
bool is_used_up(const Source& source) {
  std::error_code ignored;
  return source.kind == Source::Kind::StandardInput ||
         (source.kind == Source::Kind::File && fs::is_fifo(source.name, ignored));
}

[[noreturn]] void throw_not_given(const Source& source, int error) {
  throw Error(ErrorCode::InputOutput, "cannot hand " + quote_text(source.name) +
                                          " over to Python: " + system_error_text(error));
}

/// Has the descriptor read the text of the source, from its begin.
void give_anew(const Source& source, int descriptor) {
  OpenFile file(::memfd_create("application", MFD_CLOEXEC));
  std::string_view rest = source.text;
  while (file && !rest.empty()) {
    const ssize_t written = ::write(file.descriptor(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR) {
      throw_not_given(source, errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  if (!file || ::lseek(file.descriptor(), 0, SEEK_SET) != 0) {
    throw_not_given(source, errno);
  }
  if (file.descriptor() == descriptor) {  // it was closed: "-" of a process without it
    static_cast<void>(::fcntl(file.release(), F_SETFD, 0));
  } else if (::dup2(file.descriptor(), descriptor) != descriptor) {
    throw_not_given(source, errno);
  }
}

void give_inputs_anew(const SourceMap& sources) {
  for (std::size_t i = 1; i < sources.size(); ++i) {
    const Source& source = sources.at(static_cast<std::uint16_t>(i));
    if (!is_used_up(source)) {
      continue;
    }
    const std::optional<int> descriptor = descriptor_in(source.name);
    if (!descriptor) {
      throw Error(ErrorCode::NotSupported,
                  quote_text(source.name) +
                      " is a pipe, which Python cannot read a second time: name a file, or '-' for "
                      "standard input");
    }
    give_anew(source, *descriptor);
  }
}

/// Returns errno.
int execute(const std::string& python) {
  std::vector<std::string> words{python, "-m", "gxr"};
  words.insert(words.end(), command_line().begin(), command_line().end());
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  const bool reserved = restore_standard_output();
  ::execv(arguments[0], arguments.data());
  const int error = errno;
  if (reserved) {
    reserve_standard_output();
  }
  return error;
}

}  // namespace

void keep_command_line(std::vector<std::string> words) { command_line() = std::move(words); }

const std::vector<std::string>& kept_command_line() { return command_line(); }

bool has_continued_in_python() {
  const char* const mark = std::getenv(kMark);
  return mark != nullptr && mark == std::to_string(::getpid());
}

void continue_in_python(const LoadedApplication& application) {
  if (python_host() != nullptr || !uses_python(application)) {
    return;
  }
  const std::string python = find_python().string();
  if (has_continued_in_python()) {
    throw Error(ErrorCode::Incompatible,
                "the package gxr of the Python interpreter " + quote_text(python) +
                    " cannot run types that are written in Python: install it again with " +
                    quote_text(python + " -m pip install --force-reinstall gxr"));
  }
  give_inputs_anew(application.document.sources());
  static_cast<void>(::setenv(kMark, std::to_string(::getpid()).c_str(), 1));
  throw Error(ErrorCode::InputOutput,
              "cannot start " + quote_text(python) + ": " + system_error_text(execute(python)));
}

}  // namespace gxr::commands
