#include "document/source.hpp"

#include "catch.hpp"
#include "document/yaml_source.hpp"

TEST_CASE("lines of a source are found by number", "[document][source]") {
  gxr::SourceMap sources;
  std::string text;
  for (int i = 1; i <= 300; ++i) {
    text += "line " + std::to_string(i) + (i % 2 == 0 ? "\r\n" : "\n");
  }
  const std::uint16_t index = sources.add({gxr::Source::Kind::File, "a.yaml", text + "last"});
  CHECK(index == 1);
  CHECK(sources.size() == 2);
  CHECK(sources.line(index, 1) == "line 1");
  CHECK(sources.line(index, 64) == "line 64");
  CHECK(sources.line(index, 65) == "line 65");
  CHECK(sources.line(index, 300) == "line 300");
  CHECK(sources.line(index, 301) == "last");
  CHECK(sources.line(index, 302).empty());
  CHECK(sources.line(index, 4000000000U).empty());
  CHECK(sources.line(index, 0).empty());
  CHECK(sources.line(0, 1).empty());
}

TEST_CASE("a location is described with the name of its source", "[document][source]") {
  gxr::SourceMap sources;
  const std::uint16_t index = sources.add({gxr::Source::Kind::File, "a.yaml", "x"});
  CHECK(sources.describe({3, 7, index}) == "a.yaml:3:7");
  CHECK(sources.describe({0, 0, index}) == "a.yaml");
  CHECK(sources.describe({}) == "gxr");
}

TEST_CASE("offsets become places in any order", "[document][source]") {
  gxr::YamlSource source({"ab\n\u00e4\u00f6 x\n\ny", 3, 10, 5, {}});
  const auto place = [&](std::size_t offset) {
    const gxr::Location where = source.locate(offset);
    return std::to_string(where.line) + ":" + std::to_string(where.column);
  };
  CHECK(place(0) == "10:5");
  CHECK(place(8) == "11:4");
  CHECK(place(5) == "11:2");
  CHECK(place(11) == "13:1");
  CHECK(place(1) == "10:6");
  CHECK(place(10) == "12:1");
  CHECK(place(3) == "11:1");
  CHECK(place(999) == "13:2");
  CHECK(source.locate(0).source == 3);
}
