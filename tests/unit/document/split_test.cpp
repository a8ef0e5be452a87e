#include "catch.hpp"
#include "document/document_split.hpp"
#include "document/parallel_parse.hpp"
#include "parsed.hpp"

namespace {

using gxr::test::dump;

/// "line:text" of each stretch.
std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> result;
  for (const gxr::YamlStretch& stretch : gxr::split_documents(text, 1)) {
    result.push_back(std::to_string(stretch.line) + ":" + std::string(stretch.text));
  }
  return result;
}

using Pieces = std::vector<std::string>;

/// Documents of many shapes, some of them wrong.
std::string large_text() {
  std::string text = "%YAML 1.2\n";
  for (int i = 0; i < 3000; ++i) {
    const std::string n = std::to_string(i);
    text += "---\nname: e" + n + "\ncomponents: &c\n- type: a::B\n  parameters: {x: " + n +
            ", y: \u00e9}\n";
    text += i % 7 == 0 ? "same: *c\n" : "";
    text += i % 501 == 3 ? "a: 1\na: 2\n" : "";
    text += i % 500 == 9 ? "wrong: [\n" : "";
    text += i % 100 == 5 ? "...\n# end\n%YAML 1.2\n" : "";
  }
  return text;
}

std::string everything(const gxr::ParsedText& parsed) {
  std::string result;
  for (const gxr::YamlTree& tree : parsed.result.trees) {
    result += dump(*tree.root) + std::to_string(tree.alias_nodes) + "\n";
  }
  for (const gxr::Diagnostic& problem : parsed.result.problems) {
    result += gxr::test::place(problem.where) + " " + problem.text + "\n";
  }
  return result;
}

}  // namespace

TEST_CASE("a line of three dashes separates, and nothing else", "[document][split]") {
  CHECK(pieces("a\n---\nb\n--- c\n---d\n ---\n---\tx\n---") ==
        Pieces{"1:a\n", "2:---\nb\n", "4:--- c\n---d\n ---\n", "7:---\tx\n", "8:---"});
  CHECK(pieces("").empty());
  CHECK(pieces("---\n---\r\n---") == Pieces{"1:---\n", "2:---\r\n", "3:---"});
}

TEST_CASE("directives go with the document behind them", "[document][split]") {
  CHECK(pieces("%YAML 1.2\n---\na\n") == Pieces{"1:%YAML 1.2\n---\na\n"});
  CHECK(pieces("# c\n\n%YAML 1.2\n# d\n---\na\n...\n# e\n%TAG ! x\n\n# f\n---\nb\n") ==
        Pieces{"1:# c\n\n", "3:%YAML 1.2\n# d\n---\na\n...\n# e\n", "9:%TAG ! x\n\n# f\n---\nb\n"});
  CHECK(pieces("a: |\n  %x\n---\nb\n") == Pieces{"1:a: |\n  %x\n", "3:---\nb\n"});
}

TEST_CASE("threads do not change the result", "[document][split]") {
  const std::string text = large_text();
  const std::string serial = everything(gxr::parse_documents(text, 1, 1));
  CHECK(serial.size() > text.size());
  CHECK(everything(gxr::parse_documents(text, 1, 2)) == serial);
  CHECK(everything(gxr::parse_documents(text, 1, 7)) == serial);
  CHECK(everything(gxr::parse_documents(text, 1, 0)) == serial);
}

TEST_CASE("lines are exact across all pieces", "[document][split]") {
  const gxr::test::Parsed parsed(large_text());
  std::size_t seen = 0;
  for (const gxr::DocumentPart& part : parsed.document.parts()) {
    const gxr::Value& name = *part.root->find("name");
    const std::string_view line = parsed.document.sources().line(part.source, name.location().line);
    seen += line == "name: " + std::string(name.text()) ? 1U : 0U;
  }
  CHECK(seen == parsed.document.parts().size());
  CHECK(seen == 3000 - 6);
  CHECK(parsed.diagnostics.errors() == 6 + 6);
}

TEST_CASE("tag directives hold for one document", "[document][split]") {
  const gxr::test::Parsed parsed("%TAG !e! tag:example.org,2000:\n---\na: !e!x 1\n---\na: !x 1\n");
  CHECK(parsed.root(0).find("a")->tag() == "tag:example.org,2000:x");
  CHECK(parsed.root(1).find("a")->tag() == "!x");
}
