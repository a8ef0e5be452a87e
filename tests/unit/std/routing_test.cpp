#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "extensions/std/broadcast.hpp"
#include "extensions/std/forward.hpp"
#include "extensions/std/gather.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::Harness;

namespace {

Message numbered(Harness& harness, int number) {
  Message message = harness.new_message();
  message.add<int>({}, number);
  return message;
}

/// Numbers of all messages that arrived at `receiver`.
std::vector<int> taken_from(Receiver& receiver) {
  std::vector<int> numbers;
  receiver.sync();
  while (const Message message = receiver.pop()) {
    numbers.push_back(message.get<int>());
  }
  return numbers;
}

void push(Harness& harness, Receiver& receiver, std::initializer_list<int> numbers) {
  for (const int number : numbers) {
    receiver.push(numbered(harness, number));
  }
}

/// An entity "hub" with two inputs, two outputs, and a receiver behind each output.
struct Hub {
  Hub() {
    EngineAccess::connect(first_out, behind_first);
    EngineAccess::connect(second_out, behind_second);
  }

  Harness harness;
  Receiver& first_in = harness.add<DoubleBufferReceiver>("hub/first_in", {{"capacity", "8"}});
  Transmitter& first_out =
      harness.add<DoubleBufferTransmitter>("hub/first_out", {{"capacity", "8"}});
  Receiver& second_in = harness.add<DoubleBufferReceiver>("hub/second_in", {{"capacity", "8"}});
  Transmitter& second_out =
      harness.add<DoubleBufferTransmitter>("hub/second_out", {{"capacity", "8"}});
  Receiver& behind_first = harness.add<DoubleBufferReceiver>("a/in", {{"capacity", "8"}});
  Receiver& behind_second = harness.add<DoubleBufferReceiver>("b/in", {{"capacity", "8"}});
};

}  // namespace

TEST_CASE("Forward passes one message per tick, the same one", "[std]") {
  Hub hub;
  auto& forward =
      hub.harness.add<Forward>("hub/codelet", {{"in", "first_in"}, {"out", "first_out"}});
  hub.harness.initialize();

  const Message message = numbered(hub.harness, 1);
  hub.first_in.push(message);
  push(hub.harness, hub.first_in, {2});
  hub.harness.tick(forward);
  hub.behind_first.sync();
  CHECK(hub.behind_first.pop() == message);
  hub.harness.tick(forward);
  CHECK(taken_from(hub.behind_first) == std::vector<int>{2});
  CHECK_THROWS_WITH(hub.harness.tick(forward),
                    ContainsSubstring("no message on receiver 'hub/first_in'"));
}

TEST_CASE("Broadcast gives the same message to all transmitters of its entity", "[std]") {
  Hub hub;
  auto& broadcast = hub.harness.add<Broadcast>("hub/codelet", {{"source", "first_in"}});
  hub.harness.initialize();
  broadcast.start();

  const Message message = numbered(hub.harness, 1);
  hub.first_in.push(message);
  hub.harness.tick(broadcast);
  hub.behind_first.sync();
  hub.behind_second.sync();
  CHECK(hub.behind_first.pop() == message);
  CHECK(hub.behind_second.pop() == message);
}

TEST_CASE("Broadcast can let transmitters take turns", "[std]") {
  Hub hub;
  auto& broadcast =
      hub.harness.add<Broadcast>("hub/codelet", {{"source", "first_in"}, {"mode", "RoundRobin"}});
  hub.harness.initialize();
  broadcast.start();

  push(hub.harness, hub.first_in, {1, 2, 3, 4, 5});
  for (int i = 0; i < 5; ++i) {
    hub.harness.tick(broadcast);
  }
  CHECK(taken_from(hub.behind_first) == std::vector<int>{1, 3, 5});
  CHECK(taken_from(hub.behind_second) == std::vector<int>{2, 4});
}

TEST_CASE("Broadcast without a transmitter does not start", "[std]") {
  Harness harness;
  harness.add<DoubleBufferReceiver>("hub/in");
  auto& broadcast = harness.add<Broadcast>("hub/codelet", {{"source", "in"}});
  harness.initialize();
  CHECK_THROWS_WITH(broadcast.start(), ContainsSubstring("entity 'hub' has no transmitter"));
}

TEST_CASE("Gather takes all messages of all receivers in the order of components", "[std]") {
  Hub hub;
  auto& gather = hub.harness.add<Gather>("hub/codelet", {{"sink", "first_out"}});
  hub.harness.initialize();
  gather.start();

  push(hub.harness, hub.second_in, {1, 2});
  push(hub.harness, hub.first_in, {3, 4, 5});
  hub.harness.tick(gather);
  CHECK(taken_from(hub.behind_first) == std::vector<int>{3, 4, 5, 1, 2});
  hub.harness.tick(gather);
  CHECK(taken_from(hub.behind_first).empty());
}

TEST_CASE("Gather takes at most tick_source_limit of each receiver", "[std]") {
  Hub hub;
  auto& gather =
      hub.harness.add<Gather>("hub/codelet", {{"sink", "first_out"}, {"tick_source_limit", "2"}});
  hub.harness.initialize();
  gather.start();

  push(hub.harness, hub.first_in, {1, 2, 3});
  push(hub.harness, hub.second_in, {4});
  hub.harness.tick(gather);
  CHECK(taken_from(hub.behind_first) == std::vector<int>{1, 2, 4});
  hub.harness.tick(gather);
  CHECK(taken_from(hub.behind_first) == std::vector<int>{3});
}

TEST_CASE("Gather takes from its sources alone, in their order", "[std]") {
  Hub hub;
  auto& one =
      hub.harness.add<Gather>("hub/one", {{"sink", "first_out"}, {"sources", "[second_in]"}});
  auto& both = hub.harness.add<Gather>(
      "hub/both", {{"sink", "second_out"}, {"sources", "[second_in, first_in]"}});
  hub.harness.initialize();
  one.start();
  both.start();

  push(hub.harness, hub.first_in, {1});
  push(hub.harness, hub.second_in, {2});
  hub.harness.tick(one);
  CHECK(taken_from(hub.behind_first) == std::vector<int>{2});
  push(hub.harness, hub.second_in, {3});
  hub.harness.tick(both);
  CHECK(taken_from(hub.behind_second) == std::vector<int>{3, 1});
}
