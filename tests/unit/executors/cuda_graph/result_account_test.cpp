#include "executors/cuda_graph/result_account.hpp"

#include "catch.hpp"

using namespace gxr;

TEST_CASE("Results are published once, in order", "[result_account]") {
  ResultAccount account(true, 2);
  CHECK_FALSE(account.can_publish(0));
  CHECK(account.has_all(0));
  CHECK(account.can_publish(2));
  CHECK(account.unpublished(2) == 2);
  account.fetch(0);
  account.publish();
  CHECK(account.can_publish(2));
  CHECK_FALSE(account.has_all(2));
  account.fetch(0);
  account.publish();
  CHECK_FALSE(account.can_publish(2));
  CHECK(account.has_all(2));
  CHECK(account.unpublished(1) == 0);  // a count that was read before
  account.launch();
  CHECK(account.fetched() == 0);
  CHECK(account.published() == 0);
}

TEST_CASE("There is room again when a result was fetched", "[result_account]") {
  ResultAccount account(true, 2);
  CHECK(account.has_room_until() == 2);
  account.fetch(0);
  CHECK(account.has_room_until() == 3);
  CHECK(account.published() == 0);
}

TEST_CASE("Without outputs nothing is published, and nothing needs room", "[result_account]") {
  const ResultAccount account(false, 2);
  CHECK_FALSE(account.can_publish(5));
  CHECK(account.has_all(5));
  CHECK(account.has_room_until() == kEndless);
  CHECK(account.work_before_room(5) == 0);
}

TEST_CASE("An iteration waits for the copy of the result whose place it takes",
          "[result_account]") {
  ResultAccount account(true, 2);
  for (std::uint64_t i = 0; i < 20; ++i) {
    account.fetch(100 + i);
    CHECK(account.work_before_room(1) == 0);
    CHECK(account.work_before_room(i + 2) == 100 + i);
  }
}
