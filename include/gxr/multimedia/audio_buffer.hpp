#pragma once

#include <cstdint>

#include "gxr/export.hpp"
#include "gxr/multimedia/owned_memory.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

/// How one sample of a sound is stored. The numbers are GXF's.
enum class AudioFormat : std::int32_t {
  Custom = 0,
  S16Le = 1,  ///< 16-bit signed integer
  F32Le = 2,  ///< 32-bit float
};
/// Bytes of one sample; 0 for Custom.
GXR_API std::uint32_t size_of(AudioFormat format) noexcept;

/// In which order the samples of several channels follow. The numbers are GXF's.
enum class AudioLayout : std::int32_t {
  Custom = 0,
  Interleaved = 1,     ///< the samples of all channels at one time follow each other
  NonInterleaved = 2,  ///< all samples of a channel follow each other
};

/// What a piece of a sound is like.
struct AudioBufferInfo {
  std::uint32_t channels = 0;                ///< how many
  std::uint32_t samples = 0;                 ///< of each channel
  std::uint32_t sampling_rate = 0;           ///< per second
  std::uint32_t bytes_per_sample = 0;        ///< of one channel
  AudioFormat format = AudioFormat::Custom;  ///< of a sample
  AudioLayout layout = AudioLayout::Custom;  ///< order of the samples

  /// Bytes of all samples; the greatest number when that is too much to count.
  [[nodiscard]] GXR_API std::uint64_t size() const noexcept;
};

/// A piece of a sound, as a part of a message. Move-only.
class GXR_API AudioBuffer {
 public:
  /// Memory for so many samples. bytes_per_sample 0 means that of the format. Throws
  /// Error(InvalidArgument) for the format or layout Custom, no channel, no sample, and bytes per
  /// sample that are not the format's; and what the allocator throws.
  void resize(Allocator& allocator, AudioBufferInfo info,
              MemoryStorageType storage = MemoryStorageType::System);
  /// Uses memory of somebody else; any format. Throws Error(InvalidArgument) when the samples need
  /// more than `size`; then nothing is taken over.
  void wrap(const AudioBufferInfo& info, std::uint64_t size, MemoryStorageType storage,
            void* pointer, void* owner, OwnedMemory::ReleaseFunction release);

  /// What the sound is like.
  [[nodiscard]] const AudioBufferInfo& info() const noexcept { return info_; }
  /// The first sample; nullptr while there is no memory.
  [[nodiscard]] void* pointer() noexcept { return memory_.pointer(); }
  /// The same, to be read.
  [[nodiscard]] const void* pointer() const noexcept { return memory_.pointer(); }
  /// Bytes of the memory.
  [[nodiscard]] std::uint64_t size() const noexcept { return memory_.size(); }
  /// As Tensor::add_device_user().
  bool add_device_user(DeviceStream& stream) const { return memory_.add_device_user(stream); }
  /// Where the memory is.
  [[nodiscard]] MemoryStorageType storage_type() const noexcept { return memory_.storage_type(); }
  /// As OwnedMemory::owner_for().
  [[nodiscard]] void* owner_for(OwnedMemory::ReleaseFunction release) const noexcept {
    return memory_.owner_for(release);
  }

  /// As copy_part() of a Tensor.
  friend GXR_API AudioBuffer copy_part(const AudioBuffer& from, DeviceWork& work);
  /// As before_write() of a Tensor.
  friend GXR_API void before_write(const AudioBuffer& buffer);

 private:
  AudioBufferInfo info_;
  OwnedMemory memory_;
};
/// As copy_part() of a Tensor.
[[nodiscard]] GXR_API AudioBuffer copy_part(const AudioBuffer& from, DeviceWork& work);
/// As before_write() of a Tensor.
GXR_API void before_write(const AudioBuffer& buffer);

template <>
struct TypeIdOf<AudioBuffer> {
  static constexpr TypeId value{0xa914cac65f19449dULL, 0x9ade8c5cdcebe7c3ULL};
};

}  // namespace gxr
