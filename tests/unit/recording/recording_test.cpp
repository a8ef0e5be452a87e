#include "gxr/serialization/recording.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/gxr.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "tests/unit/registry/temporary_folder.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::test::TemporaryFolder;

namespace {

/// Serializers of one entity and a buffer that they write to.
struct Rig {
  Rig() { harness.initialize(); }

  Message through(const Message& message) {
    size = entities.serialize(message, buffer);
    REQUIRE(buffer.readable() == size);
    return entities.deserialize(buffer);
  }

  harness::Harness harness;
  UnboundedAllocator& allocator = harness.add<UnboundedAllocator>("rig/allocator");
  StdComponentSerializer& components =
      harness.add<StdComponentSerializer>("rig/components", {{"allocator", "allocator"}});
  StdEntitySerializer& entities =
      harness.add<StdEntitySerializer>("rig/entities", {{"component_serializers", "[components]"}});
  SerializationBuffer& buffer = harness.add<SerializationBuffer>(
      "rig/buffer", {{"allocator", "allocator"}, {"buffer_size", "20000"}});
  std::uint64_t size = 0;
};

void fill(Tensor& tensor) {
  auto* bytes = static_cast<std::uint8_t*>(tensor.pointer());
  std::iota(bytes, bytes + tensor.size(), std::uint8_t{0});
}

std::uint64_t file_size(const std::string& path) { return std::filesystem::file_size(path); }

}  // namespace

TEST_CASE("A tensor of a video frame takes the bytes that GXF gives it", "[recording]") {
  Rig rig;
  Message frame = rig.harness.new_message();
  frame.add<Tensor>().allocate<std::uint8_t>(rig.allocator, {8, 5, 3});
  fill(frame.make_writable<Tensor>());
  const Message copy = rig.through(frame);
  CHECK(rig.size == 40 + 32 + 0 + 116 + 120);
  const auto& tensor = copy.get<Tensor>();
  CHECK(tensor.shape() == Shape{8, 5, 3});
  CHECK(std::memcmp(tensor.pointer(), frame.get<Tensor>().pointer(), 120) == 0);
}

TEST_CASE("The headers are packed and little-endian", "[recording]") {
  EntityHeader entity;
  entity.sequence_number = 0x0102;
  entity.component_count = 3;
  const auto bytes = encode(entity);
  CHECK(bytes[12] == std::byte{2});
  CHECK(bytes[13] == std::byte{1});
  CHECK(bytes[24] == std::byte{3});
  CHECK(decode_entity_header(bytes.data()).sequence_number == 0x0102);

  TensorHeader tensor;
  tensor.rank = 2;
  tensor.dimensions = {7, 9};
  tensor.strides = {72, 8};
  const auto packed = encode(tensor);
  CHECK(packed[16] == std::byte{2});
  CHECK(packed[24] == std::byte{9});
  CHECK(packed[52] == std::byte{72});
  CHECK(decode_tensor_header(packed.data()).strides[1] == 8);
}

TEST_CASE("A recorded storage type survives, wherever the tensor lives", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  auto& tensor = message.add<Tensor>("t");
  tensor.allocate<float>(rig.allocator, {2});
  CHECK(tensor.recorded_storage_type() == MemoryStorageType::System);
  tensor.set_recorded_storage_type(MemoryStorageType::Device);
  const Message copy = rig.through(message);
  CHECK(copy.get<Tensor>("t").storage_type() == MemoryStorageType::System);
  CHECK(copy.get<Tensor>("t").recorded_storage_type() == MemoryStorageType::Device);
}

TEST_CASE("Elements with gaps between them are recorded without", "[recording]") {
  Rig rig;
  std::array<std::uint16_t, 12> memory{};
  std::iota(memory.begin(), memory.end(), std::uint16_t{0});
  const Strides strides{8, 2};
  Message message = rig.harness.new_message();
  message.add<Tensor>().wrap(memory.data(), {3, 2}, ElementType::UInt16, MemoryStorageType::System,
                             nullptr, nullptr, 0, &strides);
  const Message copy = rig.through(message);
  const auto& tensor = copy.get<Tensor>();
  const std::vector<std::uint16_t> values(tensor.data<std::uint16_t>(),
                                          tensor.data<std::uint16_t>() + 6);
  CHECK(values == std::vector<std::uint16_t>{0, 1, 4, 5, 8, 9});
  CHECK(tensor.is_contiguous());
}

TEST_CASE("Dimensions in another order keep it", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<std::uint8_t>(rig.allocator, {2, 3});
  fill(tensor);
  tensor.permute({1, 0});
  const Message copy = rig.through(message);
  CHECK(copy.get<Tensor>().shape() == Shape{3, 2});
  CHECK(copy.get<Tensor>().stride(0) == 1);
  CHECK(copy.get<Tensor>().stride(1) == 3);
}

TEST_CASE("Empty and scalar tensors are recorded too", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  message.add<Tensor>("never allocated");
  message.add<Tensor>("nothing").allocate<float>(rig.allocator, {0, 4});
  message.add<Tensor>("scalar").allocate<double>(rig.allocator, Shape{});
  *message.make_writable<Tensor>("scalar").data<double>() = 2.5;
  const Message copy = rig.through(message);
  CHECK(copy.get<Tensor>("never allocated").pointer() == nullptr);
  CHECK(copy.get<Tensor>("nothing").shape() == Shape{0, 4});
  CHECK(*copy.get<Tensor>("scalar").data<double>() == 2.5);
}

TEST_CASE("Pictures and sounds come back from their tensors", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  auto& video = message.add<VideoBuffer>("camera");
  video.resize(rig.allocator, VideoFormat::Yuv420, 10, 6);
  std::memset(video.pointer(), 7, video.size());
  auto& audio = message.add<AudioBuffer>("microphone");
  audio.resize(rig.allocator, {2, 8, 48000, 0, AudioFormat::S16Le, AudioLayout::Interleaved});
  std::memset(audio.pointer(), 9, audio.size());
  const Message copy = rig.through(message);
  REQUIRE(copy.size() == 2);
  const auto& picture = copy.get<VideoBuffer>("camera");
  CHECK(picture.info().format == VideoFormat::Yuv420);
  CHECK(picture.info().width == 10);
  REQUIRE(picture.info().color_planes.size() == 3);
  CHECK(picture.info().color_planes[2].color_space == "V1");
  CHECK(picture.info().color_planes[2].offset == video.info().color_planes[2].offset);
  CHECK(std::memcmp(picture.pointer(), video.pointer(), video.size()) == 0);
  const auto& sound = copy.get<AudioBuffer>("microphone");
  CHECK(sound.info().sampling_rate == 48000);
  CHECK(std::memcmp(sound.pointer(), audio.pointer(), audio.size()) == 0);
}

TEST_CASE("Readers that know tensors alone find tensors of bytes", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  message.add<AudioBuffer>("m").resize(
      rig.allocator, {1, 4, 8000, 0, AudioFormat::S16Le, AudioLayout::Interleaved});
  rig.size = rig.entities.serialize(message, rig.buffer);
  const ComponentHeader header = decode_component_header(rig.buffer.data() + 40);
  CHECK(header.type == TypeIdOf<Tensor>::value);
  CHECK(header.name_size == std::string("gxr.AudioBuffer:m").size());
  const TensorHeader tensor = decode_tensor_header(rig.buffer.data() + 72 + header.name_size);
  CHECK(tensor.dimensions[0] == 16 + 28 + 8);
  CHECK(rig.size == 40 + 32 + header.name_size + 116 + 52);
}

TEST_CASE("A tensor that only has the name of a picture stays a tensor", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  auto& tensor = message.add<Tensor>("gxr.VideoBuffer:x");
  tensor.allocate<std::uint8_t>(rig.allocator, {2000});
  fill(tensor);
  message.add<Tensor>("gxr.VideoBuffer:y").allocate<std::uint8_t>(rig.allocator, {3});
  const Message copy = rig.through(message);
  REQUIRE(copy.find<Tensor>("gxr.VideoBuffer:x") != nullptr);
  CHECK(std::memcmp(copy.get<Tensor>("gxr.VideoBuffer:x").pointer(), tensor.pointer(), 2000) == 0);
  CHECK(copy.find<Tensor>("gxr.VideoBuffer:y") != nullptr);
}

TEST_CASE("Parts that nobody knows are left out with a warning", "[recording]") {
  struct Unknown {};
  Rig rig;
  Message message = rig.harness.new_message();
  message.add<Unknown>("u");
  message.add<std::int32_t>("n", 5);
  const Message copy = rig.through(message);
  CHECK(copy.size() == 1);
  CHECK(copy.get<std::int32_t>("n") == 5);
  REQUIRE(rig.harness.logged().size() == 1);
  CHECK_THAT(rig.harness.logged()[0].text, ContainsSubstring("part 'u'"));
}

TEST_CASE("The id serializer passes the message itself, once", "[recording]") {
  Rig rig;
  auto& ids = rig.harness.add<StdEntityIdSerializer>("rig/ids");
  rig.harness.initialize();
  const Message message = rig.harness.new_message();
  CHECK(ids.serialize(message, rig.buffer) == 16);
  const std::vector<std::byte> words(rig.buffer.data(), rig.buffer.data() + 16);
  CHECK(ids.deserialize(rig.buffer) == message);
  rig.buffer.write(words.data(), words.size());
  CHECK_THROWS_WITH(ids.deserialize(rig.buffer), ContainsSubstring("is under way"));
}

TEST_CASE("A buffer that is full says so and keeps its content", "[recording]") {
  Rig rig;
  const std::vector<char> much(20001);
  CHECK_THROWS_WITH(rig.buffer.write(much.data(), much.size()),
                    ContainsSubstring("no room for 20001 bytes"));
  rig.buffer.write(much.data(), 20000);
  CHECK(rig.buffer.readable() == 20000);
  rig.buffer.reset();
  CHECK(rig.buffer.readable() == 0);
}

TEST_CASE("A file reads what it wrote, in its modes", "[recording]") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "f").string();
  File file;
  CHECK_THROWS_WITH(file.open(path, "rb"), ContainsSubstring("cannot open '" + path + "'"));
  CHECK_THROWS_WITH(file.open(path, "x"), ContainsSubstring("'x' is no file mode"));
  file.open(path, "wb+");
  file.write("abcdef", 6);
  file.seek(2);
  std::array<char, 8> got{};
  CHECK(file.readable() == 4);
  CHECK(file.read(got.data(), 8) == 4);
  CHECK(std::string(got.data()) == "cdef");
  CHECK(file.position() == 6);
  CHECK(file.path() == path);
  file.close();
  CHECK_THROWS_WITH(file.write("x", 1), ContainsSubstring("no file is open"));
  CHECK_THROWS_WITH(static_cast<void>(file.position()), ContainsSubstring("no file is open"));
  CHECK_THROWS_WITH(static_cast<void>(file.path()), ContainsSubstring("no file is open"));
  file.open(path, "ab");
  file.write("gh", 2);
  file.close();
  CHECK(file_size(path) == 8);
}

TEST_CASE("Large and small entities are read back from files by number", "[recording]") {
  const TemporaryFolder folder;
  Rig rig;
  const RecordingPaths paths(folder.path().string(), "r");
  RecordingWriter writer(paths);
  for (const std::int32_t size : {10, 300000, 70000, 1, 0}) {
    Message message = rig.harness.new_message();
    message.set_source_time(1000 + size);
    message.add<Tensor>().allocate<std::uint8_t>(rig.allocator, {size});
    fill(message.make_writable<Tensor>());
    writer.write(message, rig.entities, LogTime::Source);
  }
  writer.close();
  CHECK(file_size(paths.index) == 5 * 24);
  RecordingReader reader(paths);
  REQUIRE(reader.size() == 5);
  for (const std::uint64_t entity : {4U, 1U, 2U, 0U, 3U}) {
    const Message message = reader.read(entity, rig.entities);
    const auto& tensor = message.get<Tensor>();
    CHECK(message.source_time() == 1000 + tensor.shape().dimension(0));
    CHECK(message.sequence() == entity);
    const auto* bytes = static_cast<const std::uint8_t*>(tensor.pointer());
    for (std::uint64_t i = 0; i < tensor.size(); ++i) {
      REQUIRE(bytes[i] == static_cast<std::uint8_t>(i));
    }
  }
}

TEST_CASE("Each entity and its index record are in the files when its write returns",
          "[recording]") {
  const TemporaryFolder folder;
  Rig rig;
  const RecordingPaths paths(folder.path().string(), "r");
  RecordingWriter writer(paths);
  std::uintmax_t end = 0;
  for (const std::int32_t size : {10, 60000, 300000, 0, 1, 3000000, 5}) {
    Message message = rig.harness.new_message();
    message.add<Tensor>().allocate<std::uint8_t>(rig.allocator, {size});
    message.add<std::int32_t>("behind the tensor", size);
    writer.write(message, rig.entities, LogTime::Now);
    CHECK(file_size(paths.index) == writer.entities() * IndexRecord::kSize);
    const std::uintmax_t before = std::exchange(end, file_size(paths.entities));
    CHECK(end > before + static_cast<std::uintmax_t>(size));
  }
  writer.close();
  CHECK(file_size(paths.entities) == end);
}

TEST_CASE("What a serializer left half written is not in the recording", "[recording]") {
  class Failing final : public EntitySerializer {
   public:
    std::uint64_t serialize(const Message&, Endpoint& endpoint) override {
      const std::vector<char> bytes(size);
      endpoint.write(bytes.data(), bytes.size());
      if (fails) {
        throw Error("half way");
      }
      return bytes.size();
    }
    Message deserialize(Endpoint&) override { return {}; }
    std::size_t size = 100;
    bool fails = false;
  };
  const std::size_t half = GENERATE(std::size_t{100}, std::size_t{200000});
  const TemporaryFolder folder;
  harness::Harness harness;
  Failing serializer;
  const RecordingPaths paths(folder.path().string(), "r");
  RecordingWriter writer(paths);
  const Message message = harness.new_message();
  writer.write(message, serializer, LogTime::Now);
  serializer.fails = true;
  serializer.size = half;
  CHECK_THROWS_WITH(writer.write(message, serializer, LogTime::Now), "half way");
  serializer.fails = false;
  serializer.size = 50;
  writer.write(message, serializer, LogTime::Now);
  writer.close();
  CHECK(file_size(paths.entities) == 150);
  RecordingReader reader(paths);
  REQUIRE(reader.size() == 2);
  CHECK(reader.record(1).data_offset == 100);
}

TEST_CASE("Damaged headers are refused before anything is allocated", "[recording]") {
  Rig rig;
  Message message = rig.harness.new_message();
  message.add<Tensor>("ab").allocate<std::uint8_t>(rig.allocator, {4, 4});
  rig.entities.serialize(message, rig.buffer);
  std::vector<std::byte> bytes(rig.buffer.data(), rig.buffer.data() + rig.buffer.readable());
  const auto damaged = [&](std::size_t offset, std::uint64_t value, std::size_t size) {
    std::vector<std::byte> copy = bytes;
    std::memcpy(copy.data() + offset, &value, size);
    rig.buffer.reset();
    rig.buffer.write(copy.data(), copy.size());
    try {
      rig.entities.deserialize(rig.buffer);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::InvalidData);
      return error.message();
    }
    return std::string("no error");
  };
  constexpr std::size_t kTensor = 40 + 32 + 2;
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  CHECK_THAT(damaged(24, kHuge, 8), ContainsSubstring("components, which do not fit"));
  CHECK_THAT(damaged(40 + 24, kHuge, 8), ContainsSubstring("the name of a component cannot have"));
  CHECK_THAT(damaged(40 + 24, 4000, 8), ContainsSubstring("is cut off"));
  CHECK_THAT(damaged(40 + 8, 1, 8), ContainsSubstring("no component serializer knows"));
  CHECK_THAT(damaged(kTensor, 3, 4), ContainsSubstring("no storage type 3"));
  CHECK_THAT(damaged(kTensor + 4, 99, 4), ContainsSubstring("no element type 99"));
  CHECK_THAT(damaged(kTensor + 8, kHuge, 8), ContainsSubstring("too large"));
  CHECK_THAT(damaged(kTensor + 8, 0, 8), ContainsSubstring("cannot have 0 bytes"));
  CHECK_THAT(damaged(kTensor + 16, 9, 4), ContainsSubstring("its rank is 9"));
  CHECK_THAT(damaged(kTensor + 20, 0x7fffffff, 4), ContainsSubstring("are left"));
  CHECK_THAT(damaged(kTensor + 20, 0xffffffff, 4), ContainsSubstring("negative"));
  CHECK_THAT(damaged(kTensor + 52, kHuge, 8), ContainsSubstring("strides reach beyond"));
  CHECK(damaged(0, kHuge, 8) == "no error");  // serialized_size is not used
}
