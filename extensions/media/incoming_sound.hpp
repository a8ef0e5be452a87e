#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gxr/message.hpp"
#include "gxr/multimedia/audio_buffer.hpp"

namespace gxr::media {

/// A piece of sound of a message, in memory that the CPU reads; the channels of a time follow each
/// other.
struct IncomingSound {
  AudioBufferInfo info;
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;
  std::shared_ptr<const void> owner;  ///< keeps the memory
};

/// The AudioBuffer of this name in the message, or its first without a name. Throws Error(NotFound,
/// WrongType or NotSupported).
IncomingSound sound_in(Message message, const std::string& name);

/// The times of pieces of sound, in ns from the first one. They follow each other by the samples,
/// as clocks of cameras and computers differ by a little; where a Timestamp is farther away than
/// kFarthest, a piece was lost or stood still, and its time counts.
class SoundClock {
 public:
  static constexpr std::int64_t kFarthest = 40'000'000;

  /// `told`: of the message's Timestamp, if it has one.
  std::int64_t time_of(const AudioBufferInfo& info, std::optional<std::int64_t> told);

 private:
  std::optional<std::int64_t> first_told_;
  std::int64_t begin_ = 0;     // of the samples that are counted
  std::uint64_t samples_ = 0;  // since then
};

}  // namespace gxr::media
