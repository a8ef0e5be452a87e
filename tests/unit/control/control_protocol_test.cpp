// What gxr set and an application say to each other.

#include "control/control_protocol.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using Question = ControlRequest::Question;

TEST_CASE("requests arrive as they were sent", "[control]") {
  const std::vector<std::string> assignments = {"a/b=1", "ä/text=\"x\ny\"", ""};
  const std::string line = to_line({assignments, {}});
  CHECK(line.back() == '\n');
  CHECK(line.find('\n') == line.size() - 1);
  const ControlRequest set = read_request(line);
  CHECK(set.assignments == assignments);
  CHECK(set.entity.empty());
  for (const bool on : {true, false}) {
    const ControlRequest enable = read_request(to_line({{}, "a.b", on}));
    CHECK(enable.assignments.empty());
    CHECK(enable.entity == "a.b");
    CHECK(enable.on == on);
  }
  for (const auto question :
       {Question::About, Question::Status, Question::StatusText, Question::Get}) {
    const ControlRequest asks = read_request(to_line({{}, "a/b", true, question}));
    CHECK(asks.question == question);
    CHECK(asks.entity == "a/b");
    CHECK(asks.assignments.empty());
  }
  CHECK_THROWS_WITH(to_line({{"a/b=\xff"}, {}}), ContainsSubstring("is not UTF-8"));
}

TEST_CASE("a request for an exchange arrives as it was sent", "[control]") {
  ControlRequest request{{}, "a/b", true, Question::Swap};
  request.type = "my::Type";
  ControlRequest read = read_request(to_line(request));
  CHECK(read.question == Question::Swap);
  CHECK(read.entity == "a/b");
  CHECK(read.type == "my::Type");
  CHECK(read.extension.empty());
  CHECK(read.keep_for_ns == 0);
  request.extension = "/ä/my.so";
  request.keep_for_ns = 5'000'000'000;
  read = read_request(to_line(request));
  CHECK(read.extension == "/ä/my.so");
  CHECK(read.keep_for_ns == 5'000'000'000);
}

TEST_CASE("what is no request is refused", "[control]") {
  for (const char* line :
       {"",
        "x",
        "1",
        "[]",
        "{}",
        R"({"gxr-control": 1})",
        R"({"gxr-control": 1, "set": []})",
        R"({"gxr-control": 1, "set": "a"})",
        R"({"gxr-control": 1, "set": ["a", null]})",
        R"({"gxr-control": 1, "enable": 1})",
        R"({"gxr-control": 1, "disable": ""})",
        R"({"gxr-control": 1, "status": 1})",
        R"({"gxr-control": 1, "get": "a/b", "set": ["a"]})",
        R"({"gxr-control": 1, "set": ["a"], "enable": "b"})",
        R"({"gxr-control": 1, "swap": "a"})",
        R"({"gxr-control": 1, "swap": "", "type": "b"})",
        R"({"gxr-control": 1, "swap": "a", "type": "b", "keep_for_ns": -1})",
        R"({"gxr-control": 1, "swap": "a", "type": "b", "keep_for_ns": 18446744073709551615})",
        R"({"gxr-control": 1, "swap": "a", "type": "b", "extension": 1})",
        R"({"gxr-control": 1, "swap": "a", "type": "b", "more": 1})"}) {
    INFO(line);
    CHECK_THROWS_AS(read_request(line), Error);
  }
  CHECK_THROWS_WITH(read_request(R"({"gxr-control": 7, "set": ["a"]})"),
                    ContainsSubstring("speaks version 7, this gxr 1"));
}

TEST_CASE("answers arrive as they were given", "[control]") {
  CHECK(require_success(success_line()).is_null());
  CHECK(require_success(success_line(R"({"b": "ä", "a": [1, 2]})")) ==
        nlohmann::json::parse(R"({"a": [1, 2], "b": "ä"})"));
  CHECK_THROWS_WITH(require_success(failure_line("not-found", "there is no ä")), "there is no ä");
  CHECK_THROWS_WITH(require_success("x"), ContainsSubstring("no message of gxr"));
  CHECK_THROWS_WITH(require_success(R"({"gxr-control": 1})"),
                    ContainsSubstring("neither yes nor no"));
  CHECK_THROWS_WITH(require_success(R"({"gxr-control": 1, "ok": false, "error": 1})"),
                    ContainsSubstring("does not say why"));
}

TEST_CASE("the text of an answer has an end, between two characters", "[control]") {
  std::string text = "x";
  while (text.size() < 100'000) {
    text += "ä";
  }
  const std::string line = failure_line("failure", text);
  CHECK(line.size() < 40'000);
  CHECK_THROWS_WITH(require_success(line), ContainsSubstring("xää") && ContainsSubstring("ä…"));
}

}  // namespace
}  // namespace gxr
