// Bad samples of others: how many, and which are told.

#include "dds/bad_samples.hpp"

#include <string>

#include "tests/unit/catch.hpp"

namespace {

using namespace gxr::dds;

constexpr Guid kOne{1};
constexpr Guid kTwo{2};

TEST_CASE("each kind of bad sample of each writer is told once") {
  BadSamples bad;
  CHECK(bad.add(kOne, "it has 17 bytes"));
  CHECK_FALSE(bad.add(kOne, "it has 9 bytes"));
  CHECK(bad.add(kOne, "an unknown encoding 'nope'"));
  CHECK(bad.add(kTwo, "it has 17 bytes"));
  CHECK_FALSE(bad.add(kTwo, "it has 17 bytes"));
  CHECK(bad.count() == 5);
  bad.clear();
  CHECK(bad.count() == 0);
  CHECK(bad.add(kOne, "it has 17 bytes"));
}

TEST_CASE("not without end") {
  BadSamples bad;
  int told = 0;
  for (int i = 0; i < 1000; ++i) {
    told += bad.add(kOne, "of type " + std::string(static_cast<std::size_t>(i), 'x')) ? 1 : 0;
  }
  CHECK(told == 64);
  CHECK(bad.count() == 1000);
}

}  // namespace
