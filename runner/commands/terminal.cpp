#include "commands/terminal.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "system/write_all.hpp"

namespace gxr::commands {
namespace {

// Another screen, without a cursor; and back.
constexpr std::string_view kTakeScreen = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view kGiveScreenBack = "\x1b[?25h\x1b[?1049l";

constexpr std::array<std::pair<std::string_view, Key>, 12> kSequences{{{"\x1b[A", Key::Up},
                                                                       {"\x1bOA", Key::Up},
                                                                       {"\x1b[B", Key::Down},
                                                                       {"\x1bOB", Key::Down},
                                                                       {"\x1b[5~", Key::PageUp},
                                                                       {"\x1b[6~", Key::PageDown},
                                                                       {"\x1b[H", Key::Home},
                                                                       {"\x1bOH", Key::Home},
                                                                       {"\x1b[1~", Key::Home},
                                                                       {"\x1b[F", Key::End},
                                                                       {"\x1bOF", Key::End},
                                                                       {"\x1b[4~", Key::End}}};

TerminalSize size_of(int descriptor) noexcept {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return {};
  }
  return {size.ws_col, size.ws_row};
}

/// The bytes of a sequence that begins with ESC; 0: it is not whole.
std::size_t sequence_size(std::string_view input) noexcept {
  if (input.size() < 2) {
    return 0;
  }
  if (input[1] == 'O') {
    return input.size() < 3 ? 0 : 3;
  }
  if (input[1] != '[') {
    return 1;
  }
  for (std::size_t i = 2; i < input.size(); ++i) {
    if (input[i] >= '@' && input[i] <= '~') {
      return i + 1;
    }
  }
  return 0;
}

Key key_of(std::string_view sequence) noexcept {
  for (const auto& [text, key] : kSequences) {
    if (text == sequence) {
      return key;
    }
  }
  return Key::Other;
}

}  // namespace

std::vector<KeyPress> take_keys(std::string& input) {
  constexpr std::size_t kLongest = 16;  // no key of a terminal sends as much
  std::vector<KeyPress> keys;
  while (!input.empty()) {
    if (input.front() != '\x1b') {
      keys.push_back({Key::Other, input.front()});
      input.erase(0, 1);
      continue;
    }
    const std::size_t size = sequence_size(input);
    if (size == 0) {
      if (input.size() > kLongest) {
        input.clear();
      }
      break;
    }
    keys.push_back({key_of(std::string_view(input).substr(0, size)), '\0'});
    input.erase(0, size);
  }
  return keys;
}

bool Terminal::is_there() { return ::isatty(STDIN_FILENO) == 1 && moves_cursor(STDOUT_FILENO); }

bool Terminal::moves_cursor(int descriptor) {
  const char* const type = std::getenv("TERM");
  const std::string_view name = type != nullptr ? type : "";
  return ::isatty(descriptor) == 1 && !name.empty() && name != "dumb";
}

Terminal::Terminal() { take(); }
Terminal::~Terminal() { give_back(); }

void Terminal::take() noexcept {
  ::tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;  // read() does not wait
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  write_all(STDOUT_FILENO, kTakeScreen);
}

void Terminal::give_back() noexcept {
  write_all(STDOUT_FILENO, kGiveScreenBack);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

void Terminal::suspend() {
  give_back();
  ::raise(SIGSTOP);
  take();
}

TerminalSize Terminal::size() noexcept { return size_of(STDOUT_FILENO); }

std::size_t Terminal::width_of(int descriptor) noexcept { return size_of(descriptor).width; }

void Terminal::draw(const std::vector<std::string>& lines, std::size_t title) {
  std::string text = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += i > 0 ? "\r\n" : "";
    text += i == title ? "\x1b[7m" + lines[i] + "\x1b[0m" : lines[i];
    text += "\x1b[K";
  }
  write_all(STDOUT_FILENO, text + "\x1b[J");
}

std::optional<std::vector<KeyPress>> Terminal::keys() {
  std::array<char, 256> buffer{};
  const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  pollfd input{STDIN_FILENO, POLLIN, 0};
  const bool has_gone = size < 0 && errno != EINTR && errno != EAGAIN;
  if (has_gone || (size == 0 && ::poll(&input, 1, 0) == 1 && (input.revents & POLLHUP) != 0)) {
    return std::nullopt;
  }
  input_.append(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return take_keys(input_);
}

SignalInput::SignalInput(const std::vector<int>& numbers) {
  sigset_t all;
  sigemptyset(&all);
  for (const int number : numbers) {
    sigaddset(&all, number);
  }
  descriptor_ = ::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) {
    throw Error(ErrorCode::OutOfMemory, "signals cannot be heard: " + system_error_text(errno));
  }
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalInput::~SignalInput() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  ::close(descriptor_);
}

int SignalInput::take() const noexcept {
  signalfd_siginfo info{};
  const ssize_t size = ::read(descriptor_, &info, sizeof(info));
  return size == static_cast<ssize_t>(sizeof(info)) ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace gxr::commands
