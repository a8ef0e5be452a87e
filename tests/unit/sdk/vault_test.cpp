#include <string>

#include "catch.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::Harness;

TEST_CASE(
    "a vault's callback may come at any time; until then one warning says that there is none") {
  Harness harness;
  auto& in = harness.add<DoubleBufferReceiver>("e/in", {{"capacity", "4"}});
  auto& vault = harness.add<Vault>("e/vault", {{"source", "in"},
                                               {"max_waiting_count", "4"},
                                               {"drop_waiting", "false"},
                                               {"enable_callback", "true"}});
  harness.initialize();
  const auto tick = [&] {
    in.push(harness.new_message());
    harness.tick(vault);
  };
  tick();
  tick();
  REQUIRE(harness.logged().size() == 1);
  CHECK(harness.logged().front().level == LogLevel::Warn);
  CHECK_THAT(harness.logged().front().text, ContainsSubstring("there is no function to call yet"));

  std::size_t taken = 0;
  vault.set_callback([&](Vault& caller) {
    taken += caller.take(4).size();
    caller.set_callback([&](Vault&) { taken += 100; });  // from inside itself
  });
  tick();
  CHECK(taken == 3);
  tick();
  CHECK(taken == 103);
  vault.set_callback(nullptr);
  tick();
  CHECK(taken == 103);
  CHECK(harness.logged().size() == 1);
  CHECK(vault.waiting() == 2);
}

TEST_CASE("a vault passes over a mailbox that nothing has come to") {
  Harness harness;
  harness.add<AsyncBufferReceiver>("e/in");
  auto& vault = harness.add<Vault>(
      "e/vault", {{"source", "in"}, {"max_waiting_count", "4"}, {"drop_waiting", "true"}});
  harness.initialize();
  harness.tick(vault);
  CHECK(vault.waiting() == 0);
}
