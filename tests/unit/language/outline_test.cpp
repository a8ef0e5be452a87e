#include "language/outline.hpp"

#include <fstream>
#include <iterator>

#include "catch.hpp"

namespace gxr::language {
namespace {

/// "a/[]/b" and the word, with '=' for a value and ':' for a key.
std::string place_in(const std::string& text) {
  const std::size_t cursor = text.find('|');
  REQUIRE(cursor != std::string::npos);
  std::string without = text;
  without.erase(cursor, 1);
  const auto place = find_cursor(without, cursor);
  if (!place) {
    return "none";
  }
  std::string found;
  for (const std::string& key : place->path) {
    found += (key.empty() ? "[]" : key) + "/";
  }
  return found + (place->at_key ? ":" : "=") + place->word;
}

std::string read(const std::string& file) {
  std::ifstream stream(std::string(GXR_SOURCE_DIR) + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("A cursor is found in texts that are YAML") {
  CHECK(place_in("na|me: a\n") == ":na");
  CHECK(place_in("name: a|\n") == "name/=a");
  CHECK(place_in("components:\n- type: gxr::|\n") == "components/[]/type/=gxr::");
  CHECK(place_in("components:\n- {name: x, type: a|b}\n") == "components/[]/type/=a");
  CHECK(place_in("components:\n- name: x\n  parameters:\n    value: 1\n    ra|te: 2\n") ==
        "components/[]/parameters/:ra");
  CHECK(place_in("a: {b: [c, d|]}\n") == "a/b/[]/=d");
  CHECK(place_in("a:\n  - b\n  - c|\n") == "a/[]/=c");
  CHECK(place_in("a: \"x # y|\"  # z\n") == "a/=x # y");
}

TEST_CASE("A cursor is found in texts that are not YAML yet") {
  CHECK(place_in("name: a\ncomponents:\n- name: b\n  ty|\n") == "components/[]/:ty");
  CHECK(place_in("components:\n- type: x\n  parameters:\n    |\n") == "components/[]/parameters/=");
  CHECK(place_in("components:\n- type: x\n  parameters: {a: 1, |\n- type: y\n") ==
        "components/[]/parameters/:");
  CHECK(place_in("components:\n- type: x\n  parameters: {a: |\n---\nname: b\n") ==
        "components/[]/parameters/a/=");
  CHECK(place_in("components:\n- {type: |\n") == "components/[]/type/=");
  CHECK(place_in("components:\n- |\n") == "components/[]/=");
  CHECK(place_in("|") == ":");
  CHECK(place_in("name: a\n|") == ":");
  CHECK(place_in("a: 'unclosed|\nb: 1\n") == "a/=unclosed");
  CHECK(place_in("a: {b: 1}}} |\n") != "crash");
}

TEST_CASE("A cursor in a comment is in no place") {
  CHECK(place_in("name: a  # a com|ment\n") == "none");
  CHECK(place_in("text: |\n  a block\n") != "crash");
}

TEST_CASE("Documents are told apart") {
  const auto documents = read_outline("name: a\n---\nname: b\n--- # c\nname: c\n");
  REQUIRE(documents.size() == 3);
  CHECK(documents[1].text_of("name") == "b");
  CHECK(documents[2].text_of("name") == "c");
}

TEST_CASE("A mark of the byte order is no part of a key") {
  const auto documents = read_outline("\xEF\xBB\xBFname: a\n");
  REQUIRE(documents.size() == 1);
  CHECK(documents[0].text_of("name") == "a");
  CHECK(documents[0].begin == 3);
}

TEST_CASE("Text nested without an end is read in time") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) {
    deep += "[{a: ";
  }
  CHECK(read_outline(deep).size() == 1);
  std::string lines;
  for (int i = 0; i < 2000; ++i) {
    lines += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  CHECK(read_outline(lines).size() == 1);
}

// What stands behind the cursor changes nothing that a reader of the begin could see.
TEST_CASE("Each prefix of an application has the cursor where the whole has it") {
  const std::string text =
      read(GENERATE("apps/develop/develop.yaml", "tests/short/gxf/develop.yaml"));
  REQUIRE(text.size() > 1000);
  std::size_t found = 0;
  for (std::size_t cursor = 0; cursor <= text.size(); ++cursor) {
    const auto of_prefix = find_cursor(text.substr(0, cursor), cursor);
    const auto of_whole = find_cursor(text, cursor);
    INFO("behind " << text.substr(cursor < 40 ? 0 : cursor - 40, cursor < 40 ? cursor : 40));
    REQUIRE(of_prefix.has_value() == of_whole.has_value());
    if (of_prefix) {
      ++found;
      CHECK(of_prefix->word == of_whole->word);
      CHECK(of_prefix->document == of_whole->document);
      CHECK(of_prefix->path == of_whole->path);
    }
  }
  CHECK(found > text.size() / 2);
}

}  // namespace
}  // namespace gxr::language
