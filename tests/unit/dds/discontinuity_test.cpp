#include "dds/discontinuity.hpp"

#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr::dds;

TEST_CASE("a message that follows a gap says so, whatever its sender said") {
  gxr::harness::Harness harness;
  harness.initialize();
  gxr::Message message = harness.new_message();
  CHECK_FALSE(follows_gap(message));
  mark_gap(message);
  CHECK(follows_gap(message));

  gxr::Message denied = harness.new_message();
  denied.add<bool>(kDiscontinuity, false);
  CHECK_FALSE(follows_gap(denied));
  mark_gap(denied);
  CHECK(follows_gap(denied));
  CHECK(denied.size() == 1);
}

}  // namespace
