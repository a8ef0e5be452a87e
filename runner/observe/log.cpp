#include "observe/log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log_tail.hpp"

namespace gxr {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::Off:
      return spdlog::level::off;
    case LogLevel::Error:
      return spdlog::level::err;
    case LogLevel::Warn:
      return spdlog::level::warn;
    case LogLevel::Info:
      return spdlog::level::info;
    case LogLevel::Debug:
      return spdlog::level::debug;
  }
  return spdlog::level::info;
}

spdlog::color_mode color_mode() {
  return std::getenv("NO_COLOR") != nullptr ? spdlog::color_mode::never
                                            : spdlog::color_mode::automatic;
}

// --- log files -------------------------------------------------------------------------------

std::atomic<bool> lines_lost{false};

std::string cannot_write(const std::string& file, const std::string& reason) {
  return "cannot write the log file '" + file + "': " + reason;
}

std::atomic<int> file_descriptor{-1};

/// A file that lines are appended to. Its folder must exist. Says once when lines do not get there.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FileSink(std::string name) : name_(std::move(name)) {
    OpenFile opened = open_to_write(name_, WriteMode::Append);
    file_ = opened.stream("a");
    if (file_ == nullptr) {
      throw Error(ErrorCode::InputOutput, cannot_write(name_, opened.reason()));
    }
    std::error_code ignored;
    path_ = std::filesystem::absolute(name_, ignored).string();
    file_descriptor = ::fileno(file_.get());
  }
  /// The text of the error; empty: it goes on in the file that has the name now.
  std::string reopen() {
    OpenFile opened = open_to_write(path_.empty() ? name_ : path_, WriteMode::Append);
    StdioFile file = opened.stream("a");
    if (file == nullptr) {
      return cannot_write(name_, opened.reason());
    }
    const std::lock_guard lock(mutex_);
    flush_();
    file_.swap(file);
    file_descriptor = ::fileno(file_.get());
    return {};
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) {
      report(system_error_text(errno));
    }
  }
  void flush_() override {
    if (std::fflush(file_.get()) != 0) {
      report(system_error_text(errno));
    }
  }
  void report(const std::string& reason) {
    if (!lines_lost.exchange(true)) {
      std::fprintf(stderr, "error: %s\n", cannot_write(name_, reason).c_str());
    }
  }

  std::string name_;
  std::string path_;  // the same, wherever the process works later
  StdioFile file_;
};

// --- GXF's form ------------------------------------------------------------------------------

/// "INFO ", "WARN ": five characters.
class GxfLevelName final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& buffer) override {
    const std::string_view name = message.level >= spdlog::level::err     ? "ERROR"
                                  : message.level == spdlog::level::warn  ? "WARN "
                                  : message.level == spdlog::level::info  ? "INFO "
                                  : message.level == spdlog::level::debug ? "DEBUG"
                                                                          : "VERB ";
    buffer.append(name.data(), name.data() + name.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<GxfLevelName>();
  }
};

/// Errors to standard error, everything else to standard output. Its two sinks lock for themselves.
class GxfSink final : public spdlog::sinks::sink {
 public:
  GxfSink() { color(*out_), color(*error_); }

  void log(const spdlog::details::log_msg& message) override {
    if (message.level >= spdlog::level::err) {
      error_->log(message);
    } else {
      out_->log(message);
    }
  }
  void flush() override {
    out_->flush();
    error_->flush();
  }
  void set_pattern(const std::string& pattern) override {
    out_->set_pattern(pattern);
    error_->set_pattern(pattern);
  }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    out_->set_formatter(formatter->clone());
    error_->set_formatter(std::move(formatter));
  }

 private:
  template <class Sink>
  static void color(Sink& sink) {
    sink.set_color(spdlog::level::err, "\033[1;31m");
    sink.set_color(spdlog::level::warn, "\033[33m");
    sink.set_color(spdlog::level::info, "");
    sink.set_color(spdlog::level::debug, "\033[90m");
  }

  std::shared_ptr<spdlog::sinks::stdout_color_sink_mt> out_ =
      std::make_shared<spdlog::sinks::stdout_color_sink_mt>(color_mode());
  std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> error_ =
      std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color_mode());
};

// --- the log -----------------------------------------------------------------------------------

/// A logger of its own: that of spdlog itself belongs to the program that embeds gxr.
struct OpenLog {
  spdlog::logger logger;
  std::shared_ptr<FileSink> file;  // nullptr: none

  OpenLog(LogLevel level, spdlog::sink_ptr sink, std::shared_ptr<FileSink> log_file)
      : logger("gxr", std::move(sink)), file(std::move(log_file)) {
    logger.set_level(to_spdlog(level));
    logger.flush_on(spdlog::level::trace);
  }
};

/// Threads that still log may use an old one, so none goes.
class Logs {
 public:
  Logs() { open_usual(LogLevel::Info, nullptr); }

  [[nodiscard]] OpenLog& current() noexcept { return *current_.load(std::memory_order_acquire); }
  void open_usual(LogLevel level, const std::shared_ptr<FileSink>& file) {
    spdlog::sink_ptr sink = file;
    if (file == nullptr) {
      sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color_mode());
    }
    auto opened = std::make_unique<OpenLog>(level, std::move(sink), file);
    opened->logger.set_pattern(file == nullptr ? "%H:%M:%S.%e %^%-7l%$ %v"
                                               : "%Y-%m-%d %H:%M:%S.%e %z %^%-7l%$ %v");
    take(std::move(opened));
  }
  void take(std::unique_ptr<OpenLog> opened) {
    const std::lock_guard lock(mutex_);
    current_.store(opened.get(), std::memory_order_release);
    all_.push_back(std::move(opened));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<OpenLog>> all_;
  std::atomic<OpenLog*> current_{nullptr};
};

/// Never destroyed: threads may log until the process has gone.
Logs& logs() {
  static Logs& all = *new Logs;
  return all;
}

std::shared_ptr<FileSink> open_file(const std::string& file) {
  return file.empty() ? nullptr : std::make_shared<FileSink>(file);
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view text) noexcept {
  constexpr std::pair<std::string_view, LogLevel> levels[] = {{"off", LogLevel::Off},
                                                              {"error", LogLevel::Error},
                                                              {"warn", LogLevel::Warn},
                                                              {"info", LogLevel::Info},
                                                              {"debug", LogLevel::Debug}};
  for (const auto& [name, level] : levels) {
    if (name == text) {
      return level;
    }
  }
  return std::nullopt;
}

void Log::configure(LogLevel level, const std::string& file) {
  logs().open_usual(level, open_file(file));
}

void Log::configure_like_gxf(LogLevel level, const std::string& file) {
  const std::shared_ptr<FileSink> log_file = open_file(file);
  spdlog::sink_ptr sink = log_file;
  if (log_file == nullptr) {
    sink = std::make_shared<GxfSink>();
  }
  auto opened = std::make_unique<OpenLog>(level, std::move(sink), log_file);
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<GxfLevelName>('L').set_pattern("%^%Y-%m-%d %H:%M:%S.%e %L %g@%#: %v%$");
  opened->logger.set_formatter(std::move(formatter));
  logs().take(std::move(opened));
}

void Log::write(LogLevel level, std::string_view text) { write_at(level, "gxr", 1, text); }

void Log::write_at(LogLevel level, const std::string& file, std::uint32_t line,
                   std::string_view text) {
  const auto shown = static_cast<int>(std::max<std::uint32_t>(line, 1));  // 0 would hide the place
  const std::string printed = printable_lines(text, "  ");
  if (enabled(level)) {
    LogTail::add(level, printed);
  }
  logs().current().logger.log({file.c_str(), shown, ""}, to_spdlog(level),
                              spdlog::string_view_t(printed.data(), printed.size()));
}

void Log::record(LogLevel level, std::string_view text) {
  if (logs().current().file != nullptr) {
    write(level, text);
  } else {
    LogTail::add(level, printable_lines(text, "  "));
  }
}

void Log::answer(LogLevel shown_as, std::string_view text) {
  spdlog::logger& logger = logs().current().logger;
  if (logger.level() == spdlog::level::off) {
    return;
  }
  const std::string printed = printable_lines(text, "  ");
  LogTail::add(shown_as, printed);
  const spdlog::details::log_msg line(spdlog::source_loc{"gxr", 1, ""}, logger.name(),
                                      to_spdlog(shown_as),
                                      spdlog::string_view_t(printed.data(), printed.size()));
  for (const spdlog::sink_ptr& sink : logger.sinks()) {
    sink->log(line);
    sink->flush();
  }
}

void Log::reopen_file() {
  const std::shared_ptr<FileSink>& file = logs().current().file;
  if (file == nullptr) {
    answer(LogLevel::Info, "there is no log file to open again");
  } else if (const std::string problem = file->reopen(); !problem.empty()) {
    write(LogLevel::Error, problem + "; the file before is written on");
  }
}

bool Log::has_lost_lines() noexcept { return lines_lost.load(); }

bool Log::enabled(LogLevel level) noexcept {
  return logs().current().logger.should_log(to_spdlog(level));
}

int log_file_descriptor() noexcept { return file_descriptor.load(); }

}  // namespace gxr
