#pragma once

#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "gxf/core/entity.hpp"
#include "gxf/cuda/cuda_allocator.hpp"
#include "gxf/std/allocator.hpp"
#include "gxr/allocator.hpp"
#include "gxr/cuda/cuda_allocator.hpp"
#include "gxr/error.hpp"
#include "gxr/message.hpp"

// What the layer's types are for gxr.

namespace nvidia::gxf::layer {

static_assert(sizeof(MessageBytes) == sizeof(gxr::Message) &&
              alignof(MessageBytes) == alignof(gxr::Message));

/// The message that the bytes are.
inline gxr::Message& as_message(MessageBytes& bytes) noexcept {
  return *std::launder(reinterpret_cast<gxr::Message*>(&bytes));
}
inline const gxr::Message& as_message(const MessageBytes& bytes) noexcept {
  return *std::launder(reinterpret_cast<const gxr::Message*>(&bytes));
}

/// Guards the parts of a message that a source made: its holders, on several threads, look for
/// parts and add some. Native operators only get messages to which nobody adds any more.
std::recursive_mutex& mutex_of(const void* block) noexcept;

/// Calls `look` with the message's parts, to which nobody adds meanwhile.
template <class F>
auto while_guarded(const gxr::Message& message, F&& look) {
  if (!message || message.is_only_reference()) {
    return look();
  }
  MessageBytes bytes;
  std::memcpy(static_cast<void*>(&bytes), static_cast<const void*>(&message), sizeof(bytes));
  const std::lock_guard lock(mutex_of(bytes.block));
  return look();
}

/// Moves a message into an entity; it holds no address of itself, so its bytes can move.
inline Entity to_entity(gxf_context_t context, gxr::Message&& message) noexcept {
  MessageBytes bytes;
  new (&bytes) gxr::Message(std::move(message));
  // NOLINTNEXTLINE(performance-move-const-arg)
  return Entity(context, std::move(bytes));
}

/// The gxr allocator behind it; nullptr for one that a source wrote.
inline gxr::Allocator* native_allocator(Allocator& allocator) noexcept {
  if (auto* const native = dynamic_cast<NativeAllocator*>(&allocator); native != nullptr) {
    return &native->native();
  }
  auto* const native = dynamic_cast<NativeCudaAllocator*>(&allocator);
  return native != nullptr ? &native->native() : nullptr;
}

/// Sets the acquisition time of the part "timestamp", which is added when it is missing.
gxf_result_t set_acquisition_time(Entity& entity, std::int64_t time) noexcept;

/// Memory of an allocator of gxr's, by GXF's rules; 0 bytes count as 1.
gxf_result_t allocate_native(gxr::Allocator& allocator, std::uint64_t size, std::int32_t type,
                             void** pointer) noexcept;
gxf_result_t free_native(gxr::Allocator& allocator, void* pointer) noexcept;

/// GXF's code for an error of gxr.
gxf_result_t code_of(const gxr::Error& error) noexcept;

/// Runs `call`, which returns a code; errors of gxr are logged and become codes.
template <class F>
gxf_result_t guarded(F&& call) noexcept;

/// Writes the error to the log and returns its code. For catch blocks.
gxf_result_t caught() noexcept;

template <class F>
gxf_result_t guarded(F&& call) noexcept {
  try {
    return call();
  } catch (...) {
    return caught();
  }
}

}  // namespace nvidia::gxf::layer
