#include "language/text.hpp"

#include "catch.hpp"

namespace gxr::language {
namespace {

TEST_CASE("Places count units of UTF-16") {
  const Text text("a\xC3\xA4\xF0\x9F\x98\x80z\n\tb");  // ä takes one unit, the face two
  CHECK(text.position_of(std::size_t{1}) == Position{0, 1});
  CHECK(text.position_of(std::size_t{3}) == Position{0, 2});
  CHECK(text.position_of(std::size_t{7}) == Position{0, 4});
  CHECK(text.position_of(std::size_t{9}) == Position{1, 0});
  CHECK(text.offset_of({0, 4}) == 7);
  CHECK(text.offset_of({0, 3}) == 3);  // in the middle of the face
  CHECK(text.offset_of({1, 1}) == 10);
}

TEST_CASE("Places behind the end of a line or a text mean the end") {
  const Text text("ab\ncd");
  CHECK(text.offset_of({0, 99}) == 2);
  CHECK(text.offset_of({9, 0}) == 5);
  CHECK(text.position_of(std::size_t{99}) == Position{1, 2});
  CHECK(Text("").offset_of({0, 0}) == 0);
}

TEST_CASE("Lines end in all ways that editors know") {
  const Text text("a\r\nb\rc\nd");
  REQUIRE(text.line_count() == 4);
  CHECK(text.line(0) == "a");
  CHECK(text.line(1) == "b");
  CHECK(text.line(2) == "c");
  CHECK(text.line(3) == "d");
  CHECK(text.line(4).empty());
  CHECK(text.position_of(std::size_t{3}) == Position{1, 0});
}

TEST_CASE("Diagnostics count characters, without a mark of the byte order") {
  const Text text("\xEF\xBB\xBFn\xF0\x9F\x98\x80: x\ny: z");
  CHECK(text.position_of(Location{1, 1, 1}) == Position{0, 1});
  CHECK(text.position_of(Location{1, 3, 1}) == Position{0, 4});
  CHECK(text.position_of(Location{2, 4, 1}) == Position{1, 3});
  CHECK(text.position_of(Location{}) == Position{0, 0});
  CHECK(text.location_of({0, 4}, 7) == Location{1, 3, 7});
  CHECK(text.location_of({1, 3}, 7) == Location{2, 4, 7});
  CHECK(text.range_of(Location{1, 2, 1}, 2) == Range{{0, 2}, {0, 5}});
  CHECK(text.range_of(Location{2, 1, 1}, 99) == Range{{1, 0}, {1, 4}});
}

TEST_CASE("Text is put in the place of a range") {
  Text text("one\ntwo\nthree");
  text.replace({{0, 3}, {1, 3}}, " and 2");
  CHECK(text.all() == "one and 2\nthree");
  CHECK(text.line(1) == "three");
  text.replace({{1, 5}, {0, 0}}, "!");  // an end in front of the begin is no range
  CHECK(text.all() == "one and 2\nthree!");
}

}  // namespace
}  // namespace gxr::language
