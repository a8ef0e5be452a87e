#include "document/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <system_error>

#include "gxr/plain_text.hpp"

namespace gxr {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool take_sign(std::string_view& text) noexcept {
  if (!text.starts_with('-') && !text.starts_with('+')) {
    return false;
  }
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

int take_base(std::string_view& text) noexcept {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    return 16;
  }
  return text.size() > 1 && text.front() == '0' ? 8 : 10;
}

template <class T>
bool is_among(T item, std::initializer_list<T> set) {
  return std::find(set.begin(), set.end(), item) != set.end();
}

std::optional<double> special_value(std::string_view text) noexcept {
  const bool negative = take_sign(text);
  if (is_among<std::string_view>(text, {".inf", ".Inf", ".INF"})) {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (is_among<std::string_view>(text, {".nan", ".NaN", ".NAN"})) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

bool is_decimal_form(std::string_view text) noexcept {
  return !text.empty() && (is_digit(text.front()) || text.front() == '.') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || is_among(c, {'.', 'e', 'E', '+', '-'});
         });
}

/// The exponent as written, bounded so that sums of it cannot overflow.
std::int64_t written_exponent(std::string_view text) noexcept {
  constexpr std::int64_t kBound = std::int64_t{1} << 40;
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) {
    return 0;
  }
  text.remove_prefix(mark + 1);
  const bool negative = take_sign(text);
  std::int64_t exponent = 0;
  for (const char c : text) {
    exponent = std::min(exponent * 10 + (c - '0'), kBound);
  }
  return negative ? -exponent : exponent;
}

/// The first digit that is not 0 and does not belong to the exponent; npos: it is 0.
std::size_t first_digit(std::string_view text) noexcept {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789");
}

/// True when a number that no floating-point type can hold is too small for it, not too large.
bool is_tiny(std::string_view text) noexcept {
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  const std::size_t first = first_digit(text);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  return point - static_cast<std::int64_t>(first) + written_exponent(text) < 0;
}

template <class T>
RealText read_as(std::string_view text) {
  text = trimmed(text);
  if (const std::optional<double> special = special_value(text)) {
    return {special};
  }
  const bool negative = take_sign(text);
  if (!is_decimal_form(text)) {
    return {};
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return {};
  }
  if (first_digit(text) == std::string_view::npos) {
    value = 0;  // whatever its exponent
  } else if (error == std::errc::result_out_of_range || value == 0) {
    return {std::nullopt, is_tiny(text) ? NumberFlaw::TooSmall : NumberFlaw::TooLarge};
  }
  return {static_cast<double>(negative ? -value : value)};
}

/// Where the number at the start of `text` ends: an 'e' belongs to it only with digits behind.
std::size_t end_of_number(std::string_view text) noexcept {
  std::size_t end = std::min(text.find_first_not_of("0123456789.", 0), text.size());
  if (end == text.size() || !is_among(text[end], {'e', 'E'})) {
    return end;
  }
  std::size_t digits = end + 1;
  if (digits < text.size() && is_among(text[digits], {'+', '-'})) {
    ++digits;
  }
  const std::size_t after = std::min(text.find_first_not_of("0123456789", digits), text.size());
  return after > digits ? after : end;
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<IntegerText> read_integer(std::string_view text) {
  text = trimmed(text);
  IntegerText integer;
  integer.negative = take_sign(text);
  const int base = take_base(text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer.magnitude, base);
  if (error == std::errc::invalid_argument || stop != end) {
    return std::nullopt;
  }
  integer.too_large = error == std::errc::result_out_of_range;
  return integer;
}

bool is_octal(std::string_view text) noexcept {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const std::size_t first = text.find_first_not_of('0');
  // 007 means 7 either way.
  return text.starts_with('0') && first != std::string_view::npos && text.size() - first >= 2 &&
         text.find_first_not_of("01234567") == std::string_view::npos;
}

RealText read_real(std::string_view text) { return read_as<double>(text); }

RealText read_real32(std::string_view text) { return read_as<float>(text); }

std::optional<Quantity> read_quantity(std::string_view text) {
  text = trimmed(text);
  const std::size_t start = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  const std::size_t end = start + end_of_number(text.substr(start));
  Quantity quantity;
  quantity.digits = text.substr(0, end);
  const RealText number = read_real(quantity.digits);
  std::string_view unit = text.substr(end);
  if (unit.size() > 1 && unit.front() == ' ') {
    unit.remove_prefix(1);
  }
  if (!number.value || !std::isfinite(*number.value)) {
    return std::nullopt;
  }
  quantity.number = *number.value;
  quantity.unit = lower_case(unit);
  return quantity;
}

}  // namespace gxr
