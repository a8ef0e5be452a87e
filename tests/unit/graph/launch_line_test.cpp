#include "graph/launch_line.hpp"

#include <random>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace gxr;

namespace {

/// A line that was read.
struct Read {
  explicit Read(const std::vector<std::string>& arguments) : text(join_arguments(arguments)) {
    line = read_launch_line(text.text, text.settings, 1, diagnostics);
  }
  explicit Read(const std::string& argument) : Read(std::vector<std::string>{argument}) {}

  /// "a(k=v :k=v) b.c | 0>1"
  [[nodiscard]] std::string shown() const {
    std::string shown;
    for (const LaunchNode& node : line.nodes) {
      shown += (shown.empty() ? "" : " ") + std::string(node.word.text);
      if (node.element == LaunchNode::kNone) {
        continue;
      }
      std::string settings;
      for (const LaunchSetting& setting : line.elements[node.element].parameters) {
        settings += (settings.empty() ? "" : " ") + text_of(setting);
      }
      for (const LaunchSetting& setting : line.elements[node.element].keys) {
        settings += (settings.empty() ? ":" : " :") + text_of(setting);
      }
      shown += settings.empty() ? "" : "(" + settings + ")";
    }
    for (const LaunchLink& link : line.links) {
      shown += (&link == line.links.data() ? " | " : " ") + std::to_string(link.from) + ">" +
               std::to_string(link.to);
    }
    return shown;
  }
  static std::string text_of(const LaunchSetting& setting) {
    return std::string(setting.key.text) + "=" + std::string(setting.value.text);
  }
  /// "line:column+length text" of each problem.
  [[nodiscard]] std::string problems() const {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      all += (all.empty() ? "" : "; ") + std::to_string(diagnostic.where.line) + ":" +
             std::to_string(diagnostic.where.column) + "+" + std::to_string(diagnostic.length) +
             " " + diagnostic.text;
    }
    return all;
  }

  LaunchText text;
  Diagnostics diagnostics;
  LaunchLine line;
};

std::string read(const std::string& argument) {
  const Read read(argument);
  INFO(read.problems());
  CHECK(read.diagnostics.all().empty());
  return read.shown();
}

}  // namespace

TEST_CASE("A line has chains of elements", "[launch]") {
  CHECK(read("a") == "a");
  CHECK(read("a ! b") == "a b | 0>1");
  CHECK(read("a!b!c") == "a b c | 0>1 1>2");
  CHECK(read(" a\t!\n b \r\n c ! d ") == "a b c d | 0>1 2>3");
  CHECK(read("x::A ! t. ! B t.out ! ::C") == "x::A t. B t.out ::C | 0>1 1>2 3>4");
  CHECK(read("a \\! b") == "a b | 0>1");
  const Read two("a ! b  t.p ! c");
  CHECK(two.line.nodes[2].name == "t");
  CHECK(two.line.nodes[2].port == "p");
}

TEST_CASE("Behind an element of a line stand its settings", "[launch]") {
  CHECK(read("a k=1 :n=2 l=3 ! b k=4") == "a(k=1 l=3 :n=2) b(k=4) | 0>1");
  CHECK(read("a k=b=c==d") == "a(k=b=c==d)");
  CHECK(read("a k=x!y") == "a(k=x!y)");
  CHECK(read(R"(a k="x ! \" = y" ! b)") == R"(a(k="x ! \" = y") b | 0>1)");
  CHECK(read("a k='it''s ! x' ! b") == "a(k='it''s ! x') b | 0>1");
  CHECK(read("a k='x'! b") == "a(k='x') b | 0>1");
  CHECK(read("a k=[1, 2] ! b") == "a(k=[1, 2]) b | 0>1");
  CHECK(read("a k={x: [1, 'a ]'], y: it's} ! b") == "a(k={x: [1, 'a ]'], y: it's}) b | 0>1");
  CHECK(read("a k=it's l=2") == "a(k=it's l=2)");
  CHECK(read("a k=[\n1,\n2] l=3") == "a(k=[\n1,\n2] l=3)");
}

TEST_CASE("Arguments are words of the line, or values with blanks", "[launch]") {
  const auto shown = [](const std::vector<std::string>& arguments) {
    return Read(arguments).shown();
  };
  CHECK(shown({"a", "!", "b", "k=1"}) == "a b(k=1) | 0>1");
  CHECK(shown({"a k=1", "!", "b"}) == "a(k=1) b | 0>1");
  CHECK(shown({"a", "k=x ! y", "!", "b"}) == "a(k=x ! y) b | 0>1");
  CHECK(shown({"a", ":k=x y", "l=2"}) == "a(l=2 :k=x y)");
  CHECK(shown({"a", "k=[1,", "2]", "l=2"}) == "a(k=[1, 2] l=2)");
  CHECK(shown({"a", "k=it's so"}) == "a(k=it's so)");
  CHECK(shown({"a b=c d"}) == "a(b=c) d");  // a line, not a value
  CHECK(shown({"", "a", ""}) == "a");
}

TEST_CASE("Places in a line count characters", "[launch]") {
  const Read read("ä !\n  b kö='ü' l=3");
  const LaunchElement& element = read.line.elements[1];
  CHECK(element.type.where == Location{2, 3, 1});
  CHECK(element.parameters[0].key.where == Location{2, 5, 1});
  CHECK(element.parameters[0].value.where == Location{2, 8, 1});
  CHECK(element.parameters[1].key.where == Location{2, 12, 1});
  CHECK(Read("a :name=b").line.elements[0].keys[0].key.where == Location{1, 4, 1});
}

TEST_CASE("What is wrong with a line has its place", "[launch]") {
  const auto problems = [](const std::string& argument) { return Read(argument).problems(); };
  CHECK(problems("") == "1:1+1 the line has no element");
  CHECK(problems(" \t ") == "1:1+1 the line has no element");
  CHECK(problems("! a") == "1:1+1 nothing stands in front of this '!'");
  CHECK(problems("a !") == "1:3+1 nothing follows this '!'");
  CHECK(problems("a ! ! b") == "1:5+1 nothing stands between two '!'");
  CHECK(problems("a k=\"b") == "1:5+1 this quote is not closed");
  CHECK(problems("a k='b''") == "1:5+1 this quote is not closed");
  CHECK(problems("a k=[{]") == "1:7+1 ']' closes '{'");
  CHECK(problems("a k=[[]") == "1:5+1 this bracket is not closed");
  CHECK(problems("a k='b'c") == "1:8+1 the value goes on behind its end");
  CHECK(problems("a k=b! c") == "1:6+1 a blank is missing in front of this '!'");
  CHECK(problems("a k= b=1") == "1:3+1 'k=' has no value");
  CHECK(problems("k=1 a") == "1:1+1 'k=' stands in front of the first element");
  CHECK(problems("a t.") == "1:3+2 't.' is joined to nothing");
  CHECK(problems("a ! t.p ! b") == "1:5+3 't.p' stands between two '!', but a port has one side");
  CHECK(problems("a ! t.p k=1") == "1:9+1 't.p' takes no settings");
  CHECK(problems("a\xff b") == "1:2+1 the byte \\xff is not valid UTF-8");
  CHECK(problems(std::string("a\0b", 3)) == "1:2+1 a NUL byte is not allowed in YAML");
  CHECK(problems("a(k=1) ! b") == "1:1+3 'a(k' is no key");
}

TEST_CASE("Settings of a word that cannot be read are not reported, too", "[launch]") {
  CHECK(Read("'a k=1 ! b").problems() ==
        "1:1+2 ''a' is neither the type of an element nor KEY=VALUE");
}

TEST_CASE("A line with many mistakes ends the reading", "[launch]") {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += "( ";
  }
  CHECK(Read(text).diagnostics.all().size() == 20);
}

TEST_CASE("Any line of special characters can be read", "[launch]") {
  const std::string characters = "ab=:!.'\"[]{}, \\\n#&*|-";
  std::mt19937 random(7);  // NOLINT: the same lines each time
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t length = random() % 40; length > 0; --length) {
      text += characters[random() % characters.size()];
    }
    const Read read(text);
    for (const LaunchLink& link : read.line.links) {
      REQUIRE(link.from < link.to);
      REQUIRE(link.to < read.line.nodes.size());
    }
  }
}
