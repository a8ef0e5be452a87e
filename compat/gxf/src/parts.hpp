#pragma once

// What the sources of tensors, buffers, pictures and sounds have in common.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "common/logger.hpp"
#include "common/panic.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/memory_storage.hpp"
#include "gxf/std/tensor.hpp"
#include "gxr/allocator.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/owned_memory.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "native.hpp"

namespace nvidia::gxf {

class AudioBuffer;
class VideoBuffer;

namespace layer {

// The objects of gxr that those of this layer contain.
inline gxr::Tensor& to_native(Tensor& tensor) {
  return *std::launder(reinterpret_cast<gxr::Tensor*>(&tensor));
}
inline const gxr::Tensor& to_native(const Tensor& tensor) {
  return *std::launder(reinterpret_cast<const gxr::Tensor*>(&tensor));
}
inline gxr::VideoBuffer& to_native(VideoBuffer& buffer) {
  return *std::launder(reinterpret_cast<gxr::VideoBuffer*>(&buffer));
}
inline const gxr::VideoBuffer& to_native(const VideoBuffer& buffer) {
  return *std::launder(reinterpret_cast<const gxr::VideoBuffer*>(&buffer));
}
inline gxr::AudioBuffer& to_native(AudioBuffer& buffer) {
  return *std::launder(reinterpret_cast<gxr::AudioBuffer*>(&buffer));
}
inline const gxr::AudioBuffer& to_native(const AudioBuffer& buffer) {
  return *std::launder(reinterpret_cast<const gxr::AudioBuffer*>(&buffer));
}

inline gxr::ElementType to_native(PrimitiveType type) {
  return static_cast<gxr::ElementType>(type);
}
/// Managed memory is used as host memory is: both sides reach it.
inline gxr::MemoryStorageType to_native(MemoryStorageType storage) {
  return storage == MemoryStorageType::kCudaManaged ? gxr::MemoryStorageType::Host
                                                    : static_cast<gxr::MemoryStorageType>(storage);
}
inline MemoryStorageType from_native(gxr::MemoryStorageType storage) {
  return static_cast<MemoryStorageType>(storage);
}
/// Throws what gxr::Shape throws.
gxr::Shape to_native(const Shape& shape);

/// Writes the text of an error of gxr to the log and answers the code that comes closest.
gxf_result_t code_of_error(const gxr::Error& error);
/// The same for an error of gxr::Allocator::allocate().
gxf_result_t code_of_error(const gxr::Error& error, const gxr::Allocator& allocator);

/// Calls `function`; exceptions of gxr and the library become codes, that `code_of` may tell.
template <typename F, typename C>
Expected<void> attempt(F&& function, C&& code_of) {
  try {
    function();
    return Success;
  } catch (const Panic&) {
    throw;
  } catch (const gxr::Error& error) {
    return Unexpected{code_of(error)};
  } catch (const std::bad_alloc&) {
    GXF_LOG_ERROR("The system has no more memory");
    return Unexpected{GXF_OUT_OF_MEMORY};
  } catch (const std::exception& error) {
    GXF_LOG_ERROR("%s", error.what());
    return Unexpected{GXF_FAILURE};
  }
}
template <typename F>
Expected<void> attempt(F&& function) {
  return attempt(std::forward<F>(function),
                 [](const gxr::Error& error) { return code_of_error(error); });
}

/// What gives back the memory of a part that a GXF source wrapped: the owner that gxr is told.
struct Closure {
  MemoryBuffer::release_function_t release;
  std::shared_ptr<void> keeps;
  std::shared_ptr<DLManagedTensorContext> dlpack;  ///< of a tensor that was exported or imported

  /// A gxr::Tensor::ReleaseFunction.
  static void run(void* owner, void* pointer) noexcept;
};

/// The closure of a part; nullptr for other memory.
template <typename Part>
Closure* closure_of(const Part& part) {
  return static_cast<Closure*>(part.owner_for(Closure::run));
}

/// Puts `next` in the place of `part`. The memory of `part` is given back, unless it is the same:
/// then nobody does that, but who gives back the memory of `next`.
template <typename Part>
void replace_part(Part& part, Part&& next) {
  if (part.pointer() != nullptr && part.pointer() == next.pointer()) {
    if (Closure* const closure = closure_of(part); closure != nullptr) {
      closure->release = nullptr;
    } else {
      alignas(Part) unsigned char forgotten[sizeof(Part)];
      ::new (static_cast<void*>(forgotten)) Part(std::move(part));  // and never destroyed
    }
  }
  // NOLINTNEXTLINE(bugprone-move-forwarding-reference)
  part = std::move(next);
}

/// Memory of an allocator of any kind, which gets it back with the closure, for `size` bytes.
struct Allocated {
  void* pointer = nullptr;
  gxr::MemoryStorageType storage = gxr::MemoryStorageType::System;
  std::unique_ptr<Closure> closure;
};
Expected<Allocated> allocate_memory(const Handle<Allocator>& allocator, std::uint64_t size,
                                    MemoryStorageType storage_type);

/// The storage type for gxr::Allocator::allocate().
Expected<gxr::MemoryStorageType> storage_to_allocate(MemoryStorageType storage_type);

}  // namespace layer
}  // namespace nvidia::gxf
