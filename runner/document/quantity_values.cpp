#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "document/number_text.hpp"
#include "document/value_errors.hpp"
#include "gxr/parameter.hpp"

namespace gxr::detail {

namespace {

constexpr const char* kDurations =
    "a positive number and a unit of ns, us, ms, s, min, h or Hz (50ms, 30Hz); nanoseconds without";
constexpr const char* kSizes =
    "a number and a unit of B, KB, MB, GB or TB, 1024-based (4MB, 0.5KB); megabytes without";

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 7> kTimeUnits = {
    {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}}};

constexpr double kKilo = 1024;
constexpr std::array<Unit, 10> kSizeUnits = {{{"", kKilo* kKilo},
                                              {"b", 1},
                                              {"kb", kKilo},
                                              {"kib", kKilo},
                                              {"mb", kKilo* kKilo},
                                              {"mib", kKilo* kKilo},
                                              {"gb", kKilo* kKilo* kKilo},
                                              {"gib", kKilo* kKilo* kKilo},
                                              {"tb", kKilo* kKilo* kKilo* kKilo},
                                              {"tib", kKilo* kKilo* kKilo* kKilo}}};

template <std::size_t N>
std::optional<double> find_factor(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) {
      return unit.factor;
    }
  }
  return std::nullopt;
}

/// Nanoseconds, not yet in range; empty for an unknown unit.
std::optional<double> nanoseconds_of(const Quantity& quantity) {
  if (quantity.unit == "hz") {
    return std::trunc(1e9 / quantity.number);
  }
  const std::optional<double> factor = find_factor(kTimeUnits, quantity.unit);
  if (!factor) {
    return std::nullopt;
  }
  // GXF cuts plain nanoseconds; with a unit, rounding gives the number that was meant.
  return *factor == 1 ? std::trunc(quantity.number) : std::round(quantity.number * *factor);
}

/// A whole number keeps all its digits where a double would round it.
std::optional<std::uint64_t> exact_whole(const Quantity& quantity, double factor) {
  const std::optional<IntegerText> integer = read_integer(quantity.digits);
  const bool decimal = integer && !integer->too_large && !integer->negative &&
                       static_cast<double>(integer->magnitude) == quantity.number;
  const auto scale = static_cast<std::uint64_t>(factor);
  if (!decimal || integer->magnitude > std::numeric_limits<std::uint64_t>::max() / scale) {
    return std::nullopt;
  }
  return integer->magnitude * scale;
}

/// Empty beyond 64 bits, and for a part of a byte.
std::optional<std::uint64_t> bytes_of(const Quantity& quantity, double factor) {
  if (const std::optional<std::uint64_t> exact = exact_whole(quantity, factor)) {
    return exact;
  }
  const double bytes = std::round(quantity.number * factor);
  constexpr double kEnd = 18446744073709551616.0;  // 2^64
  if (bytes >= kEnd || (bytes < 1 && quantity.number > 0)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(bytes);
}

/// A duration of 0 means something, such as no limit, only where it is the default or in the range.
bool takes_zero(const ParameterInfo* declaration) {
  if (declaration == nullptr || declaration->type.kind != ParameterType::Kind::Duration) {
    return false;
  }
  if (declaration->minimum || !declaration->default_value) {
    return declaration->minimum && *declaration->minimum <= 0;
  }
  const std::optional<Quantity> quantity = read_quantity(*declaration->default_value);
  return quantity && quantity->number == 0;
}

}  // namespace

Duration parse_duration(const Value& value, const ParameterContext& context) {
  const std::optional<Quantity> quantity =
      read_quantity(scalar_text(value, "a duration", kDurations));
  if (!quantity || std::signbit(quantity->number)) {
    throw_not(value, "a duration", kDurations);
  }
  const std::optional<double> nanoseconds = nanoseconds_of(*quantity);
  if (!nanoseconds) {
    throw_not(value, "a duration", kDurations);
  }
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  const std::optional<double> factor = find_factor(kTimeUnits, quantity->unit);
  if (quantity->number == 0 && (!factor || !takes_zero(context.declaration()))) {
    throw_not(value, "a duration", kDurations);  // 0 Hz never is one
  }
  const std::optional<std::uint64_t> exact =
      factor ? exact_whole(*quantity, *factor) : std::nullopt;
  if (exact && *exact <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return {static_cast<std::int64_t>(*exact)};
  }
  if ((*nanoseconds < 1 && quantity->number > 0) || *nanoseconds >= kEnd) {
    throw_range(value, "durations from 1 ns to 292 years");
  }
  return {static_cast<std::int64_t>(*nanoseconds)};
}

ByteSize parse_byte_size(const Value& value) {
  const std::optional<Quantity> quantity =
      read_quantity(scalar_text(value, "an amount of memory", kSizes));
  const std::optional<double> factor =
      quantity ? find_factor(kSizeUnits, quantity->unit) : std::nullopt;
  if (!factor || std::signbit(quantity->number)) {
    throw_not(value, "an amount of memory", kSizes);
  }
  const std::optional<std::uint64_t> bytes = bytes_of(*quantity, *factor);
  if (!bytes) {
    throw_range(value, "1 B to 16777215 TB");
  }
  return {*bytes};
}

}  // namespace gxr::detail

namespace gxr {

std::optional<std::uint64_t> read_byte_size(std::string_view text) {
  const std::optional<Quantity> quantity = read_quantity(text);
  if (!quantity || quantity->unit.empty() || std::signbit(quantity->number)) {
    return std::nullopt;
  }
  const std::optional<double> factor = detail::find_factor(detail::kSizeUnits, quantity->unit);
  return factor ? detail::bytes_of(*quantity, *factor) : std::nullopt;
}

}  // namespace gxr
