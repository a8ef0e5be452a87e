#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gxf/core/type_record.hpp"
#include "gxf/std/default_extension.hpp"
#include "gxr/message.hpp"
#include "gxr/type_info.hpp"

// The types that the layer knows: gxr's own under GXF's names, and those of extensions.

namespace nvidia::gxf::layer {

/// A type of gxr under GXF's name.
struct NativeType {
  const char* name;      ///< "nvidia::gxf::Receiver"
  const char* base;      ///< likewise; nullptr: none
  const char* gxr_name;  ///< "gxr::Receiver"
};

/// Adds a data type that gxr has. `operations` is that of the native type.
void add_native_data(const char* name, gxr::TypeId id,
                     const gxr::detail::PartOperations& operations, void (*construct)(void*));
/// The same for T, which sources have for the Native of gxr, with the same content.
template <class T, class Native = T>
void add_native() {
  static_assert(sizeof(T) == sizeof(Native) && alignof(T) == alignof(Native));
  add_native_data(TypenameAsString<T>(), gxr::TypeIdOf<Native>::value,
                  gxr::detail::OperationsOf<Native>::kAll,
                  [](void* memory) { ::new (memory) Native(); });
}
/// Adds component types that gxr has, bases first.
void add_native_components(const std::vector<NativeType>& types);
/// Adds a type of an extension; the same type again changes nothing.
gxf_result_t add_registered(const Registration& type);
/// gxr's name of a component type: "gxr::Receiver" for "nvidia::gxf::Receiver", else `name`.
std::string gxr_name_of(std::string_view name);

inline gxf_tid_t to_tid(gxr::TypeId id) noexcept { return {id.hash1, id.hash2}; }
inline gxr::TypeId to_type_id(gxf_tid_t tid) noexcept { return {tid.hash1, tid.hash2}; }

/// What an extension has registered.
class ExtensionRecord {
 public:
  gxf_tid_t tid{};
  std::vector<Registration> types;
};

}  // namespace nvidia::gxf::layer
