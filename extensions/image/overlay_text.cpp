#include "image/overlay_text.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "gxr/error.hpp"

namespace gxr::image {
namespace {

constexpr std::size_t kMostDigits = 20;

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

/// "0:01:02.345"
std::string duration_text(std::int64_t time) {
  const bool before = time < 0;
  const auto size =
      before ? ~static_cast<std::uint64_t>(time) + 1 : static_cast<std::uint64_t>(time);
  const std::uint64_t milliseconds = size / 1'000'000;
  const std::uint64_t seconds = milliseconds / 1000;
  return (before ? "-" : "") + std::to_string(seconds / 3600) + ":" + padded(seconds / 60 % 60, 2) +
         ":" + padded(seconds % 60, 2) + "." + padded(milliseconds % 1000, 3);
}

/// "2026-11-28 14:20:04"
std::string date_text(std::int64_t time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::time_t seconds = time / kSecond - (time % kSecond < 0 ? 1 : 0);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts)};
}

[[noreturn]] void throw_unknown(std::string_view place) {
  throw Error(ErrorCode::InvalidParameter,
              "'text': '" + std::string(place) +
                  "' is no place for anything: there are %n (number, with zeros: %06n), %t (time), "
                  "%T (date and time), and %% (a percent sign)");
}

}  // namespace

OverlayText::OverlayText(std::string_view text) {
  while (!text.empty()) {
    if (text.front() == '%') {
      take_place(text);
    } else {
      const std::size_t length = std::min(text.find('%'), text.size());
      pieces_.push_back({Kind::Plain, std::string(text.substr(0, length))});
      text.remove_prefix(length);
    }
  }
}

void OverlayText::take_place(std::string_view& text) {
  std::size_t end = 1;
  std::size_t width = 0;
  if (end < text.size() && text[end] == '0') {
    for (; end < text.size() && text[end] >= '0' && text[end] <= '9' && width <= kMostDigits;
         ++end) {
      width = 10 * width + static_cast<std::size_t>(text[end] - '0');
    }
  }
  const std::string_view place = text.substr(0, std::min(end + 1, text.size()));
  const char kind = end < text.size() ? text[end] : '\0';
  const bool has_digits = end > 1;
  if (kind == 'n' && width <= kMostDigits) {
    pieces_.push_back({Kind::Number, {}, width});
  } else if (kind == 't' && !has_digits) {
    pieces_.push_back({Kind::Time});
  } else if (kind == 'T' && !has_digits) {
    pieces_.push_back({Kind::Date});
  } else if (kind == '%' && !has_digits) {
    pieces_.push_back({Kind::Plain, "%"});
  } else {
    throw_unknown(place);
  }
  text.remove_prefix(place.size());
}

std::string OverlayText::of(std::uint64_t sequence, std::int64_t time) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::Plain:
        text += piece.plain;
        break;
      case Kind::Number:
        text += padded(sequence, piece.width);
        break;
      case Kind::Time:
        text += duration_text(time);
        break;
      case Kind::Date:
        text += date_text(time);
        break;
    }
  }
  return text;
}

}  // namespace gxr::image
