#include "gxr/kernels/areas.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

/// A mask from rows of '#' and '.'.
template <class T>
Image<T> mask_of(const std::vector<std::string_view>& rows) {
  Image<T> mask(static_cast<std::int64_t>(rows.front().size()),
                static_cast<std::int64_t>(rows.size()), 1);
  mask.fill([&](auto x, auto y, auto) {
    return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 1 : 0;
  });
  return mask;
}

template <class T = std::uint8_t>
std::vector<Area> areas_in(const std::vector<std::string_view>& rows, std::int64_t cell = 1,
                           std::int64_t least = 1) {
  Image<T> mask = mask_of<T>(rows);
  return find_areas<T>(mask.view(), cell, least);
}

}  // namespace

TEMPLATE_TEST_CASE("areas of a mask, and the rectangles around them", "[kernels][areas]",
                   std::uint8_t, std::uint16_t, float) {
  CHECK(areas_in<TestType>({".....", ".....", "....."}).empty());
  CHECK(areas_in<TestType>({"##...", "#....", "...##"}) ==
        std::vector<Area>{{0, 0, 2, 2, 3}, {3, 2, 5, 3, 2}});
  CHECK(areas_in<TestType>({"#####"}) == std::vector<Area>{{0, 0, 5, 1, 5}});
}

TEST_CASE("pixels that touch at a corner are one area", "[kernels][areas]") {
  CHECK(areas_in({"#....", ".#...", "..#..", ".#..."}) == std::vector<Area>{{0, 0, 3, 4, 4}});
  CHECK(areas_in({"..#", ".#.", "#.."}) == std::vector<Area>{{0, 0, 3, 3, 3}});
}

TEST_CASE("areas that meet further below are one", "[kernels][areas]") {
  // A comb: four teeth that only the last row joins; and a ring with an area of its own inside.
  CHECK(areas_in({"#.#.#.#", "#.#.#.#", "#######"}) == std::vector<Area>{{0, 0, 7, 3, 15}});
  CHECK(areas_in({"#######", "#.....#", "#..#..#", "#.....#", "#######"}) ==
        std::vector<Area>{{0, 0, 7, 5, 20}, {3, 2, 4, 3, 1}});
  // Sets that were joined before are joined once more.
  CHECK(areas_in({"#...#...#", ".#.#.#.#.", "..#...#..", "...###..."}).size() == 1);
}

TEST_CASE("cells join what is near", "[kernels][areas]") {
  const std::vector<std::string_view> rows{"#...#....", ".........", "........#"};
  CHECK(areas_in(rows, 1).size() == 3);
  // Cells of 2 x 2: the first and the third of the upper row are apart, so are the others.
  CHECK(areas_in(rows, 2).size() == 3);
  CHECK(areas_in(rows, 3) == std::vector<Area>{{0, 0, 9, 3, 3}});
  CHECK(areas_in(rows, 1000) == std::vector<Area>{{0, 0, 9, 3, 3}});
}

TEST_CASE("small areas are left out", "[kernels][areas]") {
  const std::vector<std::string_view> rows{"##..#", "##..."};
  CHECK(areas_in(rows, 1, 4) == std::vector<Area>{{0, 0, 2, 2, 4}});
  CHECK(areas_in(rows, 1, 5).empty());
}

TEST_CASE("areas of rows from below upwards, and what is refused", "[kernels][areas]") {
  Image<std::uint8_t> mask = mask_of<std::uint8_t>({"#..", "...", "..."});
  CHECK(find_areas<std::uint8_t>(mask.upside_down(), 1, 1) == std::vector<Area>{{0, 2, 1, 3, 1}});
  CHECK_THROWS_AS(find_areas<std::uint8_t>(mask.view(), 0, 1), std::invalid_argument);
  Image<std::uint8_t> color(2, 2, 3);
  CHECK_THROWS_AS(find_areas<std::uint8_t>(color.view(), 1, 1), std::invalid_argument);
}
