#include "monitor/web_address.hpp"

#include <string>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace {

std::string read(const char* text) { return to_text(gxr::parse_web_address(text)); }

std::string problem(const char* text) {
  try {
    return "taken as " + read(text);
  } catch (const gxr::Error& error) {
    return error.message();
  }
}

}  // namespace

TEST_CASE("an address for the page has a port, and perhaps a host", "[monitor]") {
  CHECK(read("8080") == "127.0.0.1:8080");
  CHECK(read("0") == "127.0.0.1:0");
  CHECK(read("localhost:65535") == "localhost:65535");
  CHECK(read("0.0.0.0:80") == "0.0.0.0:80");
  CHECK(read("[::1]:80") == "[::1]:80");
}

TEST_CASE("what is no address for the page is refused with an example", "[monitor]") {
  for (const char* const text : {"", ":", "x", "65536", "-1", "80x", "host:", "host:port", ":80",
                                 "::1:80", "[::1]", "[]:80", "http://a:80", "a b:80", " 80"}) {
    CAPTURE(text);
    CHECK(problem(text).find("write PORT or HOST:PORT") != std::string::npos);
  }
}

TEST_CASE("a listener knows who can reach it", "[monitor]") {
  const gxr::WebListener own({"127.0.0.1", 0});
  CHECK(own.is_loopback());
  CHECK_FALSE(own.is_wildcard());
  CHECK(own.address().port != 0);
  const gxr::WebListener all({"0.0.0.0", 0});
  CHECK_FALSE(all.is_loopback());
  CHECK(all.is_wildcard());
  CHECK_THROWS_AS(gxr::WebListener({"127.0.0.1", own.address().port}), gxr::Error);
}
