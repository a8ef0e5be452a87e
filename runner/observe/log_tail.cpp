#include "observe/log_tail.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <utility>

namespace gxr {
namespace {

struct KeptLines {
  std::atomic<bool> kept{false};
  std::atomic<std::uint64_t> last{0};
  std::mutex mutex;  // guards lines
  std::deque<LogTail::Line> lines;
};

/// Never destroyed: threads may log until the process has gone.
KeptLines& kept_lines() {
  static KeptLines& all = *new KeptLines;
  return all;
}

std::int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

void LogTail::keep() { kept_lines().kept = true; }

void LogTail::add(LogLevel level, std::string_view text) {
  KeptLines& kept = kept_lines();
  if (!kept.kept.load(std::memory_order_relaxed)) {
    return;
  }
  Line line{0, unix_ms(), level, std::string(text.substr(0, kLongestLine))};
  const std::lock_guard lock(kept.mutex);
  line.number = kept.last.load() + 1;
  kept.lines.push_back(std::move(line));
  if (kept.lines.size() > kMostLines) {
    kept.lines.pop_front();
  }
  ++kept.last;
}

std::vector<LogTail::Line> LogTail::after(std::uint64_t number) {
  KeptLines& kept = kept_lines();
  const std::lock_guard lock(kept.mutex);
  std::vector<Line> found;
  for (const Line& line : kept.lines) {
    if (line.number > number) {
      found.push_back(line);
    }
  }
  return found;
}

std::uint64_t LogTail::last() noexcept { return kept_lines().last.load(); }

}  // namespace gxr
