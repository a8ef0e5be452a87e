#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/type_name.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/gxf.h"

namespace gxr {

struct DeviceWork;

}  // namespace gxr

namespace nvidia {
namespace gxf {
namespace layer {

/// What the layer can do with objects of a C++ type. One for each type that an extension registers
/// or that gxr has itself; records live as long as the process.
struct TypeRecord {
  const char* name = nullptr;  ///< of TypenameAsString()
  gxf_tid_t tid{};             ///< in messages and recordings
  /// The registered base; nullptr: none, or one that nobody has registered yet.
  std::atomic<const TypeRecord*> base{nullptr};
  std::atomic<bool> has_derived{false};  ///< is it a registered base?
  bool is_component = false;             ///< else a data type
  std::size_t size = 0;
  std::size_t alignment = 1;
  void (*construct)(void* memory) = nullptr;  ///< none for abstract types
  const void* operations = nullptr;           ///< gxr::detail::PartOperations of the type
};

/// What a message needs to hold objects of T.
struct PartFunctions {
  std::size_t size = 0;
  std::size_t alignment = 1;
  void (*construct)(void* memory) = nullptr;
  void (*destroy)(void* part) noexcept = nullptr;
  void (*copy)(const void* from, void* to, gxr::DeviceWork& work) = nullptr;
  std::string_view (*type_name)() = nullptr;
};

/// The record of that name, or nullptr.
GXR_GXF_API const TypeRecord* FindType(std::string_view name) noexcept;
GXR_GXF_API const TypeRecord* FindType(gxf_tid_t tid) noexcept;
/// Is it, or is one of its bases, the other one?
inline bool IsA(const TypeRecord* type, const TypeRecord* base) noexcept {
  for (; type != nullptr; type = type->base.load(std::memory_order_acquire)) {
    if (type == base) {
      return true;
    }
  }
  return false;
}

/// The record of T; nullptr while nobody has registered T.
template <typename T>
const TypeRecord* TypeOf() noexcept {
  static std::atomic<const TypeRecord*> record{nullptr};
  const TypeRecord* known = record.load(std::memory_order_acquire);
  if (known == nullptr) {
    known = FindType(TypenameAsString<T>());
    record.store(known, std::memory_order_release);
  }
  return known;
}

}  // namespace layer
}  // namespace gxf
}  // namespace nvidia
