#pragma once

#include <cstdint>
#include <string_view>

#include "gxr/type_name.hpp"

namespace gxr {

/// 128-bit identity of a type, equal on both sides of a library boundary and in recorded files.
/// GXF's value where GXF has the type, else a hash of the name.
struct TypeId {
  std::uint64_t hash1 = 0;
  std::uint64_t hash2 = 0;

  friend constexpr bool operator==(const TypeId& a, const TypeId& b) noexcept {
    return a.hash1 == b.hash1 && a.hash2 == b.hash2;
  }
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
  static constexpr TypeId value = type_id_of_name(type_name<T>());
};

}  // namespace gxr
