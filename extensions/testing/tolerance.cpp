#include "tolerance.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "elements.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::testing {
namespace {

/// The bits of a floating-point number as a number that grows with it by one from each to the next;
/// -0 and 0 are both 0.
template <class Bits>
std::int64_t place(Bits bits) noexcept {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (std::numeric_limits<Bits>::digits - 1));
  const auto size = static_cast<std::int64_t>(static_cast<Bits>(bits & ~kSign));
  return (bits & kSign) != 0 ? -size : size;
}

/// |a - b|, which fits although the difference may not.
std::uint64_t distance(std::int64_t a, std::int64_t b) noexcept {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// long double holds all integers of 64 bits, and differences of doubles without overflow.
bool near(const Tolerance& tolerance, long double expected, long double actual) noexcept {
  const long double difference = std::fabs(actual - expected);
  return (tolerance.absolute > 0 && difference <= tolerance.absolute) ||
         (tolerance.relative > 0 && difference <= tolerance.relative * std::fabs(expected));
}

template <class Bits, class T>
bool real_met(const Tolerance& tolerance, T expected, T actual, Bits expected_bits,
              Bits actual_bits) noexcept {
  if (std::isnan(expected) || std::isnan(actual)) {
    return std::isnan(expected) && std::isnan(actual);
  }
  if (expected == actual || std::isinf(expected) || std::isinf(actual)) {
    return expected == actual;
  }
  return near(tolerance, expected, actual) ||
         distance(place(expected_bits), place(actual_bits)) <= tolerance.ulp;
}

bool met_as(const Tolerance& t, float a, float b) noexcept {
  return real_met(t, a, b, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
}
bool met_as(const Tolerance& t, double a, double b) noexcept {
  return real_met(t, a, b, std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
}
template <class T>
bool met_as(const Tolerance& t, const std::complex<T>& a, const std::complex<T>& b) noexcept {
  return met_as(t, a.real(), b.real()) && met_as(t, a.imag(), b.imag());
}
bool half_met(const Tolerance& t, std::uint16_t a, std::uint16_t b) noexcept {
  return real_met(t, float_of_half(a), float_of_half(b), a, b);
}

template <class T>
requires std::is_integral_v<T>
bool met_as(const Tolerance& t, T a, T b) noexcept {
  return a == b || near(t, static_cast<long double>(a), static_cast<long double>(b));
}

template <class T>
bool met_by(const Tolerance& tolerance, const std::byte* expected, const std::byte* actual) {
  return met_as(tolerance, element_as<T>(expected), element_as<T>(actual));
}

}  // namespace

void Tolerance::require_applicable(ElementType type, const std::string& name) const {
  if (exact()) {
    return;
  }
  if (type == ElementType::Custom) {
    throw Error(ErrorCode::InvalidParameter, name + " has custom elements, which are no numbers: " +
                                                 text() + " cannot apply; leave it 0");
  }
  const bool floating = type == ElementType::Float16 || type == ElementType::Float32 ||
                        type == ElementType::Float64 || type == ElementType::Complex64 ||
                        type == ElementType::Complex128;
  if (ulp > 0 && !floating) {
    throw Error(ErrorCode::InvalidParameter,
                name + " has elements " + to_string(type) +
                    ": ulp_tolerance is for floating-point numbers; use absolute_tolerance");
  }
}

bool Tolerance::met(ElementType type, std::size_t size, const std::byte* expected,
                    const std::byte* actual) const {
  if (std::memcmp(expected, actual, size) == 0) {
    return true;
  }
  if (exact()) {
    return false;
  }
  switch (type) {
    case ElementType::Int8:
      return met_by<std::int8_t>(*this, expected, actual);
    case ElementType::UInt8:
      return met_by<std::uint8_t>(*this, expected, actual);
    case ElementType::Int16:
      return met_by<std::int16_t>(*this, expected, actual);
    case ElementType::UInt16:
      return met_by<std::uint16_t>(*this, expected, actual);
    case ElementType::Int32:
      return met_by<std::int32_t>(*this, expected, actual);
    case ElementType::UInt32:
      return met_by<std::uint32_t>(*this, expected, actual);
    case ElementType::Int64:
      return met_by<std::int64_t>(*this, expected, actual);
    case ElementType::UInt64:
      return met_by<std::uint64_t>(*this, expected, actual);
    case ElementType::Float16:
      return half_met(*this, element_as<std::uint16_t>(expected),
                      element_as<std::uint16_t>(actual));
    case ElementType::Float32:
      return met_by<float>(*this, expected, actual);
    case ElementType::Float64:
      return met_by<double>(*this, expected, actual);
    case ElementType::Complex64:
      return met_by<std::complex<float>>(*this, expected, actual);
    case ElementType::Complex128:
      return met_by<std::complex<double>>(*this, expected, actual);
    case ElementType::Custom:
      break;
  }
  return false;
}

std::string Tolerance::text() const {
  std::string text;
  const auto add = [&](const char* key, const std::string& value) {
    text += (text.empty() ? "" : ", ") + std::string(key) + " " + value;
  };
  if (absolute > 0) {
    add("absolute_tolerance", shortest_text(absolute));
  }
  if (relative > 0) {
    add("relative_tolerance", shortest_text(relative));
  }
  if (ulp > 0) {
    add("ulp_tolerance", std::to_string(ulp));
  }
  return text;
}

}  // namespace gxr::testing
