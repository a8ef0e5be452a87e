#include "media/incoming_sound.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/message.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using gxr::AudioBuffer;
using gxr::AudioBufferInfo;
using gxr::AudioFormat;
using gxr::AudioLayout;
using gxr::media::SoundClock;

AudioBufferInfo info_of(std::uint32_t channels, std::uint32_t samples, AudioLayout layout) {
  return {channels, samples, 1000, 2, AudioFormat::S16Le, layout};
}

gxr::Message message_of(gxr::harness::Harness& harness, const AudioBufferInfo& info,
                        std::vector<std::int16_t>& samples) {
  gxr::Message message = harness.new_message();
  message.add<AudioBuffer>("sound").wrap(info, samples.size() * 2, gxr::MemoryStorageType::System,
                                         samples.data(), nullptr, nullptr);
  return message;
}

std::vector<std::int16_t> samples_of(const gxr::media::IncomingSound& sound) {
  const auto* const first = reinterpret_cast<const std::int16_t*>(sound.data);
  return {first, first + sound.bytes / 2};
}

}  // namespace

TEST_CASE("sound is taken as it is, or its channels are put side by side", "[media][sound]") {
  gxr::harness::Harness harness;
  std::vector<std::int16_t> samples{1, 2, 3, 4, 5, 6};
  const auto straight = gxr::media::sound_in(
      message_of(harness, info_of(2, 3, AudioLayout::Interleaved), samples), "");
  CHECK(samples_of(straight) == samples);
  CHECK(static_cast<const void*>(straight.data) == samples.data());
  const auto apart = gxr::media::sound_in(
      message_of(harness, info_of(2, 3, AudioLayout::NonInterleaved), samples), "sound");
  CHECK(samples_of(apart) == std::vector<std::int16_t>{1, 4, 2, 5, 3, 6});
  CHECK(apart.info.layout == AudioLayout::Interleaved);
  AudioBufferInfo unknown = info_of(2, 3, AudioLayout::Interleaved);
  unknown.sampling_rate = 0;
  CHECK_THROWS_WITH(gxr::media::sound_in(message_of(harness, unknown, samples), ""),
                    ContainsSubstring("wanted sound of S16LE or F32LE"));
  CHECK_THROWS_WITH(
      gxr::media::sound_in(message_of(harness, info_of(1, 6, AudioLayout::Interleaved), samples),
                           "other"),
      ContainsSubstring("other"));
}

TEST_CASE("pieces of sound follow each other by their samples", "[media][sound]") {
  constexpr std::int64_t kMs = 1'000'000;
  const AudioBufferInfo piece = info_of(1, 100, AudioLayout::Interleaved);  // 100 ms
  SoundClock untold;
  CHECK(untold.time_of(piece, std::nullopt) == 0);
  CHECK(untold.time_of(piece, std::nullopt) == 100 * kMs);
  SoundClock told;
  CHECK(told.time_of(piece, 5000 * kMs) == 0);
  CHECK(told.time_of(piece, 5103 * kMs) == 100 * kMs);
  CHECK(told.time_of(piece, 5197 * kMs) == 200 * kMs);
  CHECK(told.time_of(piece, 5500 * kMs) == 500 * kMs);  // a gap
  CHECK(told.time_of(piece, 5601 * kMs) == 600 * kMs);
  CHECK(told.time_of(piece, 5000 * kMs) == 700 * kMs);  // times that do not grow
  CHECK(told.time_of(piece, std::nullopt) == 800 * kMs);
}
