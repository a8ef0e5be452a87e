#include "observe/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "document/secrets.hpp"
#include "document/utf8.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log_file.hpp"
#include "observe/log_tail.hpp"
#include "observe/progress_line.hpp"

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
std::atomic<int> file_descriptor{-1};
std::atomic<LogForm> form_of_lines{LogForm::Text};
constexpr std::int64_t kNoRank = -1;
std::atomic<std::int64_t> own_rank{kNoRank};

/// Says once when lines do not get into the file.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  FileSink(const std::string& name, const LogRotation& rotation) : file_(name, rotation) {
    file_descriptor = file_.descriptor();
  }
  /// The text of the error; empty: it goes on in the file that has the name now.
  std::string reopen() {
    const std::lock_guard lock(mutex_);
    return file_.reopen();
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const spdlog::memory_buf_t line = formatted(message);
    if (file_.is_full_for(line.size())) {
      if (const std::string problem = file_.rotate(); !problem.empty()) {
        say(problem + "; it is written on");
      }
    }
    append(line);
  }
  void flush_() override {}

  spdlog::memory_buf_t formatted(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    return line;
  }
  void say(const std::string& problem) {
    append(formatted({spdlog::source_loc{"gxr", 1, ""}, {}, spdlog::level::err, problem}));
  }
  void append(const spdlog::memory_buf_t& line) {
    const int error = file_.append({line.data(), line.size()});
    if (error != 0 && !lines_lost.exchange(true)) {
      const ProgressLine::Hidden hidden;
      std::fprintf(stderr, "error: cannot write the log file '%s': %s\n", file_.name().c_str(),
                   system_error_text(error).c_str());
    }
  }

  LogFile file_;
};

// --- JSON lines ------------------------------------------------------------------------------

/// What it is about travels as the logger's name: the entity, a NUL, and the component.
LogOrigin unpack_origin(std::string_view name) {
  const std::size_t end = name.find('\0');
  return end == std::string_view::npos ? LogOrigin{}
                                       : LogOrigin{name.substr(0, end), name.substr(end + 1), {}};
}

std::string pack_origin(const LogOrigin& origin) {
  return std::string(origin.entity) + '\0' + std::string(origin.component);
}

std::string_view view_of(spdlog::string_view_t text) { return {text.data(), text.size()}; }

class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& buffer) override {
    const auto add = [&buffer](std::string_view text) {
      buffer.append(text.data(), text.data() + text.size());
    };
    LogOrigin origin = unpack_origin(view_of(message.logger_name));
    origin.rank = log_rank();
    add_log_json(iso_time(message.time), view_of(spdlog::level::to_string_view(message.level)),
                 origin, view_of(message.payload), add);
    add("\n");
  }
  [[nodiscard]] std::unique_ptr<formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }
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

/// Standard error. A line of progress there gives way.
class ErrorOutputSink final : public spdlog::sinks::sink {
 public:
  void log(const spdlog::details::log_msg& message) override {
    const ProgressLine::Hidden hidden;
    output_.log(message);
  }
  void flush() override {}
  void set_pattern(const std::string& pattern) override { output_.set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    output_.set_formatter(std::move(formatter));
  }

 private:
  spdlog::sinks::stderr_color_sink_st output_{color_mode()};
};

/// As people see it.
std::string with_rank(std::string_view text) {
  const std::optional<std::uint32_t> rank = log_rank();
  return (rank ? "rank " + std::to_string(*rank) + ": " : "") + printable_lines(text, "  ");
}

/// A logger of its own: that of spdlog itself belongs to the program that embeds gxr.
struct OpenLog {
  spdlog::logger logger;
  std::shared_ptr<FileSink> file;  // nullptr: none
  LogForm form = LogForm::Text;

  OpenLog(LogLevel level, spdlog::sink_ptr sink, std::shared_ptr<FileSink> log_file)
      : logger("gxr", std::move(sink)), file(std::move(log_file)) {
    logger.set_level(to_spdlog(level));
  }

  /// Whatever the level is.
  void write(const spdlog::source_loc& place, LogLevel level, const LogOrigin& origin,
             std::string_view text) {
    const std::string escaped = with_rank(text);
    LogTail::add(level, escaped);
    const std::string_view payload = form == LogForm::Json ? text : std::string_view(escaped);
    const std::string name = pack_origin(origin);
    const spdlog::details::log_msg line(place, name, to_spdlog(level),
                                        spdlog::string_view_t(payload.data(), payload.size()));
    for (const spdlog::sink_ptr& sink : logger.sinks()) {
      sink->log(line);
      sink->flush();
    }
  }
};

/// Threads that still log may use an old one, so none goes.
class Logs {
 public:
  Logs() { open_usual({}, nullptr); }

  [[nodiscard]] OpenLog& current() noexcept { return *current_.load(std::memory_order_acquire); }
  void open_usual(const LogChoices& choices, const std::shared_ptr<FileSink>& file) {
    spdlog::sink_ptr sink = file;
    if (file == nullptr) {
      sink = std::make_shared<ErrorOutputSink>();
    }
    auto opened = std::make_unique<OpenLog>(choices.level, std::move(sink), file);
    opened->form = choices.form;
    if (choices.form == LogForm::Json) {
      opened->logger.set_formatter(std::make_unique<JsonFormatter>());
    } else {
      opened->logger.set_pattern(file == nullptr ? "%H:%M:%S.%e %^%-7l%$ %v"
                                                 : "%Y-%m-%d %H:%M:%S.%e %z %^%-7l%$ %v");
    }
    take(std::move(opened));
  }
  void take(std::unique_ptr<OpenLog> opened) {
    const std::lock_guard lock(mutex_);
    form_of_lines = opened->form;
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

std::shared_ptr<FileSink> open_file(const std::string& file, const LogRotation& rotation) {
  return file.empty() ? nullptr : std::make_shared<FileSink>(file, rotation);
}

void write_line(LogLevel level, const LogOrigin& origin, std::string_view text,
                const std::string& file = "gxr", int line = 1) {
  OpenLog& log = logs().current();
  if (log.logger.should_log(to_spdlog(level))) {
    log.write({file.c_str(), line, ""}, level, origin, without_secrets(std::string(text)));
  }
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

void Log::configure(const LogChoices& choices) {
  logs().open_usual(choices, open_file(choices.file, choices.rotation));
}

void Log::configure_like_gxf(LogLevel level, const std::string& file) {
  const std::shared_ptr<FileSink> log_file = open_file(file, {});
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

void Log::write(LogLevel level, std::string_view text, const LogOrigin& origin) {
  write_line(level, origin, text);
}

void Log::write_of(LogLevel level, const LogOrigin& origin, std::string_view text) {
  if (logs().current().form == LogForm::Json) {
    write_line(level, origin, text);
  } else {
    write_line(level, {},
               std::string(origin.entity) + "/" + std::string(origin.component) + ": " +
                   std::string(text));
  }
}

void Log::write_at(LogLevel level, const std::string& file, std::uint32_t line,
                   std::string_view text) {
  // 0 would hide the place
  write_line(level, {}, text, file, static_cast<int>(std::max<std::uint32_t>(line, 1)));
}

void Log::record(LogLevel level, std::string_view text, const LogOrigin& origin) {
  if (logs().current().file != nullptr || replaces_text()) {
    write_line(level, origin, text);
  } else {
    LogTail::add(level, with_rank(without_secrets(std::string(text))));
  }
}

bool Log::replaces_text() noexcept {
  const OpenLog& log = logs().current();
  return log.form == LogForm::Json && log.file == nullptr;
}

void Log::answer(LogLevel shown_as, std::string_view text) {
  OpenLog& log = logs().current();
  if (log.logger.level() != spdlog::level::off) {
    log.write({"gxr", 1, ""}, shown_as, {}, text);
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

void Log::name_rank(std::uint32_t rank) noexcept { own_rank = rank; }

bool Log::has_lost_lines() noexcept { return lines_lost.load(); }

bool Log::enabled(LogLevel level) noexcept {
  return logs().current().logger.should_log(to_spdlog(level));
}

int log_file_descriptor() noexcept { return file_descriptor.load(); }

LogForm log_form() noexcept { return form_of_lines.load(); }

std::optional<std::uint32_t> log_rank() noexcept {
  const std::int64_t rank = own_rank.load();
  return rank == kNoRank ? std::nullopt : std::optional(static_cast<std::uint32_t>(rank));
}

}  // namespace gxr
