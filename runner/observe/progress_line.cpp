#include "observe/progress_line.hpp"

#include <atomic>
#include <mutex>
#include <string>

#include <unistd.h>

#include "system/write_all.hpp"

namespace gxr {
namespace {

/// Apart from the rest, for handlers of signals.
std::atomic<bool> line_is_there{false};

struct ShownLine {
  std::mutex mutex;  // of everything that gxr writes to the terminal meanwhile
  std::string text;
};

/// Never destroyed: threads may log until the process has gone.
ShownLine& shown_line() {
  static ShownLine& line = *new ShownLine;
  return line;
}

/// What others write begins in the first column then.
void draw(const ShownLine& line) {
  write_all(STDERR_FILENO, std::string(kEraseLine) + line.text + "\r");
  line_is_there = true;
}

void erase_line() noexcept {
  if (line_is_there.exchange(false)) {
    write_all(STDERR_FILENO, kEraseLine);
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
  erase_line();
  line.text.clear();
}

bool ProgressLine::is_shown() noexcept { return line_is_there.load(); }

ProgressLine::Hidden::Hidden() {
  shown_line().mutex.lock();
  erase_line();
}

ProgressLine::Hidden::~Hidden() {
  if (ShownLine& line = shown_line(); !line.text.empty()) {
    draw(line);
  }
  shown_line().mutex.unlock();
}

}  // namespace gxr
