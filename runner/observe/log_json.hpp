#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/utf8.hpp"

namespace gxr {

/// Who a line of the log is about, as far as that is known.
struct LogOrigin {
  std::string_view entity;
  std::string_view component;           ///< its name, or its type when it has none
  std::optional<std::uint32_t> rank{};  ///< of the process, if it is one of several
};

/// A text as JSON has it in quotes, handed to `add` in pieces (std::string_view). Bytes that are no
/// UTF-8 become U+FFFD; what a terminal would obey is escaped. Async-signal-safe if `add` is.
template <class Add>
void escape_as_json(std::string_view text, const Add& add) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (Utf8Character next = first_character(text); next.size > 0; next = first_character(text)) {
    if (!next.valid) {
      add(std::string_view("\\ufffd"));
    } else if (next.code == '"' || next.code == '\\') {
      add(std::string_view("\\"));
      add(text.substr(0, 1));
    } else if (next.code == '\n') {
      add(std::string_view("\\n"));
    } else if (is_control(next.code)) {
      const auto digit = [&](unsigned shift) { return kDigits[(next.code >> shift) & 0xFU]; };
      const std::array<char, 6> escape{'\\', 'u', digit(12), digit(8), digit(4), digit(0)};
      add(std::string_view(escape.data(), escape.size()));
    } else {
      add(text.substr(0, next.size));
    }
    text.remove_prefix(next.size);
  }
}

/// A line of the log as one JSON object, in pieces, without line end:
/// {"time":"2026-01-31T12:30:01.250+01:00","level":"info","entity":"camera","component":"source",
/// "text":"1920 x 1080"}, with "rank":1 before the time. Rank, entity and component are left out
/// when there are none.
template <class Add>
void add_log_json(std::string_view time, std::string_view level, const LogOrigin& origin,
                  std::string_view text, const Add& add) {
  if (origin.rank) {
    std::array<char, 10> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *origin.rank).ptr;
    add(std::string_view("{\"rank\":"));
    add(std::string_view(digits.data(), end));
    add(std::string_view(",\"time\":\""));
  } else {
    add(std::string_view("{\"time\":\""));
  }
  add(time);
  add(std::string_view("\",\"level\":\""));
  add(level);
  const auto add_field = [&add](std::string_view begin, std::string_view value) {
    add(begin);
    escape_as_json(value, add);
  };
  if (!origin.entity.empty()) {
    add_field("\",\"entity\":\"", origin.entity);
  }
  if (!origin.component.empty()) {
    add_field("\",\"component\":\"", origin.component);
  }
  add_field("\",\"text\":\"", text);
  add(std::string_view("\"}"));
}

/// "2026-01-31T12:30:01.250+01:00", in the zone of the process.
std::string iso_time(std::chrono::system_clock::time_point time);

}  // namespace gxr
