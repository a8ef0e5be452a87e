#include "executors/greedy/ready_set.hpp"

#include <set>

#include "catch.hpp"

namespace gxr {
namespace {

TEST_CASE("an empty set has no next") {
  for (const std::uint32_t size : {0U, 1U, 64U, 65U, 300000U}) {
    const ReadySet set(size);
    CHECK(set.empty());
    CHECK(set.next(0) == ReadySet::kEnd);
    CHECK(set.next(size) == ReadySet::kEnd);
  }
}

TEST_CASE("next finds the least member at or after a number, over all levels") {
  ReadySet set(600000);
  for (const std::uint32_t i : {0U, 63U, 64U, 4095U, 4096U, 262143U, 262144U, 599999U}) {
    set.insert(i);
  }
  CHECK(set.next(0) == 0);
  CHECK(set.next(1) == 63);
  CHECK(set.next(65) == 4095);
  CHECK(set.next(4097) == 262143);
  CHECK(set.next(262144) == 262144);
  CHECK(set.next(262145) == 599999);
  set.erase(599999);
  CHECK(set.next(262145) == ReadySet::kEnd);
}

TEST_CASE("the set agrees with std::set over a random history") {
  for (const std::uint32_t size : {1U, 63U, 64U, 129U, 5000U, 300000U}) {
    ReadySet set(size);
    std::set<std::uint32_t> model;
    std::uint32_t random = 1;
    for (int i = 0; i < 3000; ++i) {
      random = random * 1664525U + 1013904223U;
      const std::uint32_t member = (random >> 8U) % size;
      if ((random & 3U) != 0) {
        set.insert(member);
        model.insert(member);
      } else {
        set.erase(member);
        model.erase(member);
      }
      const std::uint32_t from = (random >> 5U) % size;
      const auto expected = model.lower_bound(from);
      REQUIRE(set.next(from) == (expected == model.end() ? ReadySet::kEnd : *expected));
    }
    REQUIRE(set.empty() == model.empty());
  }
}

}  // namespace
}  // namespace gxr
