#pragma once

#include <cstdint>

#include "common/byte.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/memory_storage.hpp"

namespace nvidia {
namespace gxf {

/// How one sample is stored.
enum class AudioFormat : int32_t {
  GXF_AUDIO_FORMAT_CUSTOM = 0,
  GXF_AUDIO_FORMAT_S16LE = 1,
  GXF_AUDIO_FORMAT_F32LE = 2,
};

/// In which order the samples of several channels follow.
enum class AudioLayout : int32_t {
  GXF_AUDIO_LAYOUT_CUSTOM = 0,
  GXF_AUDIO_LAYOUT_INTERLEAVED = 1,
  GXF_AUDIO_LAYOUT_NON_INTERLEAVED = 2,
};

/// Name, number and bits of a sample of a format.
template <AudioFormat T>
struct AudioTypeTraits;

/// The traits of a format, for use in namespace nvidia::gxf, with or without a semicolon.
#define GXF_AUDIO_TYPE_TRAITS(ENUM, WIDTH)                  \
  template <>                                               \
  struct AudioTypeTraits<AudioFormat::ENUM> {               \
    static constexpr const char* name = #ENUM;              \
    static constexpr AudioFormat value = AudioFormat::ENUM; \
    static constexpr uint8_t width = WIDTH;                 \
  };

GXF_AUDIO_TYPE_TRAITS(GXF_AUDIO_FORMAT_CUSTOM, 0)
GXF_AUDIO_TYPE_TRAITS(GXF_AUDIO_FORMAT_S16LE, 16)
GXF_AUDIO_TYPE_TRAITS(GXF_AUDIO_FORMAT_F32LE, 32)

/// What a piece of a sound is like.
struct AudioBufferInfo {
  uint32_t channels;
  uint32_t samples;  ///< of each channel
  uint32_t sampling_rate;
  uint32_t bytes_per_sample;
  AudioFormat audio_format;
  AudioLayout audio_layout;
};

/// A piece of a sound. The same part of a message as gxr::AudioBuffer, which is what an object of
/// this class contains.
class GXR_GXF_API AudioBuffer {
 public:
  using release_function_t = MemoryBuffer::release_function_t;

  AudioBuffer();
  AudioBuffer(AudioBuffer&& other) noexcept;
  AudioBuffer& operator=(AudioBuffer&& other) noexcept;
  AudioBuffer(const AudioBuffer&) = delete;
  AudioBuffer& operator=(const AudioBuffer&) = delete;
  ~AudioBuffer();

  /// Other memory, from an allocator that outlives the buffer.
  template <AudioFormat T>
  Expected<void> resize(uint32_t channels, uint32_t samples, uint32_t sampling_rate,
                        AudioLayout layout, MemoryStorageType storage_type,
                        Handle<Allocator> allocator) {
    return resizeCustom({channels, samples, sampling_rate, AudioTypeTraits<T>::width / 8U,
                         AudioTypeTraits<T>::value, layout},
                        storage_type, allocator);
  }
  /// The same; GXF_ARGUMENT_INVALID for no samples and custom formats and layouts.
  Expected<void> resizeCustom(AudioBufferInfo buffer_info, MemoryStorageType storage_type,
                              Handle<Allocator> allocator);
  /// Memory of somebody else; see MemoryBuffer::wrapMemory(). GXF_ARGUMENT_INVALID if it is too
  /// small for the samples.
  Expected<void> wrapMemory(AudioBufferInfo buffer_info, uint64_t size,
                            MemoryStorageType storage_type, void* pointer,
                            release_function_t release_func);

  [[nodiscard]] AudioBufferInfo audio_buffer_info() const;
  [[nodiscard]] MemoryStorageType storage_type() const;
  [[nodiscard]] uint64_t size() const;
  [[nodiscard]] byte* pointer() const;

 private:
  alignas(8) unsigned char native_[104];  // a gxr::AudioBuffer
};

}  // namespace gxf
}  // namespace nvidia
