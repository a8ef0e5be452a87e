#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gxr::testing {

/// The T at an address of any alignment.
template <class T>
T element_as(const std::byte* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

/// The number that the bits of an IEEE 754 binary16 stand for; exact.
inline float float_of_half(std::uint16_t bits) noexcept {
  constexpr int kFractionBits = 10;
  constexpr unsigned kGreatestExponent = 31;
  constexpr int kBias = 15;
  const unsigned fraction = bits & 0x3ffU;
  const unsigned exponent = (bits >> 10U) & 0x1fU;
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == kGreatestExponent) {
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  }
  const unsigned digits = exponent == 0 ? fraction : fraction | 0x400U;
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - kBias - kFractionBits;
  return sign * std::ldexp(static_cast<float>(digits), power);
}

}  // namespace gxr::testing
