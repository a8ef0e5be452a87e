#pragma once

#include <cstdint>
#include <string_view>

#include "gxr/type_name.hpp"

namespace gxr {

/// 128-bit identity of a type, equal on both sides of a library boundary and in recorded files.
/// GXF's value where GXF has the type, else a hash of the name.
struct TypeId {
  std::uint64_t hash1 = 0;  ///< the first half
  std::uint64_t hash2 = 0;  ///< the second half

  /// The same type?
  friend constexpr bool operator==(const TypeId& a, const TypeId& b) noexcept {
    return a.hash1 == b.hash1 && a.hash2 == b.hash2;
  }
  /// Another type?
  friend constexpr bool operator!=(const TypeId& a, const TypeId& b) noexcept { return !(a == b); }
};

/// Two FNV-1a hashes of the name with different offsets.
constexpr TypeId type_id_of_name(std::string_view name) noexcept {
  constexpr std::uint64_t prime = 0x100000001b3ULL;
  TypeId id{0xcbf29ce484222325ULL, 0x9ae16a3b2f90404fULL};
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    id.hash1 = (id.hash1 ^ byte) * prime;
    id.hash2 = (id.hash2 ^ byte) * prime;
    id.hash2 ^= id.hash2 >> 29;
  }
  return id;
}

/// Specialise to give a type a fixed id: `static constexpr TypeId value{...};`.
template <class T>
struct TypeIdOf {
  /// The id of T.
  static constexpr TypeId value = type_id_of_name(type_name<T>());
};

// Numbers have GXF's ids, so that they keep them in recorded files.
template <>
struct TypeIdOf<std::int8_t> {
  static constexpr TypeId value{0x83905c6aca344f40ULL, 0xb474cf2cde8274deULL};
};
template <>
struct TypeIdOf<std::uint8_t> {
  static constexpr TypeId value{0xd4299e150006d0bfULL, 0x8cbd9b743575e155ULL};
};
template <>
struct TypeIdOf<std::int16_t> {
  static constexpr TypeId value{0x9e1dde793550307dULL, 0xe81ab864890b3685ULL};
};
template <>
struct TypeIdOf<std::uint16_t> {
  static constexpr TypeId value{0x958cbdefb505bcc7ULL, 0x8a43dc4b23f8ceadULL};
};
template <>
struct TypeIdOf<std::int32_t> {
  static constexpr TypeId value{0xb557ec7f49a508f7ULL, 0xa35e086e9d1ea767ULL};
};
template <>
struct TypeIdOf<std::uint32_t> {
  static constexpr TypeId value{0xd5506b685c86fedbULL, 0xa2a2a7bae38ff3efULL};
};
template <>
struct TypeIdOf<std::int64_t> {
  static constexpr TypeId value{0xc611627b6393365fULL, 0xd2341f26bfa8d28fULL};
};
template <>
struct TypeIdOf<std::uint64_t> {
  static constexpr TypeId value{0xc4385f5b6e2501d9ULL, 0xd7b56e7cadc704e8ULL};
};
template <>
struct TypeIdOf<float> {
  static constexpr TypeId value{0xa81bf295421f49efULL, 0xf24af59e9ea0d5d6ULL};
};
template <>
struct TypeIdOf<double> {
  static constexpr TypeId value{0xd57cee59686fe26dULL, 0x95be659c126b02eaULL};
};
template <>
struct TypeIdOf<bool> {
  static constexpr TypeId value{0xc02f9e93d01b1d29ULL, 0xf52378d2a9195128ULL};
};

}  // namespace gxr
