// What threads outside an application may do: sleep on a SyntheticClock, use a mailbox, set a term.

#include <cstdint>
#include <string>
#include <thread>

#include "catch.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using gxr::harness::Harness;

TEST_CASE("a sleeper on a synthetic clock wakes when the time is set far enough") {
  Harness harness;
  auto& clock = harness.add<SyntheticClock>("e/clock", {{"initial_timestamp", "5"}});
  harness.initialize();
  std::thread sleeper([&] { clock.sleep_until(20); });
  clock.advance_to(10);
  clock.advance_by(10);
  sleeper.join();
  CHECK(clock.timestamp() == 20);
  clock.advance_to(3);
  CHECK(clock.timestamp() == 3);
}

TEST_CASE("a sleeper on a synthetic clock is released when the application ends") {
  Harness harness;
  auto& clock = harness.add<SyntheticClock>("e/clock");
  harness.initialize();
  std::thread sleeper([&] { clock.sleep_until(1'000'000); });
  harness.deinitialize();
  sleeper.join();
  CHECK(clock.timestamp() == 0);
}

TEST_CASE("a mailbox gives its newest message to any thread, never an older one") {
  Harness harness;
  auto& box = harness.add<AsyncBufferReceiver>("e/box");
  harness.initialize();
  CHECK(!box.receive_if_any());
  constexpr std::uint64_t kLast = 1000;
  std::uint64_t seen = 0;
  bool in_order = true;
  std::thread reader([&] {
    while (seen < kLast) {
      const Message message = box.receive_if_any();
      const std::uint64_t number = message ? message.sequence() : 0;
      in_order = in_order && number >= seen;
      seen = number;
    }
  });
  for (std::uint64_t i = 1; i <= kLast; ++i) {
    Message message = harness.new_message();
    message.set_sequence(i);
    box.push(std::move(message));
  }
  reader.join();
  CHECK(in_order);
  CHECK(box.is_concurrent());
  CHECK(box.receive().sequence() == kLast);
  box.clear();
  CHECK(!box.receive_if_any());
}

TEST_CASE("an asynchronous term notifies with every state") {
  Harness harness;
  auto& term = harness.add<AsynchronousSchedulingTerm>("e/term");
  harness.initialize();
  const std::pair<AsynchronousEventState, ConditionType> expected[] = {
      {AsynchronousEventState::Wait, ConditionType::Wait},
      {AsynchronousEventState::EventWaiting, ConditionType::WaitEvent},
      {AsynchronousEventState::EventDone, ConditionType::Ready},
      {AsynchronousEventState::EventNever, ConditionType::Never},
      {AsynchronousEventState::Ready, ConditionType::Ready}};
  for (const auto& [state, condition] : expected) {
    term.set_event_state(state);
    CHECK(term.check(0).type == condition);
  }
  CHECK(harness.notified().size() == 5);
}

TEST_CASE("a target time that waits for messages is ready for one while no target is set") {
  Harness harness;
  auto& clock = harness.add<ManualClock>("e/clock", {{"initial_timestamp", "10"}});
  auto& in = harness.add<DoubleBufferReceiver>("e/in");
  auto& term = harness.add<TargetTimeSchedulingTerm>("e/term", {{"clock", "clock"}});
  harness.initialize();
  CHECK(term.check(clock.timestamp()).type == ConditionType::Ready);
  term.on_execute(10);

  harness.deinitialize();
  term.wait_for_messages(in);
  harness.initialize();
  CHECK(term.check(10).type == ConditionType::Wait);
  in.push(harness.new_message());
  CHECK(term.check(10).type == ConditionType::Ready);
  term.on_execute(10);
  term.set_next_target_time(30);
  CHECK(term.check(20).type == ConditionType::WaitTime);
  CHECK(term.check(30).type == ConditionType::Ready);
  term.on_execute(30);
  CHECK(term.check(30).type == ConditionType::Ready);
  in.clear();
  CHECK(term.check(30).type == ConditionType::Wait);
  CHECK(term.explain() == "waits for a message on 'e/in'");

  harness.deinitialize();
  harness.initialize();
  CHECK(term.check(10).type == ConditionType::Ready);
}

TEST_CASE("an allocator tells those who watch it, until they stop") {
  Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "e/pool", {{"storage_type", "2"}, {"block_size", "8"}, {"num_blocks", "2"}});
  auto& term = harness.add<MemoryAvailableSchedulingTerm>(
      "other/term", {{"allocator", "e/pool"}, {"min_blocks", "2"}});
  harness.initialize();
  CHECK(term.check(0).type == ConditionType::Ready);
  void* block = pool.allocate(1, MemoryStorageType::System);
  CHECK(term.check(0).type == ConditionType::Wait);
  pool.free(block);
  CHECK(term.check(0).type == ConditionType::Ready);
  REQUIRE(harness.notified().size() == 1);
  CHECK(harness.notified().front() == &term);
  pool.unwatch(term);
  pool.free(pool.allocate(1, MemoryStorageType::System));
  CHECK(harness.notified().size() == 1);
}

TEST_CASE("a target time waits for the tick of the one before it") {
  Harness harness;
  harness.add<ManualClock>("e/clock", {{"initial_timestamp", "10"}});
  auto& term = harness.add<TargetTimeSchedulingTerm>("e/term", {{"clock", "clock"}});
  harness.initialize();
  CHECK(term.check(10).type == ConditionType::Ready);
  term.on_execute(10);
  CHECK(term.check(11).type == ConditionType::Wait);
  term.set_next_target_time(20);
  CHECK(term.check(11).type == ConditionType::WaitTime);
  term.set_next_target_time(30);
  CHECK(term.check(12).target == 20);
  term.on_execute(15);  // by another term of a combiner
  CHECK(term.check(15).target == 20);
  term.on_execute(20);
  CHECK(term.check(20).target == 30);
  CHECK_THROWS_AS(term.set_next_target_time(29), Error);
}
