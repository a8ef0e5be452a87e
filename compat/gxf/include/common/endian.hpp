#pragma once

#include <cstddef>
#include <type_traits>

namespace nvidia {

constexpr bool IsLittleEndian() { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

constexpr bool IsBigEndian() { return !IsLittleEndian(); }

namespace detail {

template <typename T>
constexpr T SwapBytes(T value) {
  static_assert(std::is_integral_v<T>, "the order of bytes is that of integers");
  using Bits = std::make_unsigned_t<T>;
  const auto from = static_cast<Bits>(value);
  Bits to = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    const auto one = static_cast<Bits>((from >> (8 * i)) & 0xFF);
    to = static_cast<Bits>(to | (one << (8 * (sizeof(T) - 1 - i))));
  }
  return static_cast<T>(to);
}

}  // namespace detail

/// From the machine's order of bytes to the little-endian one.
template <typename T>
constexpr T EncodeLittleEndian(T value) {
  return IsLittleEndian() ? value : detail::SwapBytes(value);
}

/// From the little-endian order of bytes to the machine's.
template <typename T>
constexpr T DecodeLittleEndian(T value) {
  return EncodeLittleEndian(value);
}

/// From the machine's order of bytes to the big-endian one.
template <typename T>
constexpr T EncodeBigEndian(T value) {
  return IsLittleEndian() ? detail::SwapBytes(value) : value;
}

/// From the big-endian order of bytes to the machine's.
template <typename T>
constexpr T DecodeBigEndian(T value) {
  return EncodeBigEndian(value);
}

}  // namespace nvidia
