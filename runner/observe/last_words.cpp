#include "observe/last_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "observe/fixed_text.hpp"
#include "observe/log.hpp"
#include "observe/progress_line.hpp"
#include "system/write_all.hpp"

namespace gxr {
namespace {

constexpr int kMostFrames = 48;
/// Far longer than a backtrace takes.
constexpr unsigned kBacktraceSeconds = 5;

using Line = FixedText<8192>;

/// In UTC, since reading the zone's rules is not safe here.
FixedText<40> time_now(char between, std::string_view zone) noexcept {
  using std::chrono::floor;
  const auto now = floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto today = floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(today);
  const std::chrono::hh_mm_ss time(now - today);
  FixedText<40> text;
  const auto add = [&text](long long number, std::size_t digits, std::string_view behind) {
    text.add_number(static_cast<std::uint64_t>(number), 10, digits);
    text.add(behind);
  };
  add(static_cast<int>(date.year()), 4, "-");
  add(static_cast<unsigned>(date.month()), 2, "-");
  add(static_cast<unsigned>(date.day()), 2, {&between, 1});
  add(time.hours().count(), 2, ":");
  add(time.minutes().count(), 2, ":");
  add(time.seconds().count(), 2, ".");
  add(time.subseconds().count(), 3, zone);
  return text;
}

/// As one call of write(), so that no other line gets into it.
void write_json(int descriptor, std::string_view text, const LogOrigin& origin) noexcept {
  constexpr std::string_view kEnd = "\"}\n";
  Line line;
  LogOrigin named = origin;
  named.rank = log_rank();
  add_log_json(time_now('T', "+00:00").view(), "error", named, text,
               [&line](std::string_view part) { line.add(part); });
  if (line.view().ends_with("\"}")) {
    line.add("\n");
  }
  if (!line.view().ends_with(kEnd)) {  // it was cut, perhaps within an escape or a character
    std::string_view whole = line.view().substr(0, 8000);
    whole = whole.substr(0, std::min(whole.find_last_of('\\'), whole.find_last_of(' ')));
    line.shorten(whole.size());
    line.add(kEnd);
  }
  write_all(descriptor, line.view());
}

void write_text_line(int descriptor, std::string_view prefix, std::string_view text) noexcept {
  Line line;
  line.add(prefix);
  if (const std::optional<std::uint32_t> rank = log_rank()) {
    line.add("rank ");
    line.add_number(*rank, 10, 1);
    line.add(": ");
  }
  line.add(text.substr(0, 8000));
  line.add("\n");
  write_all(descriptor, line.view());
}

void write_to_log_file(int descriptor, std::string_view text, const LogOrigin& origin) noexcept {
  if (log_form() == LogForm::Json) {
    write_json(descriptor, text, origin);
  } else {
    write_text_line(descriptor, time_now(' ', " +00:00 error   ").view(), text);
  }
}

void write_to_standard_error(std::string_view text, const LogOrigin& origin) noexcept {
  if (ProgressLine::is_shown()) {
    write_all(STDERR_FILENO, kEraseLine);
  }
  if (log_form() == LogForm::Json && log_file_descriptor() < 0) {
    write_json(STDERR_FILENO, text, origin);
  } else {
    write_text_line(STDERR_FILENO, {}, text);
  }
}

/// Takes a line at once. A pipe has room for 4096 bytes then.
bool takes_line(int descriptor) noexcept {
  pollfd output{descriptor, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLOUT) != 0;
}

/// "\n  0x1234 in libmine.so, _ZN4mine6Source4tickEv + 0x1c": what addr2line and c++filt take.
void add_frame(Line& text, void* address) noexcept {
  Dl_info info{};
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  text.add("\n  0x");
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    text.add_number(at, 16, 1);
    return;
  }
  text.add_number(at - reinterpret_cast<std::uintptr_t>(info.dli_fbase), 16, 1);
  text.add(" in ");
  text.add(info.dli_fname);
  if (info.dli_sname != nullptr) {
    text.add(", ");
    text.add(info.dli_sname);
    text.add(" + 0x");
    text.add_number(at - reinterpret_cast<std::uintptr_t>(info.dli_saddr), 16, 1);
  }
}

void end_within(unsigned seconds) noexcept {
  ::signal(SIGALRM, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::alarm(seconds);
}

}  // namespace

void write_last_line(std::string_view text, const LogOrigin& origin) noexcept {
  write_to_standard_error(text, origin);
  if (const int log_file = log_file_descriptor(); log_file >= 0) {
    write_to_log_file(log_file, text, origin);
  }
}

void write_last_words(std::string_view line) noexcept {
  constexpr std::size_t kFits = 4000;  // behind what lines of the log begin with
  line = line.substr(0, kFits);
  line.remove_suffix(line.ends_with('\n') ? 1 : 0);
  if (takes_line(STDERR_FILENO)) {
    write_to_standard_error(line, {});
  }
  if (const int log_file = log_file_descriptor(); log_file >= 0 && takes_line(log_file)) {
    write_to_log_file(log_file, line, {});
  }
}

/// The first call loads a library.
void prepare_backtrace() noexcept {
  void* frame = nullptr;
  static_cast<void>(::backtrace(&frame, 1));
}

void write_backtrace() noexcept {
  end_within(kBacktraceSeconds);
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), kMostFrames);
  Line text;
  text.add("gxr: the calls that led there, the last one first:");
  for (int i = 0; i < count; ++i) {
    add_frame(text, frames[static_cast<std::size_t>(i)]);
  }
  ::alarm(0);
  if (const int log_file = log_file_descriptor(); log_file >= 0) {
    write_to_log_file(log_file, text.view(), {});
  } else {
    write_to_standard_error(text.view(), {});
  }
}

}  // namespace gxr
