#include "dds/repeated_texts.hpp"

#include <chrono>
#include <cstddef>
#include <string>

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

TEST_CASE("of too many kinds of texts, one is told in a minute") {
  using namespace std::chrono_literals;
  RepeatedTexts texts;
  const RepeatedTexts::Time now{};
  std::size_t told = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string kind{static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26),
                           static_cast<char>('a' + i / 676)};
    told += texts.add(kind, now) ? 1U : 0U;
  }
  CHECK(told == 257);
  CHECK_FALSE(texts.add("zzzzz", now + 59s));
  CHECK(texts.add("zzzzy", now + 60s));
  CHECK_FALSE(texts.add("zzzzx", now + 60s));
}

}  // namespace
