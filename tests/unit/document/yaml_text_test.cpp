#include "document/yaml_text.hpp"

#include "catch.hpp"
#include "parsed.hpp"

namespace {

/// Kind, tag and text of all nodes: what must survive writing and reading.
std::string meaning(const gxr::Value& value) {
  std::string out = std::string(value.tag()) + "|";
  if (value.is_null()) {
    return out + "null";
  }
  if (value.is_scalar()) {
    return out + "<" + std::string(value.text()) + ">";
  }
  out += value.is_map() ? "{" : "[";
  for (std::size_t i = 0; i < value.size(); ++i) {
    out += value.is_map() ? meaning(value.key(i)) + ":" + meaning(value.value(i))
                          : meaning(value.at(i));
    out += ",";
  }
  return out + (value.is_map() ? "}" : "]");
}

}  // namespace

TEST_CASE("scalars are quoted where they must be", "[document][yaml]") {
  CHECK(gxr::yaml_scalar("nvidia::gxf::PingTx") == "nvidia::gxf::PingTx");
  CHECK(gxr::yaml_scalar("tx/signal") == "tx/signal");
  CHECK(gxr::yaml_scalar("dummy generator") == "dummy generator");
  CHECK(gxr::yaml_scalar("-5") == "-5");
  CHECK(gxr::yaml_scalar("cam\u00e9ra") == "cam\u00e9ra");
  CHECK(gxr::yaml_scalar("<Unspecified>") == "<Unspecified>");
  for (const char* text :
       {"",    " a", "a ",   "a: b", "a:",   "a #b", "#a",   "- a",  "-",           "--- a", "...",
        "? a", "[a", "a, b", "{a",   "a]",   "*a",   "&a",   "!a",   "|a",          ">a",    "'a",
        "@a",  "`a", "%a",   "~",    "null", "Null", "NULL", "a\nb", "\xEF\xBB\xBF"}) {
    INFO(text);
    CHECK(gxr::yaml_scalar(text).front() == '"');
  }
  CHECK(gxr::yaml_scalar("a\n\"\\\x01\u202e") == "\"a\\n\\\"\\\\\\x01\\u202e\"");
}

TEST_CASE("what is written reads back the same", "[document][yaml]") {
  const std::string key(2000, 'k');
  const gxr::test::Parsed parsed(
      "a: [1, 'x, y', ~, null, '', {b: , c: d}, []]\n"
      "'': {}\n"
      "? [x, {y: z}]\n: !ms 5\n"
      "? {p: q}\n: !!str ~\n"
      "~: !<tag:example.org,2000:x,y> [1]\n"
      "'null': \"\\0\\e\\u2028 end\\n\"\n"
      "t: ! text\n"
      "? " +
      key +
      "\n: long\n"
      "u: !x\n"
      "'a: b': \"- c\"\n"
      "d: |\n  block\n   text\n");
  REQUIRE(parsed.messages().empty());
  const std::string yaml = parsed.root().to_yaml();
  CHECK(yaml.find('\n') == std::string::npos);
  gxr::Document again;
  CHECK(meaning(again.make_value(yaml)) == meaning(parsed.root()));
  CHECK(parsed.root().find("a")->to_yaml() == "[1, \"x, y\", ~, null, \"\", {b: ~, c: d}, []]");
}
