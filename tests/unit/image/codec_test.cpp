#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/timestamp.hpp"
#include "image/decoder.hpp"
#include "image/encoder.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

template <class T>
Bytes encode(const Shape& shape, const std::vector<T>& pixels, const char* codec) {
  Rig rig;
  auto& encoder = rig.add<Encoder>({{"in", "in"}, {"out", "out"}, {"codec", codec}});
  const Message file = rig.run(encoder, rig.picture<T>(shape, pixels));
  CHECK(file.find<Tensor>("image") == nullptr);
  const auto& bytes = file.get<Tensor>("data");
  REQUIRE(bytes.shape().rank() == 1);
  return values<std::uint8_t>(bytes);
}

struct Decoding {
  Rig rig;
  Decoder& decoder = rig.add<Decoder>({{"in", "in"}, {"out", "out"}, {"pool", "pool"}});

  /// A null message when it was dropped.
  Message run(const Bytes& file) {
    const Shape shape{static_cast<std::int32_t>(file.size())};
    Message message = rig.picture<std::uint8_t>(shape, file, "data");
    message.add<Timestamp>("timestamp", Timestamp{3, 5});
    message.add<std::int32_t>("number", 7);
    return rig.run(decoder, std::move(message));
  }
};

}  // namespace

TEST_CASE("Encoder and Decoder keep a picture, and Decoder what comes with it", "[image]") {
  const Words pixels{0, 1, 256, 65535, 40000, 7};
  const Bytes file = encode<std::uint16_t>({1, 2, 3}, pixels, "png");
  Decoding decoding;
  const Message message = decoding.run(file);
  const auto& picture = message.get<Tensor>("image");
  CHECK(picture.shape() == Shape{1, 2, 3});
  CHECK(values<std::uint16_t>(picture) == pixels);
  CHECK(message.get<Timestamp>().acqtime == 5);
  CHECK(message.get<std::int32_t>("number") == 7);
  CHECK(message.find<Tensor>("data") == nullptr);
}

TEST_CASE("JPEG comes near to the picture", "[image]") {
  Decoding decoding;
  const Message message = decoding.run(encode<std::uint8_t>({8, 8, 1}, Bytes(64, 200), "jpeg"));
  const auto& picture = message.get<Tensor>("image");
  CHECK(picture.shape() == Shape{8, 8, 1});
  for (const std::uint8_t value : values<std::uint8_t>(picture)) {
    CHECK(std::max<int>(value, 200) - std::min<int>(value, 200) <= 2);
  }
}

TEST_CASE("Decoder drops what is no picture", "[image]") {
  Bytes file = encode<std::uint8_t>({8, 8, 3}, Bytes(192, 200), "png");
  Decoding decoding;
  CHECK_FALSE(decoding.run({1, 2, 3, 4}));
  CHECK_FALSE(decoding.run({}));
  file.resize(file.size() / 2);
  CHECK_FALSE(decoding.run(file));
  CHECK_THROWS_WITH(
      decoding.rig.run(decoding.decoder, decoding.rig.picture<std::uint8_t>({2, 2}, Bytes(4))),
      ContainsSubstring("wanted the bytes of a picture file, uint8 with one dimension, got"));
}

TEST_CASE("Encoder refuses what a codec cannot hold", "[image]") {
  CHECK_THROWS_WITH(encode<std::uint16_t>({1, 1, 3}, Words(3), "jpeg"),
                    ContainsSubstring("8 bits and 1 or 3 channels"));
  CHECK_THROWS_WITH(encode<std::uint8_t>({1, 1, 4}, Bytes(4), "jpeg"),
                    ContainsSubstring("8 bits and 1 or 3 channels"));
}
