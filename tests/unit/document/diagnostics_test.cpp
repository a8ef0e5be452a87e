#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "document/source_line.hpp"
#include "document/utf8.hpp"
#include "parsed.hpp"

namespace {

using gxr::DiagnosticCode;
using gxr::Diagnostics;

struct Fixture {
  gxr::SourceMap sources;
  Diagnostics diagnostics;

  std::uint16_t file(const std::string& text, const std::string& name = "app.yaml") {
    return sources.add({gxr::Source::Kind::File, name, text});
  }
  [[nodiscard]] std::string text(bool color = false) const {
    return render_text(diagnostics, sources, color);
  }
};

}  // namespace

TEST_CASE("a diagnostic shows line, caret and help", "[document][diagnostics]") {
  Fixture f;
  const std::uint16_t file = f.file(std::string(11, '\n') + "  type: nvidia::gxf::PingTxx\n");
  f.diagnostics.add(DiagnosticCode::UnknownType, {12, 9, file}, 20,
                    "unknown type 'nvidia::gxf::PingTxx'", "did you mean 'nvidia::gxf::PingTx'?");
  CHECK(f.text() ==
        "error[unknown-type]: unknown type 'nvidia::gxf::PingTxx'\n"
        "  --> app.yaml:12:9\n"
        "   |\n"
        "12 |   type: nvidia::gxf::PingTxx\n"
        "   |         ^^^^^^^^^^^^^^^^^^^^\n"
        "   = help: did you mean 'nvidia::gxf::PingTx'?\n");
}

TEST_CASE("several diagnostics, related places, no place at all", "[document][diagnostics]") {
  Fixture f;
  std::string text = "first: 1\n";
  text += std::string(98, '\n') + "second: 2\n";
  const std::uint16_t file = f.file(text);
  f.diagnostics.add(DiagnosticCode::DuplicateComponent, {1, 1, file}, 5, "two of them").related = {
      {{100, 1, file}, "the other one"}, {{0, 0, file}, "somewhere here"}};
  f.diagnostics.add(DiagnosticCode::NoScheduler, {}, 1, "the app has no scheduler",
                    "add one:\n  - type: nvidia::gxf::GreedyScheduler");
  CHECK(f.text() ==
        "warning[duplicate-component]: two of them\n"
        "   --> app.yaml:1:1\n"
        "    |\n"
        "  1 | first: 1\n"
        "    | ^^^^^\n"
        "note: the other one\n"
        "   --> app.yaml:100:1\n"
        "    |\n"
        "100 | second: 2\n"
        "    | ^\n"
        "note: somewhere here\n"
        "   --> app.yaml\n"
        "\n"
        "error[no-scheduler]: the app has no scheduler\n"
        "  = help: add one:\n"
        "            - type: nvidia::gxf::GreedyScheduler\n");
  CHECK(f.diagnostics.errors() == 1);
  CHECK(f.diagnostics.warnings() == 1);
}

TEST_CASE("colours go around words, not into lines", "[document][diagnostics]") {
  Fixture f;
  const std::uint16_t file = f.file("a: b\n");
  f.diagnostics.add(DiagnosticCode::ParameterValue, {1, 4, file}, 1, "wrong", "other");
  CHECK(f.text(true) ==
        "\x1b[1;31merror[parameter-value]\x1b[0m\x1b[1m: wrong\x1b[0m\n"
        " \x1b[1;34m--> \x1b[0mapp.yaml:1:4\n"
        "\x1b[1;34m  |\x1b[0m\n"
        "\x1b[1;34m1 |\x1b[0m a: b\n"
        "\x1b[1;34m  |\x1b[0m \x1b[1;31m   ^\x1b[0m\n"
        " \x1b[1;34m = \x1b[0m\x1b[1mhelp\x1b[0m: other\n");
}

TEST_CASE("nothing that a file holds reaches the terminal raw", "[document][diagnostics]") {
  Fixture f;
  const std::uint16_t file = f.file("a: \x1b[2J\xff\u202e x\n", "bad\nname");
  f.diagnostics.add(DiagnosticCode::ParameterValue, {1, 4, file}, 4,
                    "'\x1b[2J\x07\xff\u202e' is no number");
  CHECK(f.text() ==
        "error[parameter-value]: '\\x1b[2J\\x07\\xff\\u202e' is no number\n"
        " --> bad\\nname:1:4\n"
        "  |\n"
        "1 | a: \\x1b[2J\\xff\\u202e x\n"
        "  |    ^^^^^^^\n");
}

TEST_CASE("the caret stands right under tabs, accents and wide characters",
          "[document][diagnostics]") {
  const auto marked = [](std::string_view line, std::uint32_t column, std::uint32_t length) {
    const gxr::MarkedLine result = gxr::mark_line(line, column, length);
    return result.line + "\n" + result.marker;
  };
  CHECK(marked("a:\t\tb", 5, 1) == "a:        b\n          ^");
  CHECK(marked("a:\tb", 3, 1) == "a:    b\n  ^^^^");
  CHECK(marked("\u00e9\u00e9: x", 5, 1) == "\u00e9\u00e9: x\n    ^");
  CHECK(marked("\u65e5\u672c: x", 5, 1) == "\u65e5\u672c: x\n      ^");
  CHECK(marked("x: \u65e5\u672c", 4, 2) == "x: \u65e5\u672c\n   ^^^^");
  CHECK(marked("e\u0301: x", 5, 1) == "e\u0301: x\n   ^");
  CHECK(marked("short", 6, 10) == "short\n     ^");
  CHECK(marked("short", 3, 10) == "short\n  ^^^");
  CHECK(marked("a: *x # c", 4, 50) == "a: *x # c\n   ^^");
  CHECK(marked("", 1, 1) == "\n^");
  CHECK(marked("x", 4000000000U, 4000000000U).ends_with("^"));
}

TEST_CASE("long lines are cut around the caret", "[document][diagnostics]") {
  std::string line;
  for (int i = 0; i < 1000; ++i) {
    line += std::to_string(i % 10);
  }
  const auto check = [&](std::uint32_t column, std::uint32_t length) {
    const gxr::MarkedLine result = gxr::mark_line(line, column, length);
    CHECK(result.line.size() <= 100);
    CHECK(result.marker.size() <= 100);
    const std::size_t caret = result.marker.find('^');
    CHECK(result.line[caret] == line[column - 1]);
    return result;
  };
  CHECK(check(1, 3).line.ends_with("..."));
  CHECK(check(1, 3).marker == "^^^");
  CHECK(check(500, 5).line.starts_with("..."));
  CHECK(check(500, 5).marker.ends_with(" ^^^^^"));
  CHECK(check(1000, 1).line.starts_with("..."));
  CHECK(check(1000, 1).marker.size() == 100 - 3);
  CHECK(gxr::mark_line(line.substr(0, 100), 100, 1).line == line.substr(0, 100));
  std::string wide;
  for (int i = 0; i < 1000; ++i) {
    wide += "\u65e5";
  }
  CHECK(gxr::mark_line(wide, 500, 1).marker.ends_with(" ^^"));
}

TEST_CASE("diagnostics are JSON as well", "[document][diagnostics]") {
  Fixture f;
  const std::uint16_t file = f.file("a: *x, b\n");
  f.diagnostics.add(DiagnosticCode::ParameterValue, {1, 4, file}, 30, "bad \xff byte", "h")
      .related.push_back({{1, 1, file}, "key"});
  f.diagnostics.add(DiagnosticCode::EmptyFile, {0, 0, file}, 1, "w");
  f.diagnostics.add(DiagnosticCode::NoScheduler, {}, 1, "n");
  CHECK(render_json(f.diagnostics, f.sources) == R"({
  "diagnostics": [
    {
      "code": "parameter-value",
      "severity": "error",
      "text": "bad )"
                                                 "\xEF\xBF\xBD"
                                                 R"( byte",
      "file": "app.yaml",
      "line": 1,
      "column": 4,
      "length": 2,
      "hint": "h",
      "related": [
        {
          "text": "key",
          "file": "app.yaml",
          "line": 1,
          "column": 1
        }
      ]
    },
    {
      "code": "empty-file",
      "severity": "warning",
      "text": "w",
      "file": "app.yaml",
      "line": null,
      "column": null,
      "length": 1,
      "hint": "",
      "related": []
    },
    {
      "code": "no-scheduler",
      "severity": "error",
      "text": "n",
      "file": null,
      "line": null,
      "column": null,
      "length": 1,
      "hint": "",
      "related": []
    }
  ],
  "errors": 2,
  "warnings": 1
}
)");
  CHECK(nlohmann::json::parse(render_json(Diagnostics(), f.sources))["diagnostics"].empty());
}

TEST_CASE("diagnostics are sorted as one reads, each said once", "[document][diagnostics]") {
  Fixture f;
  Diagnostics& d = f.diagnostics;
  const std::uint16_t first = f.file("x", "1");
  const std::uint16_t second = f.file("x", "2");
  d.add(DiagnosticCode::NoScheduler, {}, 1, "program");
  d.add(DiagnosticCode::UnknownType, {1, 5, second}, 1, "later file");
  d.add(DiagnosticCode::UnknownType, {2, 1, first}, 1, "line 2");
  d.add(DiagnosticCode::UnknownType, {1, 5, first}, 1, "column 5");
  d.add(DiagnosticCode::AbstractType, {1, 5, first}, 1, "column 5");
  d.add(DiagnosticCode::UnknownType, {1, 5, first}, 1, "column 5");
  d.add(DiagnosticCode::EmptyFile, {0, 0, first}, 1, "whole file");
  d.sort();
  std::string order;
  for (const gxr::Diagnostic& item : d.all()) {
    order += item.text + "; ";
  }
  CHECK(order == "whole file; column 5; column 5; line 2; later file; program; ");
  CHECK(d.errors() == 5);
  CHECK(d.warnings() == 1);
}

TEST_CASE("--compat gxf makes warnings of what GXF tolerates", "[document][diagnostics]") {
  Diagnostics strict;
  Diagnostics compat(true);
  for (Diagnostics* d : {&strict, &compat}) {
    d->add(DiagnosticCode::UnknownParameter, {}, 1, "a");
    d->add(DiagnosticCode::UnknownType, {}, 1, "b");
    d->add(DiagnosticCode::DuplicateConnection, {}, 1, "c");
  }
  CHECK(strict.errors() == 2);
  CHECK(compat.errors() == 1);
  CHECK(compat.all()[0].severity == gxr::Severity::Warning);
}

TEST_CASE("a value is underlined with its quotes", "[document][diagnostics]") {
  const gxr::test::Parsed parsed("a: 'x y'\nb: [1]\n\u00e9: \u65e5\u672c\nd:\n");
  CHECK(gxr::underline_length(*parsed.root().find("a")) == 5);
  CHECK(gxr::underline_length(*parsed.root().find("b")) == 1);
  CHECK(gxr::underline_length(*parsed.root().find("\u00e9")) == 2);
  CHECK(gxr::underline_length(*parsed.root().find("d")) == 1);
}

TEST_CASE("a limited text prefers errors and keeps their order", "[document][diagnostics]") {
  Fixture f;
  f.diagnostics.add(DiagnosticCode::DuplicateConnection, {}, 1, "first warning");
  f.diagnostics.add(DiagnosticCode::UnknownType, {}, 1, "first error");
  f.diagnostics.add(DiagnosticCode::DuplicateConnection, {}, 1, "second warning");
  f.diagnostics.add(DiagnosticCode::UnknownType, {}, 1, "second error");
  const auto text = [&](std::size_t number) {
    return render_text(f.diagnostics, f.sources, false, number);
  };
  CHECK(text(0).empty());
  CHECK(text(1) == "error[unknown-type]: first error\n");
  CHECK(text(3) ==
        "warning[duplicate-connection]: first warning\n\nerror[unknown-type]: first error\n\n"
        "error[unknown-type]: second error\n");
  CHECK(text(4) == f.text());
}

TEST_CASE("controls and invalid bytes are escaped line by line", "[document][diagnostics]") {
  CHECK(gxr::printable_lines("a\x1b[1m\nb\xff\tc", "  ") == "a\\x1b[1m\n  b\\xff\\tc");
}
