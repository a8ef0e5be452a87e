#include "gxr/kernels/paint.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image.hpp"
#include "kernels/dot_font.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr Paint kWhite{{1.0F, 1.0F, 1.0F, 1.0F}};

/// Rows of '#' and '.' of a picture with one channel.
std::vector<std::string> dots_of(Image<std::uint8_t>& image) {
  std::vector<std::string> rows;
  for (std::int64_t y = 0; y < image.height(); ++y) {
    rows.emplace_back();
    for (std::int64_t x = 0; x < image.width(); ++x) {
      rows.back() += image.at(x, y) != 0 ? '#' : '.';
    }
  }
  return rows;
}

Image<std::uint8_t> black(std::int64_t width, std::int64_t height) {
  Image<std::uint8_t> image(width, height, 1);
  image.fill([](auto, auto, auto) { return 0; });
  return image;
}

}  // namespace

TEMPLATE_TEST_CASE("a rectangle is painted as far as the picture goes", "[kernels][paint]",
                   std::uint8_t, std::uint16_t, float) {
  Image<TestType> image(5, 4, 3);
  image.fill([](auto, auto, auto) { return 1; });
  paint_rectangle(image.view(), {3, -2, 9, 2}, {{0.0F, 0.5F, 1.0F, 0.0F}});
  const float scale = full_scale<TestType>();
  const auto half = static_cast<TestType>(sizeof(TestType) == 4 ? 0.5F : 0.5F * scale + 0.5F);
  CHECK(image.at(3, 0, 0) == TestType{0});
  CHECK(image.at(4, 1, 1) == half);
  CHECK(image.at(4, 1, 2) == static_cast<TestType>(scale));
  CHECK(image.at(2, 0, 0) == TestType{1});
  CHECK(image.at(4, 2, 2) == TestType{1});
  CHECK(image.padding_untouched());
}

TEST_CASE("opacity mixes", "[kernels][paint]") {
  Image<std::uint8_t> image(1, 1, 1);
  image.at(0, 0) = 100;
  paint_rectangle(image.view(), {0, 0, 1, 1}, {{}, 0.25F});
  CHECK(image.at(0, 0) == 75);
  paint_rectangle(image.view(), {0, 0, 1, 1}, {{1.0F}, 0.0F});
  CHECK(image.at(0, 0) == 75);
  CHECK_THROWS_AS(paint_rectangle(image.view(), {0, 0, 1, 1}, {{}, 1.5F}), std::invalid_argument);
  CHECK_THROWS_AS(paint_rectangle(image.view(), {0, 0, 1, 1}, {{-0.1F}}), std::invalid_argument);
}

TEST_CASE("rectangles outside, empty or reversed paint nothing", "[kernels][paint]") {
  Image<std::uint8_t> image = black(3, 3);
  for (const Rectangle& r : {Rectangle{5, 0, 9, 3}, {-9, 0, 0, 3}, {1, 1, 1, 3}, {2, 2, 1, 1}}) {
    paint_rectangle(image.view(), r, kWhite);
    paint_frame(image.view(), r, 2, kWhite);
  }
  CHECK(dots_of(image) == std::vector<std::string>{"...", "...", "..."});
}

TEST_CASE("a frame lies within its rectangle", "[kernels][paint]") {
  Image<std::uint8_t> image = black(7, 6);
  paint_frame(image.view(), {1, 1, 6, 5}, 1, kWhite);
  CHECK(dots_of(image) ==
        std::vector<std::string>{".......", ".#####.", ".#...#.", ".#...#.", ".#####.", "......."});
  Image<std::uint8_t> thick = black(6, 5);
  paint_frame(thick.view(), {0, 0, 6, 5}, 2, kWhite);
  CHECK(dots_of(thick) ==
        std::vector<std::string>{"######", "######", "##..##", "######", "######"});
  Image<std::uint8_t> cut = black(4, 4);
  paint_frame(cut.view(), {-1, -1, 3, 3}, 1, kWhite);
  CHECK(dots_of(cut) == std::vector<std::string>{"..#.", "..#.", "###.", "...."});
  CHECK_THROWS_AS(paint_frame(cut.view(), {}, 0, kWhite), std::invalid_argument);
}

TEST_CASE("letters, two lines, and a scale", "[kernels][paint]") {
  Image<std::uint8_t> image = black(12, 20);
  draw_text(image.view(), 0, 0, 1, "Hi\n!", kWhite);
  const std::vector<std::string> rows = dots_of(image);
  CHECK(rows[0] == "#...#...#...");
  CHECK(rows[3] == "#####...#...");
  CHECK(rows[6] == "#...#..###..");
  CHECK(rows[7] == "............");
  CHECK(rows[11] == "..#.........");
  Image<std::uint8_t> twice = black(12, 20);
  draw_text(twice.view(), 0, 0, 2, "H", kWhite);
  CHECK(dots_of(twice)[0] == "##......##..");
  CHECK(dots_of(twice)[7] == "##########..");
  Image<std::uint8_t> outside = black(12, 3);
  draw_text(outside.view(), -2, -3, 1, "H", kWhite);
  CHECK(dots_of(outside)[0] == "###.........");
  CHECK_THROWS_AS(draw_text(outside.view(), 0, 0, 0, "H", kWhite), std::invalid_argument);
}

TEST_CASE("a frame stands for what has no letter, one for each character", "[kernels][paint]") {
  Image<std::uint8_t> image = black(24, 9);
  draw_text(image.view(), 0, 0, 1, "\xc3\xa4\xe2\x82\xac\xff\x01", kWhite);
  CHECK(dots_of(image)[0] == "#####.#####.#####.#####.");
  CHECK(dots_of(image)[1] == "#...#.#...#.#...#.#...#.");
  CHECK(text_size("\xc3\xa4\xe2\x82\xac\xff\x01").columns == 4 * kTextColumns);
  CHECK(text_size("\x80\x80").columns == 2 * kTextColumns);
}

TEST_CASE("the size of a text", "[kernels][paint]") {
  CHECK(text_size("").rows == 0);
  CHECK(text_size("one").columns == 18);
  CHECK(text_size("a\nlong\n").columns == 24);
  CHECK(text_size("a\nlong\n").rows == 2 * kTextRows);
  CHECK(text_size("\n\na").rows == 3 * kTextRows);
}

TEST_CASE("all letters differ, and none but the blank is empty", "[kernels][paint]") {
  std::vector<std::string> letters;
  for (std::size_t letter = 0; letter <= DotFont::kUnknown; ++letter) {
    std::string art;
    for (std::size_t y = 0; y < DotFont::kRows; ++y) {
      const std::string_view row = DotFont::row(letter, y);
      REQUIRE(row.size() == DotFont::kColumns);
      REQUIRE(row.find_first_not_of("#.") == std::string_view::npos);
      art += row;
    }
    CHECK((art.find('#') == std::string::npos) == (letter == 0));
    for (const std::string& other : letters) {
      CHECK(art != other);
    }
    letters.push_back(art);
  }
}
