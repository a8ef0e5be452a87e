#include "language/channel.hpp"

#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr::language {
namespace {

/// A pipe with a text in it whose writer has gone.
class Input {
 public:
  explicit Input(const std::string& text) {
    REQUIRE(::pipe(ends_) == 0);
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(ends_[1]);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() { ::close(ends_[0]); }
  [[nodiscard]] int get() const { return ends_[0]; }

 private:
  int ends_[2] = {};
};

TEST_CASE("Texts are read by their lengths") {
  const Input input("Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n[1]");
  Channel channel(input.get(), -1);
  CHECK(channel.read() == "{}");
  CHECK(channel.has_input(std::chrono::milliseconds(0)));
  CHECK(channel.read() == "[1]");
  CHECK_FALSE(channel.read().has_value());
}

TEST_CASE("A text that ends too early is none") {
  const Input input("Content-Length: 20\r\n\r\n{}");
  Channel channel(input.get(), -1);
  CHECK_FALSE(channel.read().has_value());
}

TEST_CASE("Headers that say no length are refused") {
  for (const std::string text : {"Content-Length: x\r\n\r\n{}", "Content-Length: -1\r\n\r\n{}",
                                 "Length: 2\r\n\r\n{}", "Content-Length: 99999999999\r\n\r\n{}"}) {
    INFO(text);
    const Input input(text);
    Channel channel(input.get(), -1);
    CHECK_THROWS_AS(channel.read(), Error);
  }
  const Input input(std::string(10000, 'x'));
  Channel channel(input.get(), -1);
  CHECK_THROWS_AS(channel.read(), Error);
}

TEST_CASE("A message is written behind its length") {
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  Channel(-1, ends[1]).write({{"a", "\xC3\xA4"}});
  ::close(ends[1]);
  char text[100] = {};
  REQUIRE(::read(ends[0], text, sizeof text) > 0);
  ::close(ends[0]);
  CHECK(std::string(text) == "Content-Length: 10\r\n\r\n{\"a\":\"\xC3\xA4\"}");
}

}  // namespace
}  // namespace gxr::language
