#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "document/map_keys.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "document/value_errors.hpp"
#include "document/yaml_text.hpp"
#include "gxr/parameter.hpp"

namespace gxr {

ParameterContext::~ParameterContext() = default;
ParameterBase::~ParameterBase() = default;

namespace detail {

namespace {

constexpr const char* kIntegers = "decimal (10) or hexadecimal (0xA) digits";
constexpr const char* kReals =
    "decimal digits with or without fraction and exponent (1.5e-3), .inf, .nan";
constexpr const char* kBooleans = "true, false, yes, no, on, off, y, n";
constexpr const char* kComplex = "a real and an imaginary part, such as 2.0 + 1.5j";

/// 2^64 and more would not even print.
std::string range_text(const std::string& minimum, const std::string& maximum) {
  return "integers from " + minimum + " to " + maximum;
}

IntegerText integer_of(const Value& value) {
  const std::string_view text = scalar_text(value, "an integer", kIntegers);
  const std::optional<IntegerText> integer = read_integer(text);
  if (!integer || is_octal(text)) {
    throw_not(value, "an integer", kIntegers);
  }
  return *integer;
}

/// Two's complement without overflow; the magnitude is at most 2^63 for negative numbers.
std::int64_t with_sign(const IntegerText& integer) noexcept {
  return static_cast<std::int64_t>(integer.negative ? 0 - integer.magnitude : integer.magnitude);
}

bool fits_int64(const IntegerText& integer) noexcept {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  return !integer.too_large && integer.magnitude <= kLargest + (integer.negative ? 1U : 0U);
}

struct BooleanWord {
  std::string_view lower;
  bool value;
};
constexpr std::array<BooleanWord, 8> kBooleanWords = {{{"y", true},
                                                       {"n", false},
                                                       {"yes", true},
                                                       {"no", false},
                                                       {"true", true},
                                                       {"false", false},
                                                       {"on", true},
                                                       {"off", false}}};

char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// lower, Capitalised or UPPER case.
bool is_spelling(std::string_view text, std::string_view lower) noexcept {
  const auto same = [](char a, char b) { return a == b; };
  const auto same_upper = [](char a, char b) { return a == upper(b); };
  if (text.size() != lower.size()) {
    return false;
  }
  const bool rest_lower = std::equal(text.begin() + 1, text.end(), lower.begin() + 1, same);
  const bool first = text[0] == lower[0] || text[0] == upper(lower[0]);
  return (first && rest_lower) || std::equal(text.begin(), text.end(), lower.begin(), same_upper);
}

/// The least and the greatest magnitude that a type can hold.
struct Magnitudes {
  const char* least;
  const char* greatest;
};

double checked_real(const Value& value, const RealText& real, const Magnitudes& magnitudes) {
  if (real.value) {
    return *real.value;
  }
  switch (real.flaw) {
    case NumberFlaw::TooLarge:
      throw_range(value, std::string("magnitudes up to ") + magnitudes.greatest);
    case NumberFlaw::TooSmall:
      throw_range(value, std::string("0 and magnitudes from ") + magnitudes.least);
    case NumberFlaw::NotANumber:
      break;
  }
  throw_not(value, "a number", kReals);
}

bool is_exponent_sign(std::string_view text, std::size_t i) noexcept {
  return i >= 2 && (text[i - 1] == 'e' || text[i - 1] == 'E') && text[i - 2] >= '.' &&
         text[i - 2] <= '9';
}

/// Offset of the sign between the parts, or npos.
std::size_t middle_sign(std::string_view text) noexcept {
  for (std::size_t i = text.size(); i-- > 1;) {
    if ((text[i] == '+' || text[i] == '-') && !is_exponent_sign(text, i)) {
      return i;
    }
  }
  return std::string_view::npos;
}

/// The sign may have blanks on both sides, nothing else may.
std::optional<double> imaginary_part(std::string_view text) {
  if (!text.ends_with('i') && !text.ends_with('j')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  const double sign = text.front() == '-' ? -1.0 : 1.0;
  const std::string_view magnitude = trimmed(text.substr(1));
  if (magnitude.starts_with('+') || magnitude.starts_with('-')) {
    return std::nullopt;
  }
  const std::optional<double> number = read_real(magnitude).value;
  return number ? std::optional(sign * *number) : std::nullopt;
}

std::optional<std::complex<double>> read_complex(std::string_view text) {
  text = trimmed(text);
  const std::size_t sign = middle_sign(text);
  if (sign == std::string_view::npos) {
    return std::nullopt;
  }
  const std::optional<double> real = read_real(text.substr(0, sign)).value;
  const std::optional<double> imaginary = imaginary_part(text.substr(sign));
  if (!real || !imaginary) {
    return std::nullopt;
  }
  return std::complex<double>(*real, *imaginary);
}

std::string list_of(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    text += text.empty() ? "" : ", ";
    text += choice.name;
  }
  return text;
}

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) {
    return ".nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-.inf" : ".inf";
  }
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace

bool parse_bool(const Value& value) {
  const std::string_view text = scalar_text(value, "a boolean", kBooleans);
  const auto* const word =
      std::find_if(kBooleanWords.begin(), kBooleanWords.end(),
                   [&](const BooleanWord& w) { return is_spelling(text, w.lower); });
  if (word == kBooleanWords.end()) {
    throw_not(value, "a boolean", kBooleans);
  }
  return word->value;
}

std::int64_t parse_int(const Value& value, std::int64_t minimum, std::int64_t maximum) {
  const IntegerText integer = integer_of(value);
  if (!fits_int64(integer) || with_sign(integer) < minimum || with_sign(integer) > maximum) {
    throw_range(value, range_text(std::to_string(minimum), std::to_string(maximum)));
  }
  return with_sign(integer);
}

std::uint64_t parse_uint(const Value& value, std::uint64_t maximum) {
  const IntegerText integer = integer_of(value);
  const bool negative = integer.negative && integer.magnitude != 0;
  if (negative || integer.too_large || integer.magnitude > maximum) {
    throw_range(value, range_text("0", std::to_string(maximum)));
  }
  return integer.magnitude;
}

double parse_double(const Value& value) {
  return checked_real(value, read_real(scalar_text(value, "a number", kReals)),
                      {"5e-324", "1.7976931348623157e+308"});
}

float parse_float(const Value& value) {
  return static_cast<float>(checked_real(value, read_real32(scalar_text(value, "a number", kReals)),
                                         {"1e-45", "3.4028235e+38"}));
}

std::complex<double> parse_complex(const Value& value) {
  const std::optional<std::complex<double>> number =
      read_complex(scalar_text(value, "a complex number", kComplex));
  if (!number) {
    throw_not(value, "a complex number", kComplex);
  }
  return *number;
}

/// What a list or a map is to GXF's strings: YAML text.
std::string parse_string(const Value& value) {
  if (value.is_scalar() || value.is_null()) {
    return std::string(value.text());
  }
  return value.flow() ? value.to_yaml() : yaml_as_written(value);
}

/// The system would take what is before a NUL byte for the path.
std::string parse_path(const Value& value) {
  std::string path = parse_string(value);
  if (path.find('\0') != std::string::npos) {
    throw Error(ErrorCode::InvalidParameter, quote_text(path) + " is no path: it has a NUL byte");
  }
  return path;
}

std::size_t parse_choice(const Value& value, const std::vector<Choice>& choices) {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
    return value.is_scalar() && choice.name == value.text();
  });
  if (found == choices.end()) {
    throw_not(value, "one of the choices", list_of(choices));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

void throw_unset(std::string_view key) {
  throw Error(ErrorCode::InvalidParameter,
              key.empty() ? "a parameter was read that nobody has declared: does declare() pass "
                            "each member of type Parameter to interface.parameter()?"
                          : "parameter '" + std::string(key) + "' has no value");
}

std::string yaml_of(bool value) { return value ? "true" : "false"; }
std::string yaml_of(std::int64_t value) { return std::to_string(value); }
std::string yaml_of(std::uint64_t value) { return std::to_string(value); }
std::string yaml_of(double value) { return shortest(value); }
std::string yaml_of(float value) { return shortest(value); }
std::string yaml_of(const std::string& value) { return yaml_scalar(value); }

std::string parse_key(const Value& key, const Value& value) {
  if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
    throw Error(ErrorCode::InvalidParameter, flaw);
  }
  if (merges(key, value)) {
    throw Error(ErrorCode::InvalidParameter, kMergeKeyHint);
  }
  return std::string(key.text());
}

std::string yaml_of_key(const std::string& key) { return yaml_key(yaml_scalar(key)); }

}  // namespace detail

}  // namespace gxr
