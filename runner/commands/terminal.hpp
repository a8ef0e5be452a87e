#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <signal.h>
#include <termios.h>

namespace gxr::commands {

/// The size of a terminal.
struct TerminalSize {
  std::size_t width = 80;   ///< columns
  std::size_t height = 24;  ///< lines
};

/// A key that somebody has pressed.
enum class Key { Other, Up, Down, PageUp, PageDown, Home, End };

/// Keys and characters in what a terminal sends.
struct KeyPress {
  Key key = Key::Other;
  char character = '\0';  ///< of Key::Other; NUL: unknown
};
/// Takes the keys from the front of `input`; the beginning of a key that is not whole stays.
std::vector<KeyPress> take_keys(std::string& input);

/// The terminal that standard input and standard output are, as long as a command has all of its
/// screen: keys come as they are pressed, and what stood there comes back in the end.
class Terminal {
 public:
  /// Are both a terminal that can move its cursor?
  [[nodiscard]] static bool is_there();
  /// Is this descriptor such a terminal?
  [[nodiscard]] static bool moves_cursor(int descriptor);

  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  [[nodiscard]] static TerminalSize size() noexcept;
  /// Columns of another terminal; 80 when it does not say.
  [[nodiscard]] static std::size_t width_of(int descriptor) noexcept;
  /// All of the screen, from its first line; `title` is the index of a line that stands out.
  static void draw(const std::vector<std::string>& lines, std::size_t title);
  /// The keys that were pressed, without waiting; none when nobody can press keys any more.
  std::optional<std::vector<KeyPress>> keys();
  /// Gives the screen back, stops this process as Ctrl-Z does, and takes the screen again when the
  /// process goes on.
  void suspend();

 private:
  void take() noexcept;
  void give_back() noexcept;

  termios before_{};
  std::string input_;  // the beginning of a key
};

/// Signals that come through a descriptor instead of ending the process, as long as it lives.
class SignalInput {
 public:
  /// Throws Error(OutOfMemory) when there is no file descriptor.
  explicit SignalInput(const std::vector<int>& numbers);
  SignalInput(const SignalInput&) = delete;
  SignalInput& operator=(const SignalInput&) = delete;
  ~SignalInput();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// The next signal; 0: there is none.
  [[nodiscard]] int take() const noexcept;

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace gxr::commands
