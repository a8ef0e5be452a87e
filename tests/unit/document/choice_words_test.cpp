#include "document/choice_words.hpp"

#include "catch.hpp"

using namespace gxr;

TEST_CASE("a number that is a choice has the word before its colon", "[document][choices]") {
  CHECK(word_of({"0", "pop: the oldest message is dropped"}) == "pop");
  CHECK(word_of({"1", "device"}) == "device");
  CHECK(word_of({"0", "as in the tensor; 8 for float32"}).empty());
  CHECK(word_of({"8", "8 bits"}).empty());
  CHECK(word_of({"1", ""}).empty());
  CHECK(word_of({"CatchUp", "all: of them"}).empty());  // it is a word itself
  CHECK(text_beside_word({"0", "pop: the oldest"}) == "the oldest");
  CHECK(text_beside_word({"1", "device"}).empty());
  CHECK(text_beside_word({"8", "8 bits"}) == "8 bits");
}

TEST_CASE("a word stands for the only choice that has it", "[document][choices]") {
  const std::vector<Choice> choices = {{"0", "pop: one"}, {"1", "Twin: two"}, {"2", "twin: three"}};
  REQUIRE(find_word(choices, "POP") != nullptr);
  CHECK(find_word(choices, "POP")->name == "0");
  CHECK(find_word(choices, "twin") == nullptr);
  CHECK(find_word(choices, "0") == nullptr);
  CHECK(find_word(choices, "") == nullptr);
}
