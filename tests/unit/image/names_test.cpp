#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "image/natural_order.hpp"
#include "image/numbered_path.hpp"

using Catch::Matchers::ContainsSubstring;
using gxr::image::natural_less;
using gxr::image::NumberedPath;

TEST_CASE("natural order counts as people do", "[image]") {
  std::vector<std::string> names{"f10.png", "f9.png", "f1a2.png", "f1a10.png", "f.png",
                                 "f01.png", "f1.png", "e100.png", "f00010.png"};
  std::sort(names.begin(), names.end(), natural_less);
  CHECK(names == std::vector<std::string>{"e100.png", "f.png", "f01.png", "f1.png", "f1a2.png",
                                          "f1a10.png", "f9.png", "f00010.png", "f10.png"});
}

TEST_CASE("natural order knows numbers of any length and is strict", "[image]") {
  CHECK(natural_less("99999999999999999999", "100000000000000000000"));
  CHECK_FALSE(natural_less("a7", "a7"));
  CHECK(natural_less("a", "a0"));
  CHECK(natural_less("", "a"));
  CHECK(natural_less("0", "00") != natural_less("00", "0"));
}

TEST_CASE("numbered paths", "[image]") {
  CHECK(NumberedPath("out/f-%04d.png").at(7) == "out/f-0007.png");
  CHECK(NumberedPath("out/f-{:04}.png").at(7) == "out/f-0007.png");
  CHECK(NumberedPath("out/f-{:04d}.png").at(12345) == "out/f-12345.png");
  CHECK(NumberedPath("%d.png").at(0) == "0.png");
  CHECK(NumberedPath("a{}b").at(18446744073709551615U) == "a18446744073709551615b");
  CHECK(NumberedPath("%020d").at(1) == "00000000000000000001");
}

TEST_CASE("numbered paths: characters that stand for themselves", "[image]") {
  CHECK(NumberedPath("100%%/{{%02d}}.png").at(3) == "100%/{03}.png");
  CHECK_FALSE(NumberedPath("plain.png").numbered());
  CHECK(NumberedPath("plain.png").at(9) == "plain.png");
}

TEST_CASE("numbered paths refuse what they cannot read", "[image]") {
  for (const char* bad : {"%s.png", "%n.png", "%4d.png", "%", "a%", "{", "}", "{:04", "{:4}",
                          "{name}", "%0999d", "%04x", "%-4d", "%*d", "{:021}"}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH(NumberedPath(bad), ContainsSubstring("the place of the number is written"));
  }
  CHECK_THROWS_WITH(NumberedPath("%d-{}.png"),
                    ContainsSubstring("second place for the number: '{}'"));
}
