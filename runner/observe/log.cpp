#include "observe/log.hpp"

#include <cstdlib>
#include <memory>

#include <spdlog/sinks/basic_file_sink.h>
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

spdlog::sink_ptr make_sink(const std::string& file) {
  if (file.empty()) {
    const auto mode = std::getenv("NO_COLOR") != nullptr ? spdlog::color_mode::never
                                                         : spdlog::color_mode::automatic;
    return std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode);
  }
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, true);
  } catch (const spdlog::spdlog_ex& error) {
    throw Error(ErrorCode::InputOutput,
                "cannot write the log file '" + file + "': " + error.what());
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

void Log::configure(LogLevel level, const std::string& file) {
  auto logger = std::make_shared<spdlog::logger>("gxr", make_sink(file));
  logger->set_level(to_spdlog(level));
  logger->set_pattern("%H:%M:%S.%e %^%-7l%$ %v");
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

void Log::write(LogLevel level, std::string_view text) {
  const std::string line = printable_lines(text, "  ");
  spdlog::default_logger_raw()->log(to_spdlog(level),
                                    spdlog::string_view_t(line.data(), line.size()));
}

bool Log::enabled(LogLevel level) noexcept {
  return spdlog::default_logger_raw()->should_log(to_spdlog(level));
}

}  // namespace gxr
