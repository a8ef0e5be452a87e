#include "commands/output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "commands/commands.hpp"
#include "document/secrets.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log.hpp"

namespace gxr::commands {
namespace {

/// Standard output as this process got it, while file descriptor 1 is another.
struct ReservedOutput {
  bool reserved = false;
  int descriptor = -1;
  int error = 0;  // the first one
};

ReservedOutput& reserved_output() {
  static ReservedOutput reserved;
  return reserved;
}

void write_to(ReservedOutput& reserved, std::string_view text) {
  while (!text.empty() && reserved.error == 0) {
    const ssize_t written = ::write(reserved.descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      reserved.error = errno;
    }
  }
}

/// File descriptor 1 becomes standard error, or nothing where that is closed.
void turn_standard_output_to_error() {
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
    return;
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0 && nowhere != STDOUT_FILENO) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::close(nowhere);
  }
}

/// On standard error, in the form of the log.
void say(LogLevel level, const char* prefix, std::string_view text) {
  if (Log::replaces_text()) {
    Log::write(level, text);
  } else {
    std::fprintf(stderr, "%s: %s\n", prefix,
                 printable_lines(without_secrets(std::string(text)), "").c_str());
  }
}

bool complain_of(int error) {
  print_error(error != 0 ? "cannot write standard output: " + system_error_text(error)
                         : std::string("cannot write standard output"));
  return false;
}

/// JSON escapes the controls of ASCII by itself; the others, and marks that change the direction of
/// writing, only stand in its texts, and a terminal obeys them, too.
std::string without_controls(const std::string& json) {
  std::string result;
  for (std::string_view rest = json; !rest.empty();) {
    const Utf8Character next = first_character(rest);
    if (next.code >= 0x7F && is_control(next.code)) {
      std::array<char, 16> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(next.code));
      result += escape.data();
    } else {
      result += rest.substr(0, next.size);
    }
    rest.remove_prefix(next.size);
  }
  return result;
}

}  // namespace

void reserve_standard_output() {
  ReservedOutput& reserved = reserved_output();
  if (reserved.reserved) {
    return;
  }
  std::fflush(stdout);
  reserved.reserved = true;
  reserved.descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  reserved.error = reserved.descriptor < 0 ? errno : 0;
  turn_standard_output_to_error();
}

bool restore_standard_output() {
  ReservedOutput& reserved = reserved_output();
  if (!reserved.reserved) {
    return false;
  }
  std::fflush(stdout);
  if (reserved.descriptor >= 0) {
    ::dup2(reserved.descriptor, STDOUT_FILENO);
    ::close(reserved.descriptor);
  } else {
    ::close(STDOUT_FILENO);
  }
  reserved = ReservedOutput();
  return true;
}

int reserved_descriptor() { return reserved_output().descriptor; }

void print(const std::string& text) {
  if (reserved_output().reserved) {
    write_to(reserved_output(), text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

void print_text(std::string_view text) {
  const bool is_plain =
      std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
  print(is_plain ? std::string(text) : printable_lines(text, ""));
}

void print_error(std::string_view text) { say(LogLevel::Error, "error", text); }

void print_warning(std::string_view text) { say(LogLevel::Warn, "warning", text); }

void print_json(const std::string& json) { print(without_controls(json) + "\n"); }

void print(const nlohmann::ordered_json& json) {
  print_json(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void write_output(const std::string& text, const std::string& file) {
  if (file.empty()) {
    print(text);
    return;
  }
  OpenFile opened = open_to_write(file, WriteMode::Anew);
  StdioFile stream = opened.stream("wb");
  if (stream == nullptr) {
    throw Error(ErrorCode::InputOutput,
                "cannot write " + quote_text(file) + ": " + opened.reason());
  }
  const bool taken = std::fwrite(text.data(), 1, text.size(), stream.get()) == text.size();
  if (std::fclose(stream.release()) != 0 || !taken) {
    throw Error(ErrorCode::InputOutput,
                "cannot write " + quote_text(file) + ": " + system_error_text(errno));
  }
}

bool finish_output() {
  if (reserved_output().reserved) {
    return reserved_output().error == 0 || complain_of(reserved_output().error);
  }
  const int flushed = std::fflush(stdout);
  const int error = flushed == 0 ? 0 : errno;
  return (flushed == 0 && std::ferror(stdout) == 0) || complain_of(error);
}

int with_output_written(int exit_code) { return finish_output() ? exit_code : kUsage; }

}  // namespace gxr::commands
