#include "gxr/queue.hpp"

#include <deque>
#include <string>
#include <utility>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/message_pool.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

/// A ring of numbered messages and the model it must agree with: GXF's two stages.
class Rig {
 public:
  explicit Rig(std::uint64_t capacity, std::uint64_t policy) { ring.resize(capacity, policy); }

  bool push(int number) {
    Message message = pool.make();
    message.add<int>("", number);
    return ring.push(std::move(message));
  }
  int pop() {
    const Message message = ring.pop();
    return message ? message.get<int>() : -1;
  }

  MessagePool pool;
  StagedRing ring;
};

TEST_CASE("what is pushed is seen only after sync, oldest first") {
  Rig rig(2, 2);
  rig.push(1);
  rig.push(2);
  CHECK(rig.ring.size() == 0);
  CHECK(rig.ring.back_size() == 2);
  CHECK(rig.pop() == -1);
  rig.ring.sync();
  CHECK(rig.ring.size() == 2);
  CHECK(rig.ring.peek(1)->get<int>() == 2);
  CHECK(rig.ring.peek(2) == nullptr);
  CHECK(rig.pop() == 1);
  CHECK(rig.pop() == 2);
  CHECK(rig.pop() == -1);
}

TEST_CASE("messages that arrive are counted") {
  SECTION("those of both stages, whatever becomes of them") {
    Rig rig(2, 1);
    rig.push(1), rig.push(2), rig.push(3);
    CHECK(rig.ring.arrived() == 2);
    rig.ring.sync();
    CHECK(rig.pop() == 1);
    rig.push(4);
    CHECK(rig.ring.arrived() == 3);
    rig.ring.clear();
    CHECK(rig.ring.arrived() == 3);
  }
  SECTION("once, also when sync fails") {
    Rig rig(1, 2);
    rig.push(1);
    rig.ring.sync();
    rig.push(2);
    CHECK_THROWS_AS(rig.ring.sync(), Error);
    CHECK_THROWS_AS(rig.ring.sync(), Error);
    CHECK(rig.ring.arrived() == 2);
    CHECK(rig.pop() == 1);
    rig.ring.sync();
    CHECK(rig.ring.arrived() == 2);
  }
}

TEST_CASE("a full back stage follows the policy") {
  SECTION("pop drops the oldest of the back stage") {
    Rig rig(2, 0);
    rig.push(1), rig.push(2);
    CHECK(rig.push(3));
    rig.ring.sync();
    CHECK(rig.pop() == 2);
    CHECK(rig.pop() == 3);
    CHECK(rig.ring.dropped() == 1);
  }
  SECTION("reject drops the new one") {
    Rig rig(2, 1);
    rig.push(1), rig.push(2);
    CHECK_FALSE(rig.push(3));
    rig.ring.sync();
    CHECK(rig.pop() == 1);
    CHECK(rig.ring.dropped() == 1);
  }
  SECTION("fault throws and keeps what was there") {
    Rig rig(1, 2);
    rig.push(1);
    CHECK_THROWS_AS(rig.push(2), Error);
    rig.ring.sync();
    CHECK(rig.pop() == 1);
  }
}

TEST_CASE("a full main stage follows the policy at sync") {
  const auto fill = [](Rig& rig) {
    rig.push(1), rig.push(2);
    rig.ring.sync();
    rig.push(3);
  };
  SECTION("pop drops the oldest") {
    Rig rig(2, 0);
    fill(rig);
    rig.ring.sync();
    CHECK(rig.pop() == 2);
    CHECK(rig.pop() == 3);
  }
  SECTION("reject drops the newest") {
    Rig rig(2, 1);
    fill(rig);
    rig.ring.sync();
    CHECK(rig.pop() == 1);
    CHECK(rig.pop() == 2);
    CHECK(rig.pop() == -1);
  }
  SECTION("fault throws, loses nothing, and works again when there is room") {
    Rig rig(2, 2);
    fill(rig);
    CHECK_THROWS_AS(rig.ring.sync(), Error);
    CHECK(rig.ring.size() == 2);
    CHECK(rig.ring.back_size() == 1);
    CHECK(rig.pop() == 1);
    rig.ring.sync();
    CHECK(rig.pop() == 2);
    CHECK(rig.pop() == 3);
  }
}

TEST_CASE("the ring agrees with a model over a long random history") {
  for (const std::uint64_t capacity : {1U, 2U, 3U, 7U}) {
    Rig rig(capacity, 1);
    std::deque<int> main;
    std::deque<int> back;
    std::uint32_t random = 12345;
    for (int i = 0; i < 5000; ++i) {
      random = random * 1664525U + 1013904223U;
      switch (random >> 30U) {
        case 0:
        case 1:
          rig.push(i);
          if (back.size() < capacity) {
            back.push_back(i);
          }
          break;
        case 2: {
          const int expected = main.empty() ? -1 : main.front();
          if (!main.empty()) {
            main.pop_front();
          }
          REQUIRE(rig.pop() == expected);
          break;
        }
        default:
          rig.ring.sync();
          while (!back.empty() && main.size() < capacity) {
            main.push_back(back.front());
            back.pop_front();
          }
          back.clear();
      }
      REQUIRE(rig.ring.size() == main.size());
      REQUIRE(rig.ring.back_size() == back.size());
    }
  }
}

TEST_CASE("capacity 0 and absurd capacities are refused") {
  StagedRing ring;
  CHECK_THROWS_AS(ring.resize(0, 2), Error);
  CHECK_THROWS_AS(ring.resize(std::uint64_t{1} << 40U, 2), Error);
  CHECK_THROWS_WITH(ring.resize((std::uint64_t{1} << 24U) + 1, 2),
                    "capacity 16777217 is not between 1 and 16777216");
}

/// Drops every second message; nobody may pass its push() by.
class Halving : public StagedQueue<Receiver> {
 public:
  void push(Message message) override {
    if (++arrived_ % 2 == 0) {
      StagedQueue::push(std::move(message));
    }
  }

 private:
  int arrived_ = 0;
};

TEST_CASE("only queue types that nobody derives from offer their ring") {
  CHECK(EngineAccess::ring(DoubleBufferReceiver()) != nullptr);
  CHECK(EngineAccess::ring(DoubleBufferTransmitter()) != nullptr);
  const Halving derived;
  CHECK(EngineAccess::ring(derived) == nullptr);
  CHECK(EngineAccess::content(derived) != nullptr);
}

TEST_CASE("clearing gives all messages back") {
  Rig rig(4, 2);
  rig.push(1), rig.push(2);
  rig.ring.sync();
  rig.push(3);
  rig.ring.clear();
  CHECK(rig.pool.outstanding() == 0);
  CHECK(rig.ring.size() + rig.ring.back_size() == 0);
}

TEST_CASE("no queue takes a null message, and the error is the producer's") {
  harness::Harness harness;
  auto& out = harness.add<DoubleBufferTransmitter>("tx/out");
  auto& latest = harness.add<AsyncBufferTransmitter>("tx/latest");
  auto& in = harness.add<DoubleBufferReceiver>("rx/in");
  auto& mailbox = harness.add<AsyncBufferReceiver>("rx/mailbox");
  harness.initialize();
  for (Transmitter* transmitter :
       {static_cast<Transmitter*>(&out), static_cast<Transmitter*>(&latest)}) {
    const std::string name = transmitter->full_name();
    CHECK_THROWS_WITH(transmitter->publish({}), ContainsSubstring("published on '" + name + "'"));
    CHECK_THROWS_WITH(transmitter->publish({}, 7),
                      ContainsSubstring("published on '" + name + "'"));
    CHECK_THROWS_WITH(transmitter->push({}), ContainsSubstring("pushed to '" + name + "'"));
    CHECK(transmitter->size() + transmitter->back_size() == 0);
  }
  Message message = harness.new_message();
  const Message taken = std::move(message);
  CHECK_THROWS_WITH(out.publish(std::move(message)), ContainsSubstring("moved from"));  // NOLINT
  CHECK_THROWS_WITH(in.push({}), ContainsSubstring("pushed to 'rx/in'"));
  CHECK_THROWS_WITH(mailbox.push({}), ContainsSubstring("pushed to 'rx/mailbox'"));
}

TEST_CASE("receive() never gives a null message, receive_if_any() does") {
  harness::Harness harness;
  auto& in = harness.add<DoubleBufferReceiver>("rx/in");
  auto& mailbox = harness.add<AsyncBufferReceiver>("rx/mailbox");
  harness.initialize();
  CHECK_THROWS_WITH(in.receive(), ContainsSubstring("MessageAvailableSchedulingTerm"));
  CHECK_THROWS_WITH(mailbox.receive(), ContainsSubstring("no message has come to 'rx/mailbox'"));
  CHECK_THROWS_AS(mailbox.receive_unfinished(), Error);
  CHECK_FALSE(in.receive_if_any());
  CHECK_FALSE(mailbox.receive_if_any());
  for (Receiver* receiver : {static_cast<Receiver*>(&in), static_cast<Receiver*>(&mailbox)}) {
    receiver->push(harness.new_message());
    receiver->sync();
    CHECK(receiver->receive_if_any());
  }
  CHECK(mailbox.receive());
}

TEST_CASE("a mailbox counts what newer messages replace before it is read") {
  harness::Harness harness;
  auto& mailbox = harness.add<AsyncBufferReceiver>("rx/mailbox");
  harness.initialize();
  for (int i = 0; i < 4; ++i) {
    mailbox.push(harness.new_message());
  }
  CHECK(mailbox.unread() == 1);
  CHECK(mailbox.receive());
  mailbox.push(harness.new_message());
  REQUIRE(mailbox.discards().size() == 1);
  CHECK(mailbox.discards().front().count == 3);
  CHECK(mailbox.discards().front().of == 5);
  mailbox.clear();
  CHECK(mailbox.unread() == 0);
  CHECK(mailbox.discards().front().count == 3);
}

}  // namespace
}  // namespace gxr
