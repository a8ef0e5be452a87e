#include "media/incoming_sound.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "gxr/error.hpp"

namespace gxr::media {
namespace {

void require_writable_kind(const AudioBuffer& buffer) {
  const AudioBufferInfo& info = buffer.info();
  if (buffer.storage_type() == MemoryStorageType::Device) {
    throw Error(ErrorCode::NotSupported,
                "an AudioBuffer in the memory of a GPU cannot be written; copy it to the host");
  }
  if (info.format == AudioFormat::Custom || info.layout == AudioLayout::Custom ||
      info.sampling_rate == 0 || info.channels == 0) {
    throw Error(ErrorCode::WrongType,
                "wanted sound of S16LE or F32LE with a sampling rate and a known layout");
  }
}

/// Puts the channels of a time side by side.
std::shared_ptr<std::vector<std::byte>> interleaved(const AudioBuffer& buffer) {
  const AudioBufferInfo& info = buffer.info();
  const std::size_t sample = info.bytes_per_sample;
  auto memory = std::make_shared<std::vector<std::byte>>(info.size());
  const auto* from = static_cast<const std::byte*>(buffer.pointer());
  for (std::size_t channel = 0; channel < info.channels; ++channel) {
    for (std::size_t i = 0; i < info.samples; ++i) {
      std::memcpy(memory->data() + (i * info.channels + channel) * sample, from, sample);
      from += sample;
    }
  }
  return memory;
}

std::int64_t length_of(std::uint64_t samples, std::uint32_t rate) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return static_cast<std::int64_t>(samples / rate * kSecond + samples % rate * kSecond / rate);
}

}  // namespace

IncomingSound sound_in(Message message, const std::string& name) {
  auto kept = std::make_shared<Message>(std::move(message));
  const AudioBuffer& buffer =
      name.empty() ? kept->get<AudioBuffer>() : kept->get<AudioBuffer>(name);
  require_writable_kind(buffer);
  IncomingSound sound{buffer.info(), static_cast<const std::byte*>(buffer.pointer()),
                      buffer.info().size(), kept};
  if (buffer.info().layout == AudioLayout::NonInterleaved && buffer.info().channels > 1) {
    auto memory = interleaved(buffer);
    sound.data = memory->data();
    sound.owner = std::move(memory);
  }
  sound.info.layout = AudioLayout::Interleaved;
  return sound;
}

std::int64_t SoundClock::time_of(const AudioBufferInfo& info, std::optional<std::int64_t> told) {
  std::int64_t time = begin_ + length_of(samples_, info.sampling_rate);
  if (told && !first_told_) {
    first_told_ = *told - time;
  } else if (told && *told - *first_told_ > time + kFarthest) {
    time = begin_ = *told - *first_told_;
    samples_ = 0;
  }
  samples_ += info.samples;
  return time;
}

}  // namespace gxr::media
