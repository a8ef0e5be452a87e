#include <memory>
#include <utility>

#include "gxf/multimedia/audio.hpp"
#include "parts.hpp"

namespace nvidia::gxf {

static_assert(sizeof(AudioBuffer) == sizeof(gxr::AudioBuffer) &&
              alignof(AudioBuffer) == alignof(gxr::AudioBuffer));

namespace {

using layer::attempt;
using layer::Closure;
using layer::to_native;

gxr::AudioBufferInfo to_native(const AudioBufferInfo& info) {
  return {info.channels,
          info.samples,
          info.sampling_rate,
          info.bytes_per_sample,
          static_cast<gxr::AudioFormat>(info.audio_format),
          static_cast<gxr::AudioLayout>(info.audio_layout)};
}

}  // namespace

AudioBuffer::AudioBuffer() { ::new (static_cast<void*>(native_)) gxr::AudioBuffer(); }

AudioBuffer::AudioBuffer(AudioBuffer&& other) noexcept {
  ::new (static_cast<void*>(native_)) gxr::AudioBuffer(std::move(to_native(other)));
}

AudioBuffer& AudioBuffer::operator=(AudioBuffer&& other) noexcept {
  to_native(*this) = std::move(to_native(other));
  return *this;
}

AudioBuffer::~AudioBuffer() { to_native(*this).~AudioBuffer(); }

Expected<void> AudioBuffer::resizeCustom(AudioBufferInfo buffer_info,
                                         MemoryStorageType storage_type,
                                         Handle<Allocator> allocator) {
  if (allocator.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const std::uint64_t size = to_native(buffer_info).size();
  if (buffer_info.audio_format == AudioFormat::GXF_AUDIO_FORMAT_CUSTOM ||
      buffer_info.audio_layout == AudioLayout::GXF_AUDIO_LAYOUT_CUSTOM || size == 0) {
    GXF_LOG_ERROR("A sound needs a format, a layout and samples: %u channels of %u samples",
                  buffer_info.channels, buffer_info.samples);
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  const gxr::AudioBufferInfo info = to_native(buffer_info);
  gxr::Allocator* const source = layer::native_allocator(*allocator.get());
  if (source != nullptr && info.bytes_per_sample == gxr::size_of(info.format)) {
    const auto storage = layer::storage_to_allocate(storage_type);
    return storage ? attempt([&] { to_native(*this).resize(*source, info, storage.value()); },
                             [&](const gxr::Error& error) {
                               return layer::code_of_error(error, *source);
                             })
                   : Expected<void>(storage);
  }
  to_native(*this) = gxr::AudioBuffer();
  Expected<layer::Allocated> memory = layer::allocate_memory(allocator, size, storage_type);
  if (!memory) {
    return ForwardError(memory);
  }
  layer::Allocated& allocated = memory.value();
  return attempt([&] {
    to_native(*this).wrap(info, size, allocated.storage, allocated.pointer, allocated.closure.get(),
                          Closure::run);
    static_cast<void>(allocated.closure.release());
  });
}

Expected<void> AudioBuffer::wrapMemory(AudioBufferInfo buffer_info, uint64_t size,
                                       MemoryStorageType storage_type, void* pointer,
                                       release_function_t release_func) {
  return attempt([&] {
    auto closure = std::make_unique<Closure>();
    closure->release = std::move(release_func);
    gxr::AudioBuffer wrapped;
    wrapped.wrap(to_native(buffer_info), size, layer::to_native(storage_type), pointer,
                 closure.get(), Closure::run);
    static_cast<void>(closure.release());
    layer::replace_part(to_native(*this), std::move(wrapped));
  });
}

AudioBufferInfo AudioBuffer::audio_buffer_info() const {
  const gxr::AudioBufferInfo& native = to_native(*this).info();
  return {native.channels,
          native.samples,
          native.sampling_rate,
          native.bytes_per_sample,
          static_cast<AudioFormat>(native.format),
          static_cast<AudioLayout>(native.layout)};
}

MemoryStorageType AudioBuffer::storage_type() const {
  const gxr::AudioBuffer& native = to_native(*this);
  return native.pointer() == nullptr ? MemoryStorageType::kHost
                                     : layer::from_native(native.storage_type());
}

uint64_t AudioBuffer::size() const { return to_native(*this).size(); }

byte* AudioBuffer::pointer() const {
  return static_cast<byte*>(const_cast<void*>(to_native(*this).pointer()));
}

}  // namespace nvidia::gxf
