#include "gxr/multimedia/audio_buffer.hpp"

#include <limits>
#include <string>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

void require_complete(const AudioBufferInfo& info) {
  if (info.format == AudioFormat::Custom || info.layout == AudioLayout::Custom) {
    throw Error(ErrorCode::InvalidArgument,
                "memory for samples of a custom format or layout has no known size; wrap some");
  }
  if (info.channels == 0 || info.samples == 0) {
    throw Error(ErrorCode::InvalidArgument, "a sound of " + std::to_string(info.channels) +
                                                " channels with " + std::to_string(info.samples) +
                                                " samples each is empty");
  }
  if (info.bytes_per_sample != size_of(info.format)) {
    throw Error(ErrorCode::InvalidArgument,
                "a sample of this format has " + std::to_string(size_of(info.format)) +
                    " bytes, not " + std::to_string(info.bytes_per_sample));
  }
}

}  // namespace

std::uint32_t size_of(AudioFormat format) noexcept {
  switch (format) {
    case AudioFormat::S16Le:
      return 2;
    case AudioFormat::F32Le:
      return 4;
    case AudioFormat::Custom:
      break;
  }
  return 0;
}

std::uint64_t AudioBufferInfo::size() const noexcept {
  const std::uint64_t all = std::uint64_t{channels} * samples;
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(all, std::uint64_t{bytes_per_sample}, &bytes)
             ? std::numeric_limits<std::uint64_t>::max()
             : bytes;
}

void AudioBuffer::resize(Allocator& allocator, AudioBufferInfo info, MemoryStorageType storage) {
  if (info.bytes_per_sample == 0) {
    info.bytes_per_sample = size_of(info.format);
  }
  require_complete(info);
  memory_.allocate(allocator, info.size(), storage);
  info_ = info;
}

void AudioBuffer::wrap(const AudioBufferInfo& info, std::uint64_t size, MemoryStorageType storage,
                       void* pointer, void* owner, OwnedMemory::ReleaseFunction release) {
  if (info.size() > size || (pointer == nullptr && size > 0)) {
    throw Error(ErrorCode::InvalidArgument, "the samples need " + std::to_string(info.size()) +
                                                " bytes, there are " + std::to_string(size));
  }
  memory_.wrap(pointer, size, storage, owner, release);
  info_ = info;
}

AudioBuffer copy_part(const AudioBuffer& from, DeviceWork& work) {
  AudioBuffer copy;
  copy.info_ = from.info_;
  copy.memory_ = from.memory_.copy(work);
  return copy;
}

void before_write(const AudioBuffer& buffer) { buffer.memory_.before_write(); }

}  // namespace gxr
