#include "executors/parallel/inbox.hpp"

#include <thread>

#include "catch.hpp"
#include "executors/receiver_sync.hpp"
#include "gxr/error.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr {
namespace {

Message numbered(harness::Harness& harness, std::uint64_t number) {
  Message message = harness.new_message();
  message.set_sequence(number);
  return message;
}

TEST_CASE("what is delivered becomes visible at sync, and is counted until it is taken") {
  harness::Harness harness;
  auto& receiver = harness.add<DoubleBufferReceiver>("rx/in", {{"capacity", "2"}});
  harness.initialize();
  Inbox inbox(receiver);
  OverfullReceivers overfull(false);
  CHECK(inbox.capacity() == 2);
  CHECK(inbox.deliver(harness.new_message()));
  CHECK(inbox.deliver(harness.new_message()));
  CHECK_FALSE(inbox.deliver(harness.new_message()));
  CHECK(inbox.total() == 2);
  CHECK(receiver.size() == 0);
  inbox.take_in();
  CHECK(receiver.back_size() == 2);
  CHECK_FALSE(inbox.deliver(harness.new_message()));
  inbox.sync(overfull);
  CHECK(receiver.size() == 2);
  CHECK(inbox.deliver(harness.new_message()));
  CHECK(inbox.total() == 3);
  receiver.pop();
  CHECK(inbox.settle());
  CHECK(inbox.total() == 2);
  CHECK_FALSE(inbox.settle());
}

TEST_CASE("a claim keeps room until it is given back") {
  harness::Harness harness;
  auto& receiver = harness.add<DoubleBufferReceiver>("rx/in", {{"capacity", "2"}});
  harness.initialize();
  Inbox inbox(receiver);
  CHECK(inbox.claim(1));
  CHECK_FALSE(inbox.claim(2));
  CHECK(inbox.claim(1));
  CHECK(inbox.deliver(harness.new_message()));
  CHECK(inbox.release(1));
  CHECK_FALSE(inbox.claim(1));
  CHECK(inbox.total() == 1);
  CHECK(inbox.release(1));
  CHECK(inbox.claim(1));
  CHECK_FALSE(inbox.release(1));
}

TEST_CASE("policies drop as the receiver's own push does") {
  for (const char* policy : {"0", "1"}) {
    harness::Harness harness;
    auto& receiver =
        harness.add<DoubleBufferReceiver>("rx/in", {{"capacity", "2"}, {"policy", policy}});
    harness.initialize();
    Inbox inbox(receiver);
    OverfullReceivers overfull(false);
    for (std::uint64_t i = 0; i < 5; ++i) {
      CHECK(inbox.deliver(numbered(harness, i)));
      if (i == 0) {
        inbox.take_in();
      }
    }
    inbox.sync(overfull);
    inbox.settle();
    CHECK(inbox.total() == 2);
    CHECK(EngineAccess::ring(receiver)->dropped() == 3);
    const std::uint64_t first = receiver.pop().sequence();
    CHECK(first == (*policy == '0' ? 3U : 0U));
  }
}

TEST_CASE("a producer and the consumer's thread exchange messages without losing one") {
  harness::Harness harness;
  auto& receiver = harness.add<DoubleBufferReceiver>("rx/in", {{"capacity", "4"}});
  harness.initialize();
  Inbox inbox(receiver);
  OverfullReceivers overfull(false);
  constexpr std::uint64_t kMessages = 20'000;
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kMessages; ++i) {
      while (inbox.total() >= inbox.capacity()) {
        std::this_thread::yield();
      }
      if (!inbox.deliver(numbered(harness, i))) {
        return;  // the consumer never ends then
      }
    }
  });
  std::uint64_t next = 0;
  while (next < kMessages) {
    inbox.sync(overfull);
    while (const Message message = receiver.pop()) {
      REQUIRE(message.sequence() == next);
      ++next;
    }
    inbox.settle();
  }
  producer.join();
  CHECK(inbox.total() == 0);
}

}  // namespace
}  // namespace gxr
