#include "image/overlay.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/timestamp.hpp"
#include "image/overlay_text.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;

Rig::Parameters overlay_parameters(const Rig::Parameters& own) {
  Rig::Parameters all{{"in", "in"}, {"out", "out"}, {"pool", "pool"}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// The result for a black picture with one channel, of 8 x 5 pixels.
std::vector<std::string> drawn(Rig& rig, Overlay& overlay, Message message) {
  const Message out = rig.run(overlay, std::move(message));
  const Bytes pixels = values<std::uint8_t>(out.get<Tensor>("image"));
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (i % 8 == 0) {
      rows.emplace_back();
    }
    rows.back() += pixels[i] == 0 ? '.' : '#';
  }
  return rows;
}

Message black(Rig& rig) { return rig.picture<std::uint8_t>({5, 8}, Bytes(40, 0)); }

template <class T>
void add_boxes(Rig& rig, Message& message, const Shape& shape, const std::vector<T>& sides,
               std::string_view name = "boxes") {
  Message other = rig.picture<T>(shape, sides, name);
  message.share_part(other, 0);
}

std::string failure(const Rig::Parameters& parameters) {
  try {
    Rig rig;
    rig.add<Overlay>(overlay_parameters(parameters));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

std::string text_failure(std::string_view text) {
  try {
    const OverlayText pattern(text);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("Overlay draws the boxes of its parameter", "[image]") {
  Rig rig;
  auto& overlay = rig.add<Overlay>(
      overlay_parameters({{"boxes", "[[1, 1, 5, 4], [6, -3, 20, 2]]"}, {"thickness", "1"}}));
  CHECK(drawn(rig, overlay, black(rig)) ==
        std::vector<std::string>{"......#.", ".####.##", ".#..#...", ".####...", "........"});
}

TEST_CASE("Overlay draws the boxes of the picture's message", "[image]") {
  Rig rig;
  auto& overlay =
      rig.add<Overlay>(overlay_parameters({{"boxes_tensor_name", "boxes"}, {"thickness", "1"}}));
  Message message = black(rig);
  add_boxes<float>(rig, message, {2, 4}, {0.4F, 0.6F, 3.4F, 3.5F, 6, 3, 8, 5});
  const std::vector<std::string> with_boxes = drawn(rig, overlay, std::move(message));
  CHECK(with_boxes ==
        std::vector<std::string>{"........", "###.....", "#.#.....", "###...##", "......##"});
  Message none = black(rig);
  add_boxes<std::int32_t>(rig, none, {0, 4}, {});
  const std::vector<std::string> without = drawn(rig, overlay, std::move(none));
  CHECK(without == std::vector<std::string>(5, "........"));
}

TEST_CASE("Overlay draws boxes of another port, and outlandish ones", "[image]") {
  Rig rig;
  auto& boxes = rig.harness().add<DoubleBufferReceiver>("op/boxes_in");
  auto& overlay =
      rig.add<Overlay>(overlay_parameters({{"boxes_in", "boxes_in"}, {"thickness", "1"}}));
  const float far = std::numeric_limits<float>::infinity();
  boxes.push(rig.picture<float>({2, 4}, {-far, 1, far, 3, 0, 0, std::nanf(""), 1e30F}, "found"));
  CHECK(drawn(rig, overlay, black(rig)) ==
        std::vector<std::string>{"........", "########", "########", "........", "........"});
  boxes.push(rig.picture<std::uint8_t>({1, 4}, {1, 2, 3, 4}, "found"));
  CHECK_THROWS_WITH(rig.run(overlay, black(rig)),
                    "tensor 'found' on 'boxes_in': wanted boxes ([n, 4] of int32 or float32: left, "
                    "top, right, bottom), got [1, 4] uint8");
  boxes.push(rig.harness().new_message());
  CHECK_THROWS_WITH(rig.run(overlay, black(rig)),
                    "no tensor with boxes in the message on 'boxes_in'");
}

TEST_CASE("Overlay says which boxes it misses, or cannot read", "[image]") {
  Rig rig;
  auto& overlay = rig.add<Overlay>(overlay_parameters({{"boxes_tensor_name", "boxes"}}));
  CHECK_THROWS_WITH(rig.run(overlay, black(rig)),
                    "'boxes_tensor_name': no tensor 'boxes' in the message on 'in'");
  Message message = black(rig);
  add_boxes<float>(rig, message, {4}, {1, 2, 3, 4});
  CHECK_THROWS_WITH(rig.run(overlay, std::move(message)), ContainsSubstring("got [4] float32"));
  CHECK_THROWS_WITH(rig.run(overlay, rig.picture<std::uint8_t>({1, 1, 2}, {1, 2})),
                    ContainsSubstring("wanted a grey, RGB or RGBA picture"));
  CHECK_THAT(failure({{"boxes", "[[1, 2, 3, 4], [1, 2, 1, 4]]"}}),
             ContainsSubstring("'boxes', entry 1: write [left, top, right, bottom]"));
  CHECK_THAT(failure({{"boxes", "[[1, 2, 3]]"}}), ContainsSubstring("'boxes', entry 0"));
  CHECK(failure({{"box_color", "[1, 1]"}}) ==
        "'box_color' has 3 numbers, for red, green and blue, not 2");
}

TEST_CASE("Overlay's colours, and what lies below stays", "[image]") {
  Rig rig;
  auto& overlay = rig.add<Overlay>(overlay_parameters(
      {{"boxes", "[[0, 0, 1, 1]]"}, {"box_color", "[1, 0.5, 0]"}, {"out_tensor_name", "shown"}}));
  const Message in = rig.picture<std::uint8_t>({1, 2, 4}, {9, 9, 9, 9, 1, 2, 3, 4});
  const Message out = rig.run(overlay, in);
  CHECK(values<std::uint8_t>(out.get<Tensor>("shown")) == Bytes{255, 128, 0, 255, 1, 2, 3, 4});
  CHECK(values<std::uint8_t>(in.get<Tensor>("image")) == Bytes{9, 9, 9, 9, 1, 2, 3, 4});
  CHECK(out.find<Tensor>("image") == nullptr);
  const Message grey = rig.run(overlay, rig.picture<float>({1, 2}, {0.0F, 0.25F}));
  const std::vector<float> pixels = values<float>(grey.get<Tensor>("shown"));
  CHECK(std::abs(pixels[0] - 0.5702F) < 1e-5F);
  CHECK(pixels[1] == 0.25F);
}

TEST_CASE("Overlay writes the text into its corner", "[image]") {
  const auto lit = [](const char* corner) {
    Rig rig;
    auto& overlay = rig.add<Overlay>(overlay_parameters({{"text", "'%n'"},
                                                         {"text_scale", "1"},
                                                         {"margin", "0"},
                                                         {"background", "0"},
                                                         {"corner", corner}}));
    Message message = rig.picture<std::uint8_t>({24, 16}, Bytes(384, 0));
    message.set_sequence(1);
    const Message out = rig.run(overlay, std::move(message));
    const Bytes pixels = values<std::uint8_t>(out.get<Tensor>("image"));
    std::pair<std::size_t, std::size_t> first{24, 0};
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (pixels[i] != 0 && i / 16 < first.first) {
        first = {i / 16, i % 16};
      }
    }
    return first;
  };
  // The 1 begins with a dot in its middle, one row and three columns from the corner of the text.
  using Place = std::pair<std::size_t, std::size_t>;
  CHECK(bool(lit("top_left") == Place{1, 3}));
  CHECK(bool(lit("top_right") == Place{1, 12}));
  CHECK(bool(lit("bottom_left") == Place{14, 3}));
  CHECK(bool(lit("bottom_right") == Place{14, 12}));
}

TEST_CASE("Overlay darkens what is behind the text", "[image]") {
  Rig rig;
  auto& overlay = rig.add<Overlay>(overlay_parameters(
      {{"text", "."}, {"text_scale", "1"}, {"margin", "0"}, {"background", "0.5"}}));
  const Message out = rig.run(overlay, rig.picture<std::uint8_t>({20, 20}, Bytes(400, 200)));
  const Bytes pixels = values<std::uint8_t>(out.get<Tensor>("image"));
  CHECK(pixels[0] == 100);
  CHECK(pixels[6] == 100);
  CHECK(pixels[7] == 200);
  CHECK(pixels[11 * 20] == 200);
}

TEST_CASE("a text has places for number and time", "[image]") {
  CHECK(OverlayText("").of(1, 2).empty());
  CHECK(OverlayText("a%%b %n|%03n|%00n").of(42, 0) == "a%b 42|042|42");
  CHECK(OverlayText("%t").of(0, 3'723'045'999'999) == "1:02:03.045");
  CHECK(OverlayText("%t").of(0, -1'500'000'000) == "-0:00:01.500");
  CHECK(OverlayText("%t").of(0, std::numeric_limits<std::int64_t>::min()) == "-2562047:47:16.854");
  CHECK(OverlayText("%T").of(0, 1'795'000'000'900'000'000) == "2026-11-18 11:06:40");
  CHECK(OverlayText("%T").of(0, -1) == "1969-12-31 23:59:59");
  CHECK_THAT(text_failure("100%"), ContainsSubstring("'%' is no place for anything"));
  CHECK_THAT(text_failure("%4n"), ContainsSubstring("'%4' is no place"));
  CHECK_THAT(text_failure("%04t"), ContainsSubstring("'%04t' is no place"));
  CHECK_THAT(text_failure("%0123456789n"), ContainsSubstring("is no place"));
}

TEST_CASE("Overlay takes the time of acquisition before that of the message", "[image]") {
  const auto pixels_at = [](std::int64_t source_time, std::int64_t acquired, bool has_timestamp) {
    Rig rig;
    auto& overlay = rig.add<Overlay>(overlay_parameters({{"text", "'%t'"}, {"text_scale", "1"}}));
    Message message = rig.picture<std::uint8_t>({30, 90}, Bytes(2700, 0));
    message.set_source_time(source_time);
    if (has_timestamp) {
      message.add<Timestamp>("timestamp", Timestamp{0, acquired});
    }
    const Message out = rig.run(overlay, std::move(message));
    return values<std::uint8_t>(out.get<Tensor>("image"));
  };
  CHECK(pixels_at(7'000'000, 0, false) == pixels_at(1, 7'000'000, true));
  CHECK(pixels_at(7'000'000, 0, false) != pixels_at(7'000'000, 0, true));
}
