#include "image/numbered_path.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::image {

namespace {

constexpr std::size_t kMaxWidth = 20;  // digits of the largest number

/// A place for the number at the beginning of some text.
struct Place {
  std::size_t length = 0;  ///< characters of the text that it takes
  std::size_t width = 0;   ///< digits at least
};

/// "" or a number that begins with 0, up to kMaxWidth.
std::optional<std::size_t> parse_width(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && text.front() == '0' && width <= kMaxWidth ? std::optional(width) : std::nullopt;
}

/// The place at the beginning of `text` if it begins with `open`, a width, and `close`.
std::optional<Place> find_place(std::string_view text, std::string_view open,
                                std::string_view close) {
  const std::size_t end = text.find(close, open.size());
  if (!text.starts_with(open) || end == std::string_view::npos) {
    return std::nullopt;
  }
  const auto width = parse_width(text.substr(open.size(), end - open.size()));
  return width ? std::optional(Place{end + close.size(), *width}) : std::nullopt;
}

std::optional<Place> find_place(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"%", "d"}, {"{", "}"}, {"{:", "}"}, {"{:", "d}"}};
  for (const auto& [open, close] : spellings) {
    const auto place = find_place(text, open, close);
    if (place) {
      return place;
    }
  }
  return std::nullopt;
}

[[noreturn]] void throw_unreadable(std::string_view text) {
  throw Error(ErrorCode::InvalidParameter,
              "cannot read '" + std::string(text.substr(0, text.find('/'))) +
                  "' in the path: the place of the number is written %d, %04d, {} or {:04}");
}

bool is_special(char c) { return c == '%' || c == '{' || c == '}'; }

}  // namespace

NumberedPath::NumberedPath(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(is_special(text.front()) ? take_special(text) : take_plain(text));
  }
}

std::size_t NumberedPath::take_plain(std::string_view text) {
  (numbered_ ? after_ : before_) += text.front();
  return 1;
}

std::size_t NumberedPath::take_special(std::string_view text) {
  if (text.size() >= 2 && text[0] == text[1]) {
    return take_plain(text) + 1;
  }
  const auto place = find_place(text);
  if (!place) {
    throw_unreadable(text);
  }
  if (numbered_) {
    throw Error(ErrorCode::InvalidParameter, "the path has a second place for the number: '" +
                                                 std::string(text.substr(0, place->length)) + "'");
  }
  numbered_ = true;
  width_ = place->width;
  return place->length;
}

std::string NumberedPath::at(std::uint64_t number) const {
  if (!numbered_) {
    return before_;
  }
  const std::string digits = std::to_string(number);
  const std::size_t zeros = width_ > digits.size() ? width_ - digits.size() : 0;
  return before_ + std::string(zeros, '0') + digits + after_;
}

}  // namespace gxr::image
