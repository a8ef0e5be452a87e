#include "catch.hpp"
#include "parsed.hpp"

using gxr::test::dump;
using gxr::test::Parsed;

TEST_CASE("every node has its kind, text and place", "[document]") {
  const Parsed parsed(
      "%YAML 1.2\n"
      "--- # a comment\n"
      "name: tx\n"
      "components:\n"
      "- type: nvidia::gxf::PingTx   # another\n"
      "  parameters: {signal: signal, 'clock': \"sched/clock\"}\n"
      "-   - x\n"
      "    - [1, 2.5]\n");
  CHECK(parsed.messages().empty());
  CHECK(dump(parsed.root()) ==
        "3:1 map\n"
        "  3:1 plain <name>\n"
        "  3:7 plain <tx>\n"
        "  4:1 plain <components>\n"
        "  5:1 list\n"
        "    5:3 map\n"
        "      5:3 plain <type>\n"
        "      5:9 plain <nvidia::gxf::PingTx>\n"
        "      6:3 plain <parameters>\n"
        "      6:15 flow map\n"
        "        6:16 plain <signal>\n"
        "        6:24 plain <signal>\n"
        "        6:32 quoted <clock>\n"
        "        6:41 quoted <sched/clock>\n"
        "    7:5 list\n"
        "      7:7 plain <x>\n"
        "      8:7 flow list\n"
        "        8:8 plain <1>\n"
        "        8:11 plain <2.5>\n");
}

TEST_CASE("nulls keep their text; an empty one is placed behind what awaits it", "[document]") {
  const Parsed parsed(
      "a: ~\n"
      "b: null\n"
      "c:\n"
      "d:   # nothing: at all\n"
      "\n"
      "null: Null\n"
      "e:\n"
      "- \n"
      "- NULL\n"
      "f: {x: , null: y, z}\n"
      "g: nullable\n"
      "h: \"null\"\n"
      "i: ''\n");
  CHECK(parsed.messages().empty());
  CHECK(dump(parsed.root()) ==
        "1:1 map\n"
        "  1:1 plain <a>\n"
        "  1:4 null <~>\n"
        "  2:1 plain <b>\n"
        "  2:4 null <null>\n"
        "  3:1 plain <c>\n"
        "  3:3 null <>\n"
        "  4:1 plain <d>\n"
        "  4:3 null <>\n"
        "  6:1 null <null>\n"
        "  6:7 null <Null>\n"
        "  7:1 plain <e>\n"
        "  8:1 list\n"
        "    8:2 null <>\n"
        "    9:3 null <NULL>\n"
        "  10:1 plain <f>\n"
        "  10:4 flow map\n"
        "    10:5 plain <x>\n"
        "    10:7 null <>\n"
        "    10:10 null <null>\n"
        "    10:16 plain <y>\n"
        "    10:19 plain <z>\n"
        "    10:20 null <>\n"
        "  11:1 plain <g>\n"
        "  11:4 plain <nullable>\n"
        "  12:1 plain <h>\n"
        "  12:4 quoted <null>\n"
        "  13:1 plain <i>\n"
        "  13:4 quoted <>\n");
}

TEST_CASE("anchors and tags do not move a value", "[document]") {
  const Parsed parsed(
      "a: &x 1\n"
      "b: !ms 5\n"
      "c: !!str ~\n"
      "d: &y !t \"q\"\n"
      "e: &z\n"
      "  k: v\n"
      "f: !list [1]\n"
      "g: &empty\n"
      "h: !!str\n"
      "\"i\": &n ~\n"
      "j: !<tag:example.org,2000:x> |\n"
      "  text\n"
      "k: ! plain\n"
      "l: !!seq\n"
      "- &q [deep]\n");
  CHECK(parsed.messages().empty());
  CHECK(dump(parsed.root()) ==
        "1:1 map\n"
        "  1:1 plain <a>\n"
        "  1:7 plain <1>\n"
        "  2:1 plain <b>\n"
        "  2:8 !ms plain <5>\n"
        "  3:1 plain <c>\n"
        "  3:10 tag:yaml.org,2002:str plain <~>\n"
        "  4:1 plain <d>\n"
        "  4:10 !t quoted <q>\n"
        "  5:1 plain <e>\n"
        "  6:3 map\n"
        "    6:3 plain <k>\n"
        "    6:6 plain <v>\n"
        "  7:1 plain <f>\n"
        "  7:10 !list flow list\n"
        "    7:11 plain <1>\n"
        "  8:1 plain <g>\n"
        "  8:4 null <>\n"
        "  9:1 plain <h>\n"
        "  9:4 tag:yaml.org,2002:str plain <>\n"
        "  10:1 quoted <i>\n"
        "  10:9 null <~>\n"
        "  11:1 plain <j>\n"
        "  11:30 tag:example.org,2000:x quoted <text\n>\n"
        "  13:1 plain <k>\n"
        "  13:6 quoted <plain>\n"
        "  14:1 plain <l>\n"
        "  15:1 tag:yaml.org,2002:seq list\n"
        "    15:6 flow list\n"
        "      15:7 plain <deep>\n");
}

TEST_CASE("columns count characters, whatever their bytes", "[document]") {
  const Parsed parsed(
      "name: \"k\u00e4fer \U0001F41E\"   \n\u00fc: {\u00f6: x, y: \u65e5\u672c, z: 1}\n");
  CHECK(parsed.messages().empty());
  CHECK(dump(parsed.root()) ==
        "1:1 map\n"
        "  1:1 plain <name>\n"
        "  1:7 quoted <k\u00e4fer \U0001F41E>\n"
        "  2:1 plain <\u00fc>\n"
        "  2:4 flow map\n"
        "    2:5 plain <\u00f6>\n"
        "    2:8 plain <x>\n"
        "    2:11 plain <y>\n"
        "    2:14 plain <\u65e5\u672c>\n"
        "    2:18 plain <z>\n"
        "    2:21 plain <1>\n");
}

TEST_CASE("byte order mark and line ends do not count", "[document]") {
  const std::string expected =
      dump(Parsed("a: b\nc:\n  d: 'e\n    f'\ng: |\n  h\n  i\nj: k\n").root());
  CHECK(dump(Parsed("\xEF\xBB\xBF"
                    "a: b\nc:\n  d: 'e\n    f'\ng: |\n  h\n  i\nj: k\n")
                 .root()) == expected);
  CHECK(dump(Parsed("a: b\r\nc:\r\n  d: 'e\r\n    f'\r\ng: |\r\n  h\r\n  i\r\nj: k\r\n").root()) ==
        expected);
  CHECK(dump(Parsed("a: b\rc:\r  d: 'e\r    f'\rg: |\r  h\r  i\rj: k\r").root()) == expected);
}

TEST_CASE("texts are meant as YAML reads them", "[document]") {
  const Parsed parsed(
      "a: 'it''s'\n"
      "b: \"tab\\t\\u00e9\\x41\"\n"
      "c: >-\n  folded\n  text\n"
      "d: |+\n  kept\n\n"
      "e: plain\n  over lines\n"
      "f: \"\\0\"\n");
  CHECK(parsed.messages().empty());
  CHECK(parsed.root().find("a")->text() == "it's");
  CHECK(parsed.root().find("b")->text() ==
        "tab\t\u00e9"
        "A");
  CHECK(parsed.root().find("c")->text() == "folded text");
  CHECK(parsed.root().find("d")->text() == "kept\n\n");
  CHECK(parsed.root().find("e")->text() == "plain over lines");
  CHECK_FALSE(parsed.root().find("e")->quoted());
  CHECK(parsed.root().find("f")->text() == std::string_view("\0", 1));
  CHECK(parsed.root().find("a")->quoted());
  CHECK(parsed.root().find("c")->quoted());
}

TEST_CASE("documents keep their order; empty ones are nothing", "[document]") {
  const Parsed parsed(
      "# head\n---\n---\nname: a\n...\n# between\n%YAML 1.2\n---\nname: b\n--- # c\nname: "
      "c\n---\n~\n"
      "--- {name: d}\n...\nname: e\n");
  CHECK(parsed.messages().empty());
  REQUIRE(parsed.document.parts().size() == 5);
  std::string names;
  for (const gxr::DocumentPart& part : parsed.document.parts()) {
    names += std::string(part.root->find("name")->text()) + "@" +
             gxr::test::place(*part.root->find("name")) + " ";
  }
  CHECK(names == "a@4:7 b@9:7 c@11:7 d@14:12 e@16:7 ");
}

TEST_CASE("find returns the first entry of a scalar key", "[document]") {
  const Parsed parsed("a: 1\na: 2\n~: 3\n'null': 4\n? [x]\n: 5\n");
  CHECK(parsed.root().find("a")->text() == "1");
  CHECK(parsed.root().find("null")->text() == "4");
  CHECK(parsed.root().find("x") == nullptr);
  CHECK(parsed.root().find("a")->find("b") == nullptr);
}
