#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "image/black_level.hpp"
#include "image/npp.hpp"
#include "image/raw_unpack.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Words = std::vector<std::uint16_t>;
using Bytes = std::vector<std::uint8_t>;

Rig::Parameters ports_and(Rig::Parameters more) {
  more.insert(more.end(), {{"in", "in"}, {"out", "out"}, {"pool", "pool"}});
  return more;
}

}  // namespace

TEST_CASE("RawUnpack makes pixels and passes the rest of the message on", "[image]") {
  Rig rig;
  auto& unpack = rig.add<RawUnpack>(ports_and({{"format", "RAW12"}, {"width", "2"}}));
  // The last byte of each row is no pixel.
  Message packed = rig.picture<std::uint8_t>({2, 4}, {0x12, 0xab, 0xc3, 9, 0xff, 0x00, 0x1e, 9});
  packed.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kGbrg});
  packed.add<int>("number", 7);
  packed.set_sequence(5);
  const Message out = rig.run(unpack, std::move(packed));
  REQUIRE(out);
  CHECK(out.get<Tensor>("image").shape() == Shape{2, 2, 1});
  CHECK(values<std::uint16_t>(out.get<Tensor>("image")) == Words{0x123, 0xabc, 0xffe, 0x001});
  CHECK(out.get<BayerPattern>().layout == kernels::BayerPattern::kGbrg);
  CHECK(out.get<int>("number") == 7);
  CHECK(out.sequence() == 5);
}

TEST_CASE("RawUnpack scales to 16 bits when it is asked to", "[image]") {
  Rig rig;
  auto& unpack = rig.add<RawUnpack>(ports_and({{"format", "RAW10"}, {"scale", "full"}}));
  const Message out =
      rig.run(unpack, rig.picture<std::uint8_t>({1, 5, 1}, {0xff, 0x00, 0x80, 0x00, 0x03}));
  REQUIRE(out);
  CHECK(values<std::uint16_t>(out.get<Tensor>("image")) == Words{65535, 0, 0x8020, 0});
}

TEST_CASE("RawUnpack refuses what is not packed so", "[image]") {
  Rig rig;
  auto& unpack = rig.add<RawUnpack>(ports_and({{"format", "RAW14"}}));
  CHECK_THROWS_WITH(
      rig.run(unpack, rig.picture<std::uint8_t>({1, 8}, Bytes(8))),
      "tensor 'image' on 'in': wanted rows of a multiple of 7 bytes (RAW14 has 4 pixels in 7 "
      "bytes; set 'width' where rows end in other bytes), got [1, 8] uint8");
  CHECK_THROWS_WITH(rig.run(unpack, rig.picture<std::uint16_t>({1, 7}, Words(7))),
                    "tensor 'image' on 'in': wanted packed rows of a sensor (height x bytes of "
                    "uint8), got [1, 7] uint16");
  Rig wide;
  auto& needy = wide.add<RawUnpack>(ports_and({{"format", "RAW14"}, {"width", "8"}}));
  CHECK_THROWS_WITH(wide.run(needy, wide.picture<std::uint8_t>({1, 7}, Bytes(7))),
                    ContainsSubstring("wanted rows of at least 14 bytes for 'width' 8"));
  Rig odd;
  CHECK_THROWS_WITH(odd.add<RawUnpack>(ports_and({{"format", "RAW14"}, {"width", "6"}})),
                    ContainsSubstring("'width' is 6, not a multiple of 4"));
}

TEST_CASE("BlackLevel takes levels off, by the place of the colours", "[image]") {
  Rig rig;
  auto& black = rig.add<BlackLevel>(ports_and({{"levels", "[1, 2, 3, 4]"}}));
  Message raw = rig.picture<std::uint16_t>({2, 3}, {10, 10, 0, 10, 10, 65535});
  raw.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kBggr});
  const Message out = rig.run(black, std::move(raw));
  REQUIRE(out);
  CHECK(values<std::uint16_t>(out.get<Tensor>("image")) == Words{9, 8, 0, 7, 6, 65532});
  CHECK(out.get<BayerPattern>().layout == kernels::BayerPattern::kBggr);
}

TEST_CASE("BlackLevel makes full scale of white", "[image]") {
  Rig rig;
  auto& black = rig.add<BlackLevel>(ports_and({{"levels", "[64, 64, 0, 0]"}, {"white", "1023"}}));
  const Message out = rig.run(black, rig.picture<std::uint16_t>({2, 2}, {1023, 64, 1023, 1}));
  REQUIRE(out);
  CHECK(values<std::uint16_t>(out.get<Tensor>("image")) == Words{65535, 0, 65535, 64});
}

TEST_CASE("BlackLevel measures masked pixels of each picture", "[image]") {
  Rig rig;
  auto& black = rig.add<BlackLevel>(ports_and({{"masked", "[0, 0, 2, 4]"}}));
  // Means of the two left columns: 2, 4 in even rows, 6, 8 in odd ones.
  const Words raw{1, 4, 100, 100, 6, 7, 100, 100, 3, 4, 5, 5, 6, 9, 5, 50};
  Message message = rig.picture<std::uint16_t>({4, 4}, raw);
  const Message out = rig.run(black, std::move(message));
  REQUIRE(out);
  CHECK(values<std::uint16_t>(out.get<Tensor>("image")) ==
        Words{0, 0, 98, 96, 0, 0, 94, 92, 1, 0, 3, 1, 0, 1, 0, 42});
  Rig brighter;
  auto& again = brighter.add<BlackLevel>(ports_and({{"masked", "[0, 0, 2, 2]"}}));
  CHECK(values<std::uint16_t>(
            brighter.run(again, brighter.picture<std::uint16_t>({2, 3}, {5, 5, 9, 5, 5, 9}))
                .get<Tensor>("image")) == Words{0, 0, 4, 0, 0, 4});
  CHECK(values<std::uint16_t>(
            brighter.run(again, brighter.picture<std::uint16_t>({2, 3}, {8, 8, 9, 8, 8, 9}))
                .get<Tensor>("image")) == Words{0, 0, 1, 0, 0, 1});
}

TEST_CASE("BlackLevel refuses parameters and pictures that do not fit", "[image]") {
  const auto refused = [](const Rig::Parameters& parameters) {
    Rig rig;
    rig.add<BlackLevel>(ports_and(parameters));
  };
  CHECK_THROWS_WITH(refused({{"masked", "[1, 2, 3]"}}),
                    ContainsSubstring("'masked' has 3 numbers"));
  CHECK_THROWS_WITH(refused({{"masked", "[0, 0, 1, 8]"}}),
                    ContainsSubstring("'masked' is 1 x 8 pixels"));
  CHECK_THROWS_WITH(refused({{"masked", "[0, 0, 2, 2]"}, {"levels", "[1, 1, 1, 1]"}}),
                    ContainsSubstring("'levels' and 'masked' are both set"));
  Rig rig;
  auto& black = rig.add<BlackLevel>(ports_and({{"masked", "[2, 1, 3, 2]"}}));
  CHECK_THROWS_WITH(rig.run(black, rig.picture<std::uint8_t>({3, 4}, Bytes(12))),
                    "tensor 'image' on 'in': wanted a picture of at least 5 x 3 pixels (width x "
                    "height), for 'masked', got [3, 4] uint8");
  CHECK_THROWS_WITH(rig.run(black, rig.picture<std::uint8_t>({2, 2, 3}, Bytes(12))),
                    ContainsSubstring("wanted a raw sensor picture (1 channel)"));
  Rig high;
  auto& levels = high.add<BlackLevel>(ports_and({{"levels", "[0, 0, 0, 256]"}}));
  CHECK_THROWS_WITH(high.run(levels, high.picture<std::uint8_t>({2, 2}, Bytes(4))),
                    ContainsSubstring("wanted levels below full scale, 255, not 256"));
  Rig white;
  auto& greatest = white.add<BlackLevel>(ports_and({{"white", "2"}}));
  CHECK_THROWS_WITH(white.run(greatest, white.picture<float>({1, 1}, {1.0F})),
                    ContainsSubstring("wanted elements that reach 'white', 2"));
}

TEST_CASE("NppiMulC multiplies each channel", "[image]") {
  Rig rig;
  auto& multiply = rig.add<NppiMulC>(ports_and({{"factor", "[0.5, 2, -1]"}}));
  const Message out = rig.run(multiply, rig.picture<std::uint8_t>({1, 2, 3}, {5, 6, 7, 2, 200, 1}));
  REQUIRE(out);
  CHECK(values<std::uint8_t>(out.get<Tensor>("image")) == Bytes{3, 12, 0, 1, 255, 0});
  CHECK_THROWS_WITH(rig.run(multiply, rig.picture<std::uint8_t>({1, 2}, {1, 2})),
                    "tensor 'image' on 'in': wanted a picture of 3 channels, as many as 'factor' "
                    "has numbers, got [1, 2] uint8");
}

TEST_CASE("NppiSet makes pictures of one colour", "[image]") {
  Rig rig;
  auto& set = rig.add<NppiSet>({{"out", "out"},
                                {"pool", "pool"},
                                {"rows", "2"},
                                {"columns", "1"},
                                {"channels", "3"},
                                {"value", "[1, 0.5, -3]"}});
  const Message out = rig.tick(set);
  REQUIRE(out);
  CHECK(out.get<Tensor>().shape() == Shape{2, 1, 3});
  CHECK(values<float>(out.get<Tensor>()) == std::vector<float>{1, 0.5F, -3, 1, 0.5F, -3});
  Rig wrong;
  CHECK_THROWS_WITH(
      wrong.add<NppiSet>({{"out", "out"},
                          {"pool", "pool"},
                          {"rows", "2"},
                          {"columns", "1"},
                          {"channels", "3"},
                          {"value", "[1]"}}),
      ContainsSubstring("'value' has 1 number for 3 channels: it needs one for each"));
}
