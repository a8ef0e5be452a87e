#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "common/byte.hpp"

namespace nvidia {

/// The object that lies at an address.
template <typename T>
T* ValuePointer(byte* pointer) {
  return std::launder(reinterpret_cast<T*>(pointer));
}
template <typename T>
const T* ValuePointer(const byte* pointer) {
  return std::launder(reinterpret_cast<const T*>(pointer));
}

/// The address of an object as that of its first byte.
template <typename T>
byte* BytePointer(T* pointer) {
  return reinterpret_cast<byte*>(pointer);
}
template <typename T>
const byte* BytePointer(const T* pointer) {
  return reinterpret_cast<const byte*>(pointer);
}

template <typename T, typename... Args>
T* InplaceConstruct(byte* pointer, Args&&... args) {
  return ::new (static_cast<void*>(pointer)) T(std::forward<Args>(args)...);
}

template <typename T>
T* InplaceCopyConstruct(byte* pointer, const T& other) {
  return ::new (static_cast<void*>(pointer)) T(other);
}

template <typename T>
T* InplaceMoveConstruct(byte* pointer, T&& other) {
  static_assert(!std::is_lvalue_reference_v<T>, "moves from an rvalue");
  return ::new (static_cast<void*>(pointer)) T(std::move(other));
}

/// Ends the life of the object at an address; the memory stays.
template <typename T>
void Destruct(byte* pointer) {
  std::destroy_at(ValuePointer<T>(pointer));
}

/// Copies of `count` objects. If a constructor throws, none is left.
template <typename T>
void ArrayCopyConstruct(byte* pointer, const T* from, std::size_t count) {
  std::uninitialized_copy_n(from, count, reinterpret_cast<T*>(pointer));
}

/// `count` objects that take the values of others. If a constructor throws, none is left.
template <typename T>
void ArrayMoveConstruct(byte* pointer, T* from, std::size_t count) {
  std::uninitialized_move_n(from, count, reinterpret_cast<T*>(pointer));
}

/// Memory for `count` objects, without any in it; nullptr if there is not enough.
template <typename T>
T* AllocateArray(std::size_t count) {
  if (count > SIZE_MAX / 2 / sizeof(T)) {
    return nullptr;
  }
  if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    return static_cast<T*>(
        ::operator new (count * sizeof(T), std::align_val_t{alignof(T)}, std::nothrow));
  } else {
    return static_cast<T*>(::operator new(count * sizeof(T), std::nothrow));
  }
}

/// Gives memory of AllocateArray() back.
template <typename T>
void DeallocateArray(T* array) {
  if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    ::operator delete (static_cast<void*>(array), std::align_val_t{alignof(T)});
  } else {
    ::operator delete(static_cast<void*>(array));
  }
}

/// Empty if there is not enough memory.
template <typename T, typename... Args>
std::unique_ptr<T> MakeUniqueNoThrow(Args&&... args) {
  return std::unique_ptr<T>(new (std::nothrow) T(std::forward<Args>(args)...));
}

/// Empty if there is not enough memory.
template <typename T, typename... Args>
std::shared_ptr<T> MakeSharedNoThrow(Args&&... args) {
  try {
    return std::shared_ptr<T>(MakeUniqueNoThrow<T>(std::forward<Args>(args)...));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace nvidia
