#include "catch.hpp"
#include "document/alias_limit.hpp"
#include "document/diagnostics.hpp"
#include "parsed.hpp"

using gxr::test::Parsed;
using gxr::test::place;

TEST_CASE("an alias shares the children and has its own place", "[document][alias]") {
  const Parsed parsed("a: &x {k: [1, 2]}\nb: *x\nc: &y text\nd: *y\n");
  CHECK(parsed.messages().empty());
  const gxr::Value& a = *parsed.root().find("a");
  const gxr::Value& b = *parsed.root().find("b");
  CHECK(&a.key(0) == &b.key(0));
  CHECK(place(b) == "2:4");
  CHECK(place(b.key(0)) == "1:8");
  CHECK(parsed.root().find("d")->text() == "text");
  CHECK(place(*parsed.root().find("d")) == "4:4");
}

TEST_CASE("an anchor may be set again, and stand on keys", "[document][alias]") {
  const Parsed parsed("&k a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: *k\n*k : 5\n");
  CHECK(parsed.root().find("b")->text() == "1");
  CHECK(parsed.root().find("d")->text() == "2");
  CHECK(parsed.root().find("e")->text() == "a");
  CHECK(parsed.messages() ==
        "error[duplicate-key]: duplicate key 'a'\n"
        " --> app.yaml:6:1\n"
        "  |\n"
        "6 | *k : 5\n"
        "  | ^\n"
        "  = help: a map has each key once; remove one of the two\n"
        "note: first written here\n"
        " --> app.yaml:1:4\n"
        "  |\n"
        "1 | &k a: &x 1\n"
        "  |    ^\n");
}

TEST_CASE("anchors do not reach into the next document", "[document][alias]") {
  const Parsed parsed("a: &x 1\n---\nb: *x\n---\nc: 1\n");
  CHECK(parsed.document.parts().size() == 2);
  CHECK(
      parsed.messages() ==
      "error[yaml-syntax]: no anchor '&x' stands before this alias\n"
      " --> app.yaml:3:4\n"
      "  |\n"
      "3 | b: *x\n"
      "  |    ^^\n"
      "  = help: anchors hold within their YAML document only; a text that starts with '*' has to "
      "be quoted\n");
}

TEST_CASE("a value cannot contain itself", "[document][alias]") {
  const Parsed parsed("a: &x [1, {b: *x}]\n");
  CHECK(parsed.messages() ==
        "error[yaml-syntax]: this alias stands inside of what it refers to\n"
        " --> app.yaml:1:15\n"
        "  |\n"
        "1 | a: &x [1, {b: *x}]\n"
        "  |               ^\n"
        "  = help: a value cannot contain itself\n");
}

namespace {

std::string bomb(int levels) {
  std::string text = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= levels; ++i) {
    const std::string last = "*l" + std::to_string(i - 1);
    text += "l" + std::to_string(i) + ": &l" + std::to_string(i) + " [" + last;
    for (int k = 1; k < 10; ++k) {
      text += ", " + last;
    }
    text += "]\n";
  }
  return text;
}

}  // namespace

TEST_CASE("aliases that multiply are an error; others of the file stay", "[document][alias]") {
  const Parsed parsed("name: before\n---\n" + bomb(70) + "---\nname: after\n");
  REQUIRE(parsed.document.parts().size() == 2);
  CHECK(parsed.root(1).find("name")->text() == "after");
  REQUIRE(parsed.diagnostics.all().size() == 1);
  CHECK(parsed.diagnostics.all()[0].code == gxr::DiagnosticCode::TooManyAliasNodes);
  CHECK(parsed.diagnostics.all()[0].where.line > 3);
}

TEST_CASE("the bound on aliases holds for all documents together", "[document][alias]") {
  const std::string one = bomb(5);  // 11 + 111 + ... + 1,111,111 values, twice is too much
  CHECK(Parsed(one).messages().empty());
  const Parsed parsed(one + "---\n" + one + "---\n" + one + "---\n" + one);
  CHECK(parsed.diagnostics.errors() == 1);
  CHECK(parsed.document.parts().size() == 3);
}

TEST_CASE("aliases cannot nest without end", "[document][alias]") {
  std::string text = "a0: &a0 x\n";
  for (int i = 1; i < 900; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  const Parsed parsed(text);
  REQUIRE(parsed.diagnostics.errors() == 1);
  CHECK(parsed.diagnostics.all()[0].code == gxr::DiagnosticCode::TooManyAliasNodes);
  CHECK(parsed.diagnostics.all()[0].text == "aliases nest values more than 490 levels deep");
  CHECK(parsed.root().to_yaml().size() > 490);
}
