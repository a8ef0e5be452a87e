#include "graph/gxf_spelling.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "document/number_text.hpp"

namespace gxr {
namespace {

using Kind = ParameterType::Kind;

struct Integer {
  bool negative = false;
  bool octal = false;
  std::uint64_t magnitude = 0;
};

/// An integer as C++ streams read it: sign, then decimal, 0x hexadecimal or 0 octal digits, nothing
/// else.
std::optional<Integer> read_stream_integer(std::string_view text) {
  Integer integer;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    integer.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
    integer.octal = true;
  }
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), integer.magnitude, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return integer;
}

struct Range {
  bool is_signed;
  std::uint64_t greatest;
};

std::optional<Range> range_of(Kind kind) {
  switch (kind) {
    case Kind::Int16:
      return Range{true, std::numeric_limits<std::int16_t>::max()};
    case Kind::Int32:
      return Range{true, std::numeric_limits<std::int32_t>::max()};
    case Kind::Int64:
      return Range{true, std::numeric_limits<std::int64_t>::max()};
    case Kind::UInt8:
      return Range{false, std::numeric_limits<std::uint8_t>::max()};
    case Kind::UInt16:
      return Range{false, std::numeric_limits<std::uint16_t>::max()};
    case Kind::UInt32:
      return Range{false, std::numeric_limits<std::uint32_t>::max()};
    case Kind::UInt64:
      return Range{false, std::numeric_limits<std::uint64_t>::max()};
    default:
      return std::nullopt;
  }
}

/// "-010" to "-10".
std::string without_leading_zeros(std::string_view text) {
  const std::size_t first = text.find_first_not_of("+-0");
  std::string digits(text.substr(std::min(first, text.size() - 1)));
  if (text.starts_with('-')) {
    digits.insert(digits.begin(), '-');
  }
  return digits;
}

GxfReading octal_reading(const std::string& value, std::string_view text) {
  return {value, "a leading 0 means octal", "write " + without_leading_zeros(text), {}};
}

std::optional<GxfReading> read_signed(const Integer& integer, const Range& range,
                                      std::string_view text) {
  const std::uint64_t limit = range.greatest + (integer.negative ? 1U : 0U);
  if (!integer.octal || integer.magnitude > limit) {
    return std::nullopt;
  }
  std::string number = std::to_string(integer.magnitude);
  if (integer.negative) {
    number.insert(number.begin(), '-');
  }
  return octal_reading(number, text);
}

std::optional<GxfReading> read_unsigned(const Integer& integer, const Range& range, bool byte,
                                        std::string_view text) {
  // GXF reads a byte as 32 bits and drops the upper ones.
  const std::uint64_t readable = byte ? std::numeric_limits<std::uint32_t>::max() : range.greatest;
  if (integer.magnitude > readable) {
    return std::nullopt;
  }
  const std::uint64_t magnitude = integer.negative ? 0U - integer.magnitude : integer.magnitude;
  const std::string value = std::to_string(magnitude & range.greatest);
  const std::string advice = "write a number from 0 to " + std::to_string(range.greatest);
  const std::string allowed = "between 0 and " + std::to_string(range.greatest);
  if (integer.negative) {
    return GxfReading{value, "a negative number wraps around", advice, allowed};
  }
  return integer.magnitude > range.greatest
             ? GxfReading{value, "only the lower 8 bits are kept", advice, allowed}
             : octal_reading(value, text);
}

/// C++ streams read what is too small as 0.
std::optional<GxfReading> read_tiny(std::string_view text, Kind kind) {
  const RealText real = kind == Kind::Float32 ? read_real32(text) : read_real(text);
  if (real.value || real.flaw != NumberFlaw::TooSmall) {
    return std::nullopt;
  }
  return GxfReading{text.starts_with('-') ? "-0.0" : "0.0",
                    "it is too small for the type",
                    kind == Kind::Float32 ? "write a magnitude of at least 1e-45"
                                          : "write a magnitude of at least 5e-324",
                    {}};
}

}  // namespace

std::optional<GxfReading> gxf_reading(const Value& value, Kind kind) {
  if (value.is_scalar() && (kind == Kind::Float32 || kind == Kind::Float64)) {
    return read_tiny(value.text(), kind);
  }
  const std::optional<Range> range = range_of(kind);
  if (!value.is_scalar() || !range) {
    return std::nullopt;
  }
  const std::optional<Integer> integer = read_stream_integer(value.text());
  if (!integer) {
    return std::nullopt;
  }
  return range->is_signed ? read_signed(*integer, *range, value.text())
                          : read_unsigned(*integer, *range, kind == Kind::UInt8, value.text());
}

}  // namespace gxr
