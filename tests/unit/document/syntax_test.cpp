#include <locale>
#include <string>

#include "catch.hpp"
#include "parsed.hpp"

using gxr::test::Parsed;

namespace {

/// First line of what is said, its place, and its hint.
std::string said(const std::string& text) {
  const Parsed parsed(text);
  std::string result;
  for (const gxr::Diagnostic& d : parsed.diagnostics.all()) {
    result +=
        gxr::test::place(d.where) + " " + d.text + (d.hint.empty() ? "" : " | " + d.hint) + "\n";
  }
  return result;
}

}  // namespace

TEST_CASE("a syntax error is shown where it is, in words", "[document][syntax]") {
  CHECK(Parsed("name: tx\ncomponents:\n- type: A\n   name: b\n").messages() ==
        "error[yaml-syntax]: a ':' is not expected here\n"
        " --> app.yaml:4:8\n"
        "  |\n"
        "4 |    name: b\n"
        "  |        ^\n"
        "  = help: check the indentation of this line and of the one before; a value that contains "
        "': ' has to be quoted\n");
}

TEST_CASE("each kind of syntax error has its own words", "[document][syntax]") {
  CHECK(said("a:\n\tb: 1\n") == "2:1 a tab cannot indent YAML | use spaces\n");
  CHECK(said("a: 1\n- b\n") ==
        "2:1 this does not belong to the map above it | the keys of a map start in the same "
        "column, and each is followed by ': '\n");
  CHECK(
      said("a: [- 1]\n") ==
      "1:5 a list item is not expected here | each '- ' of a list starts a line of its own, in the "
      "same column\n");
  CHECK(said("a: [1, 2\n") == "1:4 this list is never closed with ']'\n");
  CHECK(said("a: {b: 1\n\n") == "1:4 this map is never closed with '}'\n");
  CHECK(said("a: 1]\nb: ]\n") == "2:4 the ']' closes nothing | remove it, or quote the value\n");
  CHECK(said("a: @x\n") == "1:4 a value cannot start with '@' | put the value in quotes\n");
  CHECK(said("a: \"x \\q\"\n") ==
        "1:7 '\\q' is not an escape sequence of YAML | \\x takes two hexadecimal digits, \\u four; "
        "write '\\\\' for a backslash, or use single quotes\n");
  CHECK(said("a: \"\\ud800\"\n").starts_with("1:5 '\\ud800' is not an escape sequence of YAML"));
  CHECK(said("a: \"\\xzz b\"\n").starts_with("1:5 '\\xzz' is not an escape sequence of YAML"));
  CHECK(said("a: \"text\nb: 1\n") ==
        "1:4 the text that starts here has no closing quote | it would reach to the end of the "
        "document\n");
  CHECK(said("a: 'it''s\nb: 1\n---\nc: 1\n") ==
        "1:4 the text that starts here has no closing quote | it would reach to the end of the "
        "document\n");
  CHECK(said("{a: 1}\nb: 2\n") ==
        "2:1 this stands after the end of the document | check the indentation; a new document "
        "starts with a line '---'\n");
  CHECK(said("%YAML 3.0\n---\na: 1\n") == "1:1 this is a later version of YAML than 1.2\n");
}

TEST_CASE("an unclosed bracket names its start", "[document][syntax]") {
  CHECK(Parsed("a: [1, 2\nb: 3\n").messages() ==
        "error[yaml-syntax]: expected ',' or ']' here\n"
        " --> app.yaml:2:2\n"
        "  |\n"
        "2 | b: 3\n"
        "  |  ^\n"
        "  = help: is a ']' missing at the end of the line before?\n"
        "note: the list starts here\n"
        " --> app.yaml:1:4\n"
        "  |\n"
        "1 | a: [1, 2\n"
        "  |    ^\n");
}

TEST_CASE("an error leaves the other documents", "[document][syntax]") {
  const Parsed parsed("name: a\n---\nname: [\n---\nname: c\n---\nname: }\n---\nname: e\n");
  CHECK(parsed.document.parts().size() == 3);
  REQUIRE(parsed.diagnostics.errors() == 2);
  CHECK(parsed.diagnostics.all()[0].where.line == 3);
  CHECK(parsed.diagnostics.all()[1].where.line == 7);
}

TEST_CASE("bytes that are no YAML are shown", "[document][syntax]") {
  CHECK(said("a: b\nc: \xff\n") ==
        "2:4 the byte \\xff is not valid UTF-8 | save the file as UTF-8\n");
  CHECK(said("a: \xc3\n") == "1:4 the byte \\xc3 is not valid UTF-8 | save the file as UTF-8\n");
  CHECK(said("\xc3\xa4: \xed\xa0\x80\n") ==
        "1:4 the byte \\xed is not valid UTF-8 | save the file as UTF-8\n");
  CHECK(said(std::string("a: \0b\n", 6)) ==
        "1:4 a NUL byte is not allowed in YAML | this may be no text file at all\n");
  CHECK(said("a: \x1b[31m\n") ==
        "1:4 the control character \\x1b is not allowed in YAML | in double quotes it may be "
        "written as \\x1b\n");
  CHECK(said("a: b\n\xEF\xBB\xBF"
             "c: d\n") ==
        "2:1 a byte order mark (U+FEFF) stands at the start of this line | remove it; files that "
        "were joined often have it\n");
  CHECK(said(std::string("\xFF\xFE"
                         "a\0",
                         4)) ==
        "0:0 this is UTF-16 or UTF-32 text; gxr reads UTF-8 | save the file as UTF-8\n");
}

TEST_CASE("deep nesting is an error, not a crash", "[document][syntax]") {
  CHECK(said("a: " + std::string(100000, '[')).find("nested too deeply | 500 levels") !=
        std::string::npos);
  std::string block;
  for (int i = 0; i < 2000; ++i) {
    block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  CHECK(said(block).find("nested too deeply") != std::string::npos);
}

TEST_CASE("a root that is no map is an error, nothing at all a warning", "[document][syntax]") {
  CHECK(Parsed("- a\n").messages() ==
        "error[document-not-map]: this YAML document is a list, not a map\n"
        " --> app.yaml:1:1\n"
        "  |\n"
        "1 | - a\n"
        "  | ^\n"
        "  = help: a document has keys such as 'name:' and 'components:'\n");
  CHECK(said("--- text\n") ==
        "1:5 this YAML document is a single value, not a map | a document has keys such as 'name:' "
        "and 'components:'\n");
  CHECK(Parsed("").messages() ==
        "warning[empty-file]: this file has no YAML document\n"
        " --> app.yaml\n");
  CHECK(said("# only\n---\n---\n~\n") == "0:0 this file has no YAML document\n");
}

TEST_CASE("duplicate keys are found in every map", "[document][syntax]") {
  CHECK(said("a: 1\nb: {x: 1, y: 2, 'x': 3}\na: 2\n~: 1\nnull: 2\n'~': 3\n") ==
        "2:17 duplicate key 'x' | a map has each key once; remove one of the two\n"
        "3:1 duplicate key 'a' | a map has each key once; remove one of the two\n"
        "5:1 duplicate key 'null' | a map has each key once; remove one of the two\n");
  std::string large;
  for (int i = 0; i < 1000; ++i) {
    large += "key" + std::to_string(i % 999) + ": 1\n";
  }
  CHECK(said(large) ==
        "1000:1 duplicate key 'key0' | a map has each key once; remove one of the two\n");
  CHECK(Parsed("a: 1\na: 2\n", true).diagnostics.warnings() == 1);
}

namespace {

/// Numbers as in Germany, in whatever locales the machine has.
class German final : public std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

/// C++ streams of the process write numbers so while this object lives.
class GermanStreams {
 public:
  GermanStreams() : before_(std::locale::global(std::locale(std::locale::classic(), new German))) {}
  ~GermanStreams() { std::locale::global(before_); }
  GermanStreams(const GermanStreams&) = delete;
  GermanStreams& operator=(const GermanStreams&) = delete;

 private:
  std::locale before_;
};

}  // namespace

TEST_CASE("the version of YAML reads the same under every locale", "[document][locale]") {
  const GermanStreams german;
  CHECK(said("%YAML 1.2\n---\na: 1\n").empty());
  CHECK(said("# text\n\n%TAG ! tag:x,2000:\n%YAML  1.1  # old\n---\na: !t 1\n").empty());
  CHECK(said("%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n---\nb: 2\n").empty());
  CHECK(said("a: |\n  %YAML 1.2\nb: 'x\n\n  %YAML 1.2'\n").empty());
  CHECK(Parsed("---\na: \"\n%YAML 1.2\"\n").root().find("a")->text() == " %YAML 1.2");
  CHECK(said("%YAML 3.0\n---\na: 1\n") == "1:1 this is a later version of YAML than 1.2\n");
  CHECK(said("%YAML 1.x\n---\na: 1\n") == "1:1 %YAML takes a version | write %YAML 1.2\n");
  CHECK(said("%YAML 1.2.3\n---\na: 1\n") == "1:1 %YAML takes a version | write %YAML 1.2\n");
  CHECK(said("%YAML\n---\na: 1\n") ==
        "1:1 %YAML takes one argument, the version | write %YAML 1.2\n");
}

TEST_CASE("blanks that are no spaces are named where they change what is meant",
          "[document][syntax]") {
  const std::string hint = " | YAML takes spaces only; a text that has one has to be quoted\n";
  const std::string no_break = "a no-break space (U+00A0) stands ";
  CHECK(said("c:\n- a: 1\n\u00a0 b: 2\n") ==
        "3:1 " + no_break + "at the start of this line" + hint);
  CHECK(said("a:\n  \u00a0b: 2\n") == "2:3 " + no_break + "at the start of this line" + hint);
  CHECK(said("a:\n  b: c\n  \u00a0d: 2\n") ==
        "3:3 " + no_break + "at the start of this line" + hint);
  CHECK(said("a:\n-\u00a0b: 2\n") == "2:2 " + no_break + "behind this '-'" + hint);
  CHECK(said("a:\n- \u00a0b: 2\n") == "2:3 " + no_break + "before this key" + hint);
  CHECK(said("a:\u00a0b\n").starts_with("1:3 " + no_break + "behind this ':'" + hint));
  CHECK(said("a: {b: 1,\u00a0c: 2}\n") == "1:10 " + no_break + "before this key" + hint);
  CHECK(said("a\u00a0: b\n") == "1:2 " + no_break + "behind this key" + hint);
  CHECK(said("a: 1\n\u3000b: 2\n") ==
        "2:1 an ideographic space (U+3000) stands at the start of this line" + hint);
  CHECK(said("a: 1\n\u200bb: 2\n") ==
        "2:1 a zero-width space (U+200B) stands at the start of this line" + hint);
  CHECK(said("a:\n-\tb: 1\n\tc: 2\n") ==
        "2:2 a tab stands behind this '-', where it cannot indent what follows | use a space\n");
  CHECK(said("a:\n- \tb: 1\n") ==
        "2:3 a tab stands behind this '-', where it cannot indent what follows | use a space\n");
}

TEST_CASE("blanks that are no spaces are text within a text", "[document][syntax]") {
  CHECK(said("a: b\u00a0c\n").empty());
  CHECK(said("a: \u3000b\n").empty());
  CHECK(said("a: 'b\n\n  \u00a0c'\nb: |\n  \u00a0c\n  d\n").empty());
  CHECK(said("'\u00a0a': 1\n- b\n").find("U+00A0") == std::string::npos);
  CHECK(said("a: Attention\u00a0b\nc: [x\u00a0, y]\nd: -\u00a0e\n").empty());
  CHECK(said("a:\n-\tb\n-\t- c\n").find("tab") != std::string::npos);
  CHECK(said("a:\t1\nb: [\t1,\n\t2]\n").empty());
}

TEST_CASE("a key that is too long without a '?' is called so", "[document][syntax]") {
  const std::string key(1025, 'k');
  const std::string text =
      " this key has more than 1024 characters | write '? ' before it, and its ':' on the next "
      "line\n";
  CHECK(said("a: 1\n" + key + ": 2\n") == "2:1" + text);
  CHECK(said("a: {b: 1, " + key + ": 2}\n") == "1:11" + text);
  CHECK(said("a:\n- \"" + key + "\": 2\n") == "2:3" + text);
  CHECK(said("? " + key + "\n: 2\n").empty());
  CHECK(said("a: " + key + "\nb: 1: 2\n").find("1024") == std::string::npos);
}
