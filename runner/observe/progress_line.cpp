#include "observe/progress_line.hpp"

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>

#include <unistd.h>

namespace gxr {
namespace {

struct ShownLine {
  std::mutex mutex;  // of everything that gxr writes to the terminal meanwhile
  std::string text;
  std::atomic<bool> is_there{false};
};

/// Never destroyed: threads may log until the process has gone.
ShownLine& shown_line() {
  static ShownLine& line = *new ShownLine;
  return line;
}

void write_to_terminal(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return;
    }
    text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

/// What others write begins in the first column then.
void draw(ShownLine& line) {
  write_to_terminal(std::string(kEraseLine) + line.text + "\r");
  line.is_there = true;
}

void erase(ShownLine& line) noexcept {
  if (line.is_there.exchange(false)) {
    write_to_terminal(kEraseLine);
  }
}

}  // namespace

void ProgressLine::show(std::string_view text) {
  ShownLine& line = shown_line();
  const std::lock_guard lock(line.mutex);
  line.text = text;
  draw(line);
}

void ProgressLine::end() {
  ShownLine& line = shown_line();
  const std::lock_guard lock(line.mutex);
  erase(line);
  line.text.clear();
}

bool ProgressLine::is_shown() noexcept { return shown_line().is_there.load(); }

ProgressLine::Hidden::Hidden() {
  shown_line().mutex.lock();
  erase(shown_line());
}

ProgressLine::Hidden::~Hidden() {
  if (ShownLine& line = shown_line(); !line.text.empty()) {
    draw(line);
  }
  shown_line().mutex.unlock();
}

}  // namespace gxr
