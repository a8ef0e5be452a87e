#include "observe/log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

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

std::string cannot_write(const std::string& file, int error) {
  return "cannot write the log file '" + file + "': " + std::generic_category().message(error);
}

/// A file that is begun anew. Its folder must exist. Says once when lines do not get there.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FileSink(std::string name) : name_(std::move(name)) {
    if (file_ == nullptr) {
      throw Error(ErrorCode::InputOutput, cannot_write(name_, errno));
    }
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) {
      report(errno);
    }
  }
  void flush_() override {
    if (std::fflush(file_.get()) != 0) {
      report(errno);
    }
  }
  void report(int error) {
    if (!lines_lost.exchange(true)) {
      std::fprintf(stderr, "error: %s\n", cannot_write(name_, error).c_str());
    }
  }

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_{std::fopen(name_.c_str(), "we")};
};

spdlog::sink_ptr make_sink(const std::string& file) {
  if (file.empty()) {
    return std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color_mode());
  }
  return std::make_shared<FileSink>(file);
}

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
  auto logger = std::make_shared<spdlog::logger>("gxr", make_sink(file));
  logger->set_level(to_spdlog(level));
  logger->set_pattern("%H:%M:%S.%e %^%-7l%$ %v");
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

void Log::configure_like_gxf(LogLevel level, const std::string& file) {
  spdlog::sink_ptr sink;
  if (file.empty()) {
    sink = std::make_shared<GxfSink>();
  } else {
    sink = std::make_shared<FileSink>(file);
  }
  auto logger = std::make_shared<spdlog::logger>("gxe", sink);
  logger->set_level(to_spdlog(level));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<GxfLevelName>('L').set_pattern("%^%Y-%m-%d %H:%M:%S.%e %L %g@%#: %v%$");
  logger->set_formatter(std::move(formatter));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

void Log::write(LogLevel level, std::string_view text) { write_at(level, "gxr", 1, text); }

void Log::write_at(LogLevel level, const std::string& file, std::uint32_t line,
                   std::string_view text) {
  const auto shown = static_cast<int>(std::max<std::uint32_t>(line, 1));  // 0 would hide the place
  const std::string printed = printable_lines(text, "  ");
  spdlog::default_logger_raw()->log({file.c_str(), shown, ""}, to_spdlog(level),
                                    spdlog::string_view_t(printed.data(), printed.size()));
}

bool Log::has_lost_lines() noexcept { return lines_lost.load(); }

bool Log::enabled(LogLevel level) noexcept {
  return spdlog::default_logger_raw()->should_log(to_spdlog(level));
}

}  // namespace gxr
