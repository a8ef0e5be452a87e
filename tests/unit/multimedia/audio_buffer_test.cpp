#include "gxr/multimedia/audio_buffer.hpp"

#include <limits>
#include <vector>

#include "catch.hpp"
#include "gxr/gxr.hpp"
#include "gxr/multimedia/camera.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("A sound's memory holds all samples of all channels", "[multimedia]") {
  harness::Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("memory/pool");
  AudioBuffer audio;
  audio.resize(allocator, {2, 480, 48000, 0, AudioFormat::F32Le, AudioLayout::Interleaved});
  CHECK(audio.size() == 2 * 480 * 4);
  CHECK(audio.info().bytes_per_sample == 4);
  CHECK_THROWS_WITH(
      audio.resize(allocator, {2, 480, 48000, 4, AudioFormat::S16Le, AudioLayout::Interleaved}),
      ContainsSubstring("has 2 bytes, not 4"));
  CHECK_THROWS_WITH(
      audio.resize(allocator, {2, 0, 48000, 2, AudioFormat::S16Le, AudioLayout::Interleaved}),
      ContainsSubstring("is empty"));
  CHECK_THROWS_WITH(
      audio.resize(allocator, {2, 480, 48000, 2, AudioFormat::S16Le, AudioLayout::Custom}),
      ContainsSubstring("no known size"));
  CHECK(audio.size() == 2 * 480 * 4);
}

TEST_CASE("Wrapped sounds must lie within their memory", "[multimedia]") {
  std::vector<char> bytes(100);
  AudioBuffer audio;
  AudioBufferInfo info{1, 33, 8000, 3, AudioFormat::Custom, AudioLayout::Custom};
  audio.wrap(info, 100, MemoryStorageType::System, bytes.data(), nullptr, nullptr);
  CHECK(audio.info().size() == 99);
  info.samples = 34;
  CHECK_THROWS_WITH(
      audio.wrap(info, 100, MemoryStorageType::System, bytes.data(), nullptr, nullptr),
      ContainsSubstring("need 102 bytes, there are 100"));
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  info = {kMost, kMost, 1, kMost, AudioFormat::Custom, AudioLayout::Custom};
  CHECK(info.size() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("A sound tells the owner of its memory to whom gives it back", "[multimedia]") {
  std::vector<char> bytes(99);
  int owner = 0;
  const auto release = +[](void*, void*) noexcept {};
  AudioBuffer audio;
  audio.wrap({1, 33, 8000, 3, AudioFormat::Custom, AudioLayout::Custom}, bytes.size(),
             MemoryStorageType::System, bytes.data(), &owner, release);
  CHECK(audio.owner_for(release) == &owner);
  CHECK(audio.owner_for(Allocator::release) == nullptr);
}

TEST_CASE("Camera and pose are parts of messages under GXF's ids", "[multimedia]") {
  harness::Harness harness;
  Message message = harness.new_message();
  message.add<CameraModel>("camera").dimensions = {640, 480};
  message.add<Pose3D>("pose").translation = {1, 2, 3};
  CHECK(message.get<CameraModel>().dimensions[1] == 480);
  CHECK(message.begin()[0].id == TypeId{0xbac444bdf13b4927, 0x85c1db5e1947f890});
  CHECK(message.begin()[1].id == TypeId{0xda8387d9d8ab425f, 0x909b814694f148ef});
}
