#include "dds/message_codec.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dds/cdr_writer.hpp"
#include "dds/parts.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"
#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace gxr::dds;

template <class T>
Tensor tensor_of(std::vector<T>& values, const Shape& shape, const Strides* strides = nullptr) {
  Tensor tensor;
  tensor.wrap(values.data(), shape, ElementTypeOf<T>::value, MemoryStorageType::System, nullptr,
              nullptr, 0, strides);
  return tensor;
}

Message decoded(harness::Harness& harness, const Message& message) {
  Message result = harness.new_message();
  decode_message(take_bytes(encode_message(message)), result);
  return result;
}

/// Why a sample is no message; empty: it is one.
std::string reason_of(harness::Harness& harness, const SharedBytes& sample) {
  Message message = harness.new_message();
  try {
    decode_message(sample, message);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::InvalidData);
    return error.message();
  }
  return {};
}

struct Unknown {};

}  // namespace

namespace gxr {
template <>
struct TypeIdOf<Unknown> {
  static constexpr TypeId value{0x1, 0x2};
};
}  // namespace gxr

namespace {

TEST_CASE("a message comes back as it was") {
  harness::Harness harness;
  harness.initialize();
  std::vector<float> values(6000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  Message message = harness.new_message();
  message.set_source_time(-5);
  message.set_sequence(9);
  message.add<Tensor>("grid", tensor_of(values, Shape{60, 100}));
  message.add<Timestamp>("timestamp", Timestamp{1, 2});
  message.add<bool>("discontinuity", true);
  message.add<double>("gain", 2.5);
  message.add<std::int16_t>("step", std::int16_t{-3});
  message.add<Text>("frame_id", Text{"camera"});

  const Message back = decoded(harness, message);
  CHECK(back.source_time() == -5);
  CHECK(back.sequence() == 9);
  CHECK(back.size() == 6);
  const auto& grid = back.get<Tensor>("grid");
  CHECK(grid.shape() == Shape{60, 100});
  CHECK(grid.data<float>()[5999] == 5999.0F);
  CHECK(reinterpret_cast<std::uintptr_t>(grid.pointer()) % 64 == 0);
  CHECK(back.get<Timestamp>("timestamp").acqtime == 2);
  CHECK(back.get<bool>("discontinuity"));
  CHECK(back.get<double>("gain") == 2.5);
  CHECK(back.get<std::int16_t>("step") == -3);
  CHECK(back.get<Text>("frame_id").value == "camera");
}

TEST_CASE("a tensor with gaps travels without them") {
  harness::Harness harness;
  harness.initialize();
  std::vector<std::uint8_t> memory(4 * 5 * 6);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<std::uint8_t>(i);
  }
  const Strides strides{30, 6, 2};  // each second of three, of rows of five, of four
  Message message = harness.new_message();
  message.add<Tensor>("t", tensor_of(memory, Shape{4, 5, 3}, &strides));
  const Message back = decoded(harness, message);
  const auto& tensor = back.get<Tensor>("t");
  CHECK(tensor.is_contiguous());
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::uint32_t from = i / 15 * 30 + i / 3 % 5 * 6 + i % 3 * 2;
    CHECK(tensor.data<std::uint8_t>()[i] == from);
  }
}

TEST_CASE("tensors without elements travel, too") {
  harness::Harness harness;
  harness.initialize();
  std::vector<float> one(1, 4.0F);
  Message message = harness.new_message();
  message.add<Tensor>("scalar", tensor_of(one, Shape{}));
  message.add<Tensor>("none", tensor_of(one, Shape{0, 3}));
  message.add<Tensor>("empty");
  const Message back = decoded(harness, message);
  CHECK(back.get<Tensor>("scalar").data<float>()[0] == 4.0F);
  CHECK(back.get<Tensor>("none").shape() == Shape{0, 3});
  CHECK(back.get<Tensor>("empty").size() == 0);
}

TEST_CASE("a picture comes back with its planes") {
  harness::Harness harness;
  harness.initialize();
  const VideoBufferInfo info = video_layout(VideoFormat::Nv12, 32, 16);
  std::vector<std::uint8_t> memory(info.size(), 3);
  Message message = harness.new_message();
  VideoBuffer picture;
  picture.wrap(info, memory.size(), MemoryStorageType::System, memory.data(), nullptr, nullptr);
  message.add<VideoBuffer>("image", std::move(picture));
  const Message back = decoded(harness, message);
  const auto& copy = back.get<VideoBuffer>("image");
  CHECK(copy.info().format == VideoFormat::Nv12);
  REQUIRE(copy.info().color_planes.size() == 2);
  CHECK(copy.info().color_planes[1].offset == info.color_planes[1].offset);
  CHECK(std::memcmp(copy.pointer(), memory.data(), memory.size()) == 0);
}

/// A picture in RGB as another program may send it.
SharedBytes sample_of_picture(std::uint32_t width, std::uint32_t height, std::uint32_t of_plane,
                              const std::string& name) {
  constexpr std::uint32_t kSide = 4;
  CdrWriter writer;
  writer.number(std::int64_t{0});
  writer.number(std::uint64_t{0});
  writer.number(std::uint32_t{0});  // tensors
  writer.number(std::uint32_t{1});
  writer.text(name);
  writer.number(static_cast<std::int64_t>(VideoFormat::Rgb));
  writer.number(width);
  writer.number(height);
  writer.number(std::uint32_t{1});
  writer.text("RGB");
  writer.number(std::uint8_t{3});
  writer.number(3 * kSide);         // stride
  writer.number(std::uint32_t{0});  // offset
  writer.number(of_plane);
  writer.number(of_plane);
  writer.number(std::uint64_t{0});
  writer.number(std::uint64_t{3 * kSide * kSide});
  for (int i = 0; i < 4; ++i) {
    writer.number(std::uint32_t{0});  // timestamps, numbers, texts, padding
  }
  const std::vector<std::uint8_t> data(3 * kSide * kSide, 7);
  writer.length(data.size());
  writer.block(data.data(), 1, data.size());
  return writer.finish();
}

TEST_CASE("a picture must lie in its planes") {
  harness::Harness harness;
  harness.initialize();
  const auto reason = [&](const SharedBytes& sample) { return reason_of(harness, sample); };
  CHECK(reason(sample_of_picture(4, 4, 4, "p")).empty());
  for (const auto& [width, height] :
       {std::pair{4U, 5U}, std::pair{5U, 4U}, std::pair{4000U, 4000U}}) {
    CHECK_THAT(reason(sample_of_picture(width, height, 4, "p")),
               Catch::Matchers::ContainsSubstring(
                   "the Picture 'p' of a message has a plane 0 that is not right for its format, "
                   "width and height"));
  }
  CHECK_THAT(reason(sample_of_picture(0, 4, 4, "p")),
             Catch::Matchers::ContainsSubstring("cannot be taken"));
}

TEST_CASE("names of others are short and not without number") {
  harness::Harness harness;
  harness.initialize();
  const auto take = [&](const std::string& name) {
    Message message = harness.new_message();
    decode_message(sample_of_picture(4, 4, 4, name), message);
  };
  take(std::string(256, 'x'));
  CHECK_THROWS_WITH(
      take(std::string(257, 'x')),
      Catch::Matchers::ContainsSubstring("a name in the message has 257 bytes; 256 are the most"));
  std::string reason;
  std::thread other([&] {  // each thread has names of its own
    take(std::string(256, 'y'));
    try {
      for (int i = 0; i < 70000; ++i) {
        take("name" + std::to_string(i));
      }
    } catch (const Error& error) {
      reason = error.message();
    }
    take(std::string(256, 'y'));  // known
  });
  other.join();
  CHECK_THAT(reason, Catch::Matchers::ContainsSubstring(
                         "'name65535' of a message cannot be taken: the message has a new name, "
                         "after 65536 others"));
}

TEST_CASE("the pattern of a mosaic travels with its picture") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  message.add<image::BayerPattern>({}, image::BayerPattern{kernels::BayerPattern::kGrbg});
  message.add<std::uint8_t>("level", std::uint8_t{9});
  const Message back = decoded(harness, message);
  CHECK(back.size() == 2);
  CHECK(back.get<image::BayerPattern>().layout == kernels::BayerPattern::kGrbg);
  CHECK(back.get<std::uint8_t>("level") == 9);

  Message wrong = harness.new_message();
  wrong.add<std::uint8_t>("gxr::image::BayerPattern", std::uint8_t{4});
  CHECK_THROWS_WITH(decoded(harness, wrong),
                    Catch::Matchers::ContainsSubstring("is no pattern of a mosaic: 4"));
}

TEST_CASE("a part of another type is refused by its name") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  message.add<Unknown>("odd");
  CHECK_THROWS_WITH(encode_message(message),
                    Catch::Matchers::ContainsSubstring("part 'odd'") &&
                        Catch::Matchers::ContainsSubstring("cannot be sent"));
}

TEST_CASE("bytes are taken without a copy by the last who has them") {
  auto bytes = std::make_shared<SampleBytes>(8);
  const auto* const memory = bytes.get();
  const SharedBytes other = bytes;
  SharedBytes copy = take_bytes(std::move(bytes));
  CHECK(copy.get() != memory);
  CHECK(take_bytes(std::move(copy)).get() != memory);
  SharedBytes last = other;
  CHECK(last.use_count() == 2);
}

/// A message with so many equal tensors, by hand.
SharedBytes with_tensor(std::int32_t element_type, std::uint64_t bytes,
                        const std::vector<std::int32_t>& shape, std::uint64_t offset,
                        std::uint32_t size, std::uint32_t count = 1) {
  CdrWriter writer;
  writer.number(std::int64_t{0});
  writer.number(std::uint64_t{0});
  writer.number(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    writer.text("t" + std::to_string(i));
    writer.number(element_type);
    writer.number(bytes);
    writer.number(static_cast<std::uint32_t>(shape.size()));
    for (const std::int32_t dimension : shape) {
      writer.number(dimension);
    }
    writer.number(offset);
  }
  for (int i = 0; i < 5; ++i) {  // pictures, timestamps, numbers, texts, padding
    writer.number(std::uint32_t{0});
  }
  writer.number(size);
  const std::vector<std::byte> data(size);
  writer.block(data.data(), 1, size);
  return writer.finish();
}

TEST_CASE("a tensor that cannot be is refused") {
  harness::Harness harness;
  harness.initialize();
  const auto reason = [&](const SharedBytes& sample) { return reason_of(harness, sample); };
  using Catch::Matchers::ContainsSubstring;
  constexpr std::int32_t kFloat = 9;
  CHECK(reason(with_tensor(kFloat, 4, {2, 3}, 0, 24)).empty());
  CHECK(reason(with_tensor(kFloat, 4, {2, 3}, 8, 32)).empty());  // not aligned: a copy
  // Copies that are larger than the message: 24 bytes each of 32.
  CHECK_THAT(reason(with_tensor(kFloat, 4, {2, 3}, 8, 32, 2)),
             ContainsSubstring("lie over each other"));
  CHECK_THAT(reason(with_tensor(kFloat, 4, {2, 3}, 4, 24)), ContainsSubstring("is not within"));
  CHECK_THAT(reason(with_tensor(kFloat, 4, {2, 3}, ~0ULL, 24)), ContainsSubstring("is not within"));
  CHECK_THAT(reason(with_tensor(kFloat, 8, {2, 3}, 0, 48)), ContainsSubstring("with 8 bytes each"));
  CHECK_THAT(reason(with_tensor(kFloat, 0, {2}, 0, 8)), ContainsSubstring("with 0 bytes each"));
  CHECK_THAT(reason(with_tensor(99, 4, {2}, 0, 8)), ContainsSubstring("type 99"));
  CHECK_THAT(reason(with_tensor(kFloat, 4, {-1}, 0, 8)), ContainsSubstring("no right shape"));
  CHECK_THAT(reason(with_tensor(0, 1ULL << 62, {2, 2}, 0, 8)), ContainsSubstring("is not within"));
  CHECK_THAT(reason(with_tensor(kFloat, 4, std::vector<std::int32_t>(9, 1), 0, 8)),
             ContainsSubstring("9 dimensions"));
}

}  // namespace
