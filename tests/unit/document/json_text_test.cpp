#include "document/json_text.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr JsonLimits kLimits{.most_bytes = 1 << 20, .deepest = 3};

std::string problem_of(const std::string& text) {
  try {
    static_cast<void>(read_foreign_json(text, kLimits));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::InvalidData);
    return error.message();
  }
  return {};
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

constexpr const char* kTooDeep = "its lists and maps are nested more than 3 levels deep";

}  // namespace

TEST_CASE("Foreign JSON is read within its limits") {
  CHECK(problem_of("[[[]]]").empty());
  CHECK(problem_of(R"({"a": [{"b": "[[[[[[\"[[[[{{{{"}], "c": [[1]]})").empty());
  CHECK(problem_of("[" + repeated("[1],", 1000) + "[]]").empty());
  CHECK(problem_of("[[[[]]]]") == kTooDeep);
  CHECK(problem_of(R"({"a": {"a": {"a": {}}}})") == kTooDeep);
  CHECK(problem_of("\"" + std::string(1 << 20, 'x') + "\"") ==
        "it has 1048578 bytes, and may have 1048576");
}

TEST_CASE("Foreign JSON that nests more deeply than a stack is refused before it is built") {
  CHECK(problem_of(repeated("[", 500'000)) == kTooDeep);
  CHECK(problem_of(repeated("[", 500'000) + repeated("]", 500'000)) == kTooDeep);
  CHECK(problem_of(repeated(R"({"":)", 200'000)) == kTooDeep);
}

TEST_CASE("What is wrong with foreign JSON reaches no terminal unescaped") {
  for (const char* const text : {"\"\x1b[31m\"", "[\x1b[31m]", "{\"a\x9b\": 1", "\x1b", ""}) {
    const std::string problem = problem_of(text);
    CHECK_FALSE(problem.empty());
    for (const char c : problem) {
      CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
  }
}

}  // namespace gxr
