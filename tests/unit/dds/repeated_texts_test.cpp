#include "dds/repeated_texts.hpp"

#include <chrono>

#include "tests/unit/catch.hpp"

namespace {

using namespace gxr::dds;

TEST_CASE("a text of a library is told again a minute later") {
  using namespace std::chrono_literals;
  RepeatedTexts texts;
  const RepeatedTexts::Time now{};
  CHECK(texts.add("write to udp/10.255.0.1:7400 failed", now));
  CHECK_FALSE(texts.add("write to udp/10.255.0.1:7402 failed", now + 1s));
  CHECK(texts.add("write to udp/other failed", now + 1s));
  CHECK_FALSE(texts.add("write to udp/10.255.0.1:7404 failed", now + 59s));
  CHECK(texts.add("write to udp/10.255.0.1:7404 failed", now + 60s));
  CHECK_FALSE(texts.add("write to udp/10.255.0.1:7404 failed", now + 61s));
}

}  // namespace
