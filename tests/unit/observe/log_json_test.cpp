#include "observe/log_json.hpp"

#include <random>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace gxr {
namespace {

std::string line_of(const LogOrigin& origin, std::string_view text) {
  std::string line;
  add_log_json("2026-01-31T12:30:01.250+01:00", "info", origin, text,
               [&line](std::string_view part) { line += part; });
  return line;
}

TEST_CASE("a line of the log as JSON") {
  CHECK(line_of({}, "hello") ==
        R"({"time":"2026-01-31T12:30:01.250+01:00","level":"info","text":"hello"})");
  const nlohmann::json line = nlohmann::json::parse(line_of({"a", "b"}, "two\nlines\tand \"ä\""));
  CHECK(line == nlohmann::json{{"time", "2026-01-31T12:30:01.250+01:00"},
                               {"level", "info"},
                               {"entity", "a"},
                               {"component", "b"},
                               {"text", "two\nlines\tand \"ä\""}});
}

TEST_CASE("bytes that are no UTF-8 are replaced in JSON, and controls escaped") {
  CHECK(nlohmann::json::parse(line_of({}, "a\xff\xc3"))["text"] == "a\uFFFD\uFFFD");
  const std::string_view controls("\x00\x1b[2J\x7f\xc2\x9b\xe2\x80\xae", 11);
  const std::string line = line_of({}, controls);
  CHECK(nlohmann::json::parse(line)["text"] == controls);
  CHECK(line.find('\x1b') == std::string::npos);
  CHECK(line.find("\\u202e") != std::string::npos);
}

TEST_CASE("whatever a text is, its line is one object of JSON") {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same each time
  std::uniform_int_distribution<int> byte(0, 255);
  for (int i = 0; i < 2000; ++i) {
    std::string text(static_cast<std::size_t>(i % 40), '\0');
    for (char& c : text) {
      c = static_cast<char>(byte(random));
    }
    const std::string line = line_of({text, text}, text);
    REQUIRE(line.find('\n') == std::string::npos);
    REQUIRE(nlohmann::json::accept(line));
  }
}

TEST_CASE("a time has its zone") {
  const std::string time = iso_time(std::chrono::system_clock::time_point{});
  CHECK(time.size() == 29);
  CHECK(time.substr(19, 4) == ".000");
}

}  // namespace
}  // namespace gxr
