#include "commands/terminal.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

namespace gxr::commands {
namespace {

std::vector<Key> keys_in(std::string& input) {
  std::vector<Key> keys;
  for (const KeyPress& press : take_keys(input)) {
    keys.push_back(press.key);
  }
  return keys;
}

TEST_CASE("keys in what a terminal sends") {
  std::string input = "q\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[4~";
  CHECK(keys_in(input) == std::vector<Key>{Key::Other, Key::Up, Key::Down, Key::PageUp,
                                           Key::PageDown, Key::Home, Key::End});
  CHECK(input.empty());
  input = "n";
  CHECK(take_keys(input).front().character == 'n');
}

TEST_CASE("the beginning of a key waits for its end") {
  std::string input = "\x1b[";
  CHECK(take_keys(input).empty());
  input += "5";
  CHECK(take_keys(input).empty());
  input += "~";
  CHECK(keys_in(input) == std::vector<Key>{Key::PageUp});
}

TEST_CASE("keys that mean nothing are passed over, however long") {
  std::string input = "\x1b[1;5A\x1bx\x1b[200~";
  for (const KeyPress& press : take_keys(input)) {
    CHECK(press.key == Key::Other);
  }
  input = "\x1b[" + std::string(100, '1');
  CHECK(take_keys(input).empty());
  CHECK(input.empty());
}

}  // namespace
}  // namespace gxr::commands
