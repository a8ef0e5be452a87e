#include "document/yaml_cache.hpp"

#include <string>

#include "catch.hpp"
#include "document/parallel_parse.hpp"

namespace gxr {
namespace {

/// All that a value says, with its places.
std::string as_text(const Value& value) {
  const Location where = value.location();
  std::string text = std::to_string(where.source) + ":" + std::to_string(where.line) + ":" +
                     std::to_string(where.column) + std::string(value.tag()) +
                     (value.quoted() ? "q" : "") + (value.flow() ? "f" : "") +
                     std::to_string(static_cast<int>(value.kind())) + "'" +
                     std::string(value.text()) + "'";
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += value.is_map() ? "{" + as_text(value.key(i)) + as_text(value.value(i)) + "}"
                           : "[" + as_text(value.at(i)) + "]";
  }
  return text;
}

std::string as_text(const YamlTrees& trees) {
  std::string text;
  for (const YamlTree& tree : trees.trees) {
    text += as_text(*tree.root) + " " + std::to_string(tree.depth) + " " +
            std::to_string(tree.alias_nodes) + "\n";
  }
  for (const Diagnostic& problem : trees.problems) {
    text += std::to_string(problem.where.line) + ":" + std::to_string(problem.where.column) + " " +
            problem.text + "\n";
  }
  return text;
}

/// Reads a text with the cache and checks that the result is the same as without it.
void check(YamlCache& cache, const std::string& text, std::uint16_t source) {
  ParsedText with;
  {
    const std::string shown = text;  // the trees refer to this text alone
    with = parse_documents(shown, source, cache);
    CHECK(as_text(with.result) == as_text(parse_documents(text, source, 1).result));
  }
}

constexpr const char* kText = R"(# comment
name: "a\tb"
list: [1, ~, {x: !t 'it''s'}]
empty:
---
name: second
block: |
  two
  lines
--- !tagged
- 1
-
- [a, {b: c}]
---
)";

TEST_CASE("what the cache knows is as if it was read again, in another place and source") {
  YamlCache cache;
  check(cache, kText, 3);
  const std::size_t known = cache.size();
  CHECK(known == 3 + 1);  // the last one is empty
  check(cache, kText, 3);
  check(cache, std::string("zeroth: 0\n---\n\n# more lines\n---\n") + kText, 7);
  CHECK(cache.size() > known);
}

TEST_CASE("mistakes and aliases are read each time") {
  YamlCache cache;
  check(cache, "a: &x {b: 1}\nc: *x\n---\nname: [1\n---\nname: good\n", 1);
  CHECK(cache.size() == 1);
  check(cache, "\n\na: &x {b: 1}\nc: *x\n---\nname: [1\n---\nname: good\n", 2);
}

TEST_CASE("stretches that nothing reads are forgotten") {
  YamlCache cache;
  check(cache, "a: 1\n---\nb: 2\n", 0);
  cache.forget_unread();
  CHECK(cache.size() == 2);
  check(cache, "a: 1\n", 0);
  check(cache, "a: 1\n---\nb: 3\n", 0);
  cache.forget_unread();
  CHECK(cache.size() == 2);
  cache.forget_unread();
  CHECK(cache.size() == 0);
}

}  // namespace
}  // namespace gxr
