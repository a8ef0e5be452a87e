#include "catch.hpp"
#include "gxr/error.hpp"
#include "parsed.hpp"

namespace {

using gxr::Diagnostics;
using gxr::Document;

struct Arguments {
  explicit Arguments(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      document.add_override(argument, diagnostics);
    }
  }
  [[nodiscard]] std::string messages() const {
    return render_text(diagnostics, document.sources(), false);
  }
  Document document;
  Diagnostics diagnostics;
};

/// "entity|component|parameter = value" of a single argument.
std::string read(const std::string& argument) {
  const Arguments read({argument});
  INFO(read.messages());
  REQUIRE(read.document.overrides().size() == 1);
  REQUIRE(read.diagnostics.all().empty());
  const gxr::Override& found = read.document.overrides().front();
  return found.entity + "|" + found.component + "|" + found.parameter + " = " +
         found.value->to_yaml();
}

}  // namespace

TEST_CASE("an override names entity, component and parameter", "[document][override]") {
  CHECK(read("source/camera/rate=30") == "source|camera|rate = 30");
  CHECK(read("source/rate=30") == "source||rate = 30");
  CHECK(read("/clock/x=1") == "|clock|x = 1");
  CHECK(read("/x=1") == "||x = 1");
  CHECK(read("tx/nvidia::gxf::PingTx/signal=a/b") == "tx|nvidia::gxf::PingTx|signal = a/b");
  CHECK(read("a.b c..d/e f/g=1") == "a.b c..d|e f|g = 1");
}

TEST_CASE("the value is all that follows the first '=', as YAML", "[document][override]") {
  CHECK(read("a/b=c=d==e") == "a||b = c=d==e");
  CHECK(read("a/b=[1, {x: 2}]") == "a||b = [1, {x: 2}]");
  CHECK(read("a/b=") == "a||b = ~");
  CHECK(read("a/b=null") == "a||b = null");
  CHECK(read("a/b='null'") == "a||b = \"null\"");
  CHECK(read("a/b=\"x y\"") == "a||b = x y");
  CHECK(read("a/b=/photos/*.png") == "a||b = /photos/*.png");
  CHECK(read("a/b=*.png") == "a||b = \"*.png\"");
  CHECK(read("a/b=@home") == "a||b = \"@home\"");
  CHECK(read("a/b=<Unspecified>") == "a||b = <Unspecified>");
  CHECK(read("a/b=# only a comment") == "a||b = ~");
  CHECK(read("a/b= 5 ") == "a||b = 5");
}

TEST_CASE("an override knows where it was written", "[document][override]") {
  const Arguments read({"x/y=1", "\u00e4/b=[1,\n  2]"});
  REQUIRE(read.document.overrides().size() == 2);
  const gxr::Override& second = read.document.overrides()[1];
  const gxr::SourceMap& sources = read.document.sources();
  CHECK(sources.describe(second.where) == "--param:1:1");
  CHECK(second.length == 3);
  CHECK(sources.describe(second.value->location()) == "--param:1:5");
  CHECK(sources.describe(second.value->at(0).location()) == "--param:1:6");
  CHECK(sources.describe(second.value->at(1).location()) == "--param:2:3");
  CHECK(sources.at(second.where.source).kind == gxr::Source::Kind::Argument);
  CHECK(second.where.source == read.document.overrides()[0].where.source + 1);
}

TEST_CASE("what is wrong with an override is pointed at", "[document][override]") {
  const Arguments read(
      {"no value", "rate=3", "a/b/c/d=1", "a//c=1", "a/b/=1", "a/b=[1, 2", "=", ""});
  CHECK(read.document.overrides().empty());
  const std::string help =
      "  = help: write ENTITY/COMPONENT/PARAMETER=VALUE or ENTITY/PARAMETER=VALUE\n";
  const auto block = [&](const std::string& text, const std::string& argument,
                         const std::string& marker) {
    return "error[override-syntax]: " + text + "\n --> --param:1:1\n  |\n1 | " + argument +
           "\n  | " + marker + "\n" + help;
  };
  CHECK(read.messages() ==
        block("'no value' has no '='", "no value", "^^^^^^^^") + "\n" +
            block("'rate' has no '/' between entity and parameter", "rate=3", "^^^^") + "\n" +
            block("'a/b/c/d' has more than three parts between '/'", "a/b/c/d=1", "^^^^^^^") +
            "\n" + block("'a//c' has an empty component name", "a//c=1", "^^^^") + "\n" +
            block("'a/b/' names no parameter", "a/b/=1", "^^^^") + "\n" +
            "error[override-syntax]: this list is never closed with ']'\n"
            " --> --param:1:5\n"
            "  |\n"
            "1 | a/b=[1, 2\n"
            "  |     ^\n\n" +
            block("'' has no '/' between entity and parameter", "=", "^") + "\n" +
            "error[override-syntax]: '' has no '='\n --> --param:1:1\n" + help);
}

TEST_CASE("a value is one YAML document", "[document][override]") {
  CHECK(Arguments({"a/b=--- 1\n--- 2"}).messages() ==
        "error[override-syntax]: the value is more than one YAML document\n"
        " --> --param:1:5\n"
        "  |\n"
        "1 | a/b=--- 1\n"
        "  |     ^\n");
  CHECK(Arguments({"a/b=x\xff"}).messages() ==
        "error[override-syntax]: the byte \\xff is not valid UTF-8\n"
        " --> --param:1:6\n"
        "  |\n"
        "1 | a/b=x\\xff\n"
        "  |      ^^^^\n"
        "  = help: save the file as UTF-8\n");
  const Arguments lines({"a\nb/c=[1]"});
  CHECK(lines.document.sources().describe(lines.document.overrides().at(0).value->location()) ==
        "--param:2:5");
  CHECK(Arguments({"a/b={x: 1, x: 2}"}).diagnostics.all().at(0).code ==
        gxr::DiagnosticCode::DuplicateKey);
}

TEST_CASE("values can be made by the program", "[document]") {
  Document document;
  const gxr::Value& value = document.make_value("{a: [1, ~], b: 'x'}", 0, {3, 4, 0});
  CHECK(value.to_yaml() == "{a: [1, ~], b: x}");
  CHECK(gxr::test::place(*value.find("b")) == "3:4");
  CHECK(document.make_value("").is_null());
  CHECK(document.make_value("null").text() == "null");
  CHECK_FALSE(document.make_value("x").location().known());
  CHECK_THROWS_AS(document.make_value("["), gxr::Error);
  CHECK_THROWS_AS(document.make_value("--- a\n--- b"), gxr::Error);
  const Document moved = std::move(document);
  CHECK(value.find("b")->text() == "x");
}
