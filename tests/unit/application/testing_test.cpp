#include "gxr/testing.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "catch.hpp"
#include "gxr/allocator.hpp"
#include "gxr/tensor.hpp"

namespace gxr::testing {
namespace {

using namespace std::chrono_literals;

/// Whole text of what `call` throws, behind its code; "" when it throws nothing.
template <class F>
std::string thrown_by(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(gxr::to_string(error.code())) + ": " + error.message();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Message numbers(OperatorTest& test, std::int32_t first, std::int32_t second) {
  Message message = test.new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<std::int32_t>(test.allocator(), {2});
  tensor.data<std::int32_t>()[0] = first;
  tensor.data<std::int32_t>()[1] = second;
  return message;
}

Message numbered(OperatorTest& test, std::uint64_t number) {
  Message message = test.new_message();
  message.set_sequence(number);
  return message;
}

TEST_CASE("OperatorTest: a message goes in and comes out") {
  OperatorTest forward("nvidia::gxf::Forward");
  CHECK_FALSE(forward.tick());
  CHECK(forward.ticks() == 0);
  forward.push("in", numbered(forward, 7));
  CHECK(forward.unread("in") == 1);
  CHECK(forward.tick());
  CHECK(forward.ticks() == 1);
  CHECK(forward.unread("in") == 0);
  REQUIRE(forward.published("out") == 1);
  CHECK(forward.pop("out").sequence() == 7);
  CHECK(forward.published("out") == 0);
  CHECK_FALSE(forward.tick());
  CHECK(contains(thrown_by([&] { forward.pop("out"); }), "not-available: no message"));
}

TEST_CASE("OperatorTest: parameters, several ports, one without a queue") {
  OperatorTest sum("gxr::arithmetic::Sum", "pool: kit/memory", {.unconnected = {"c", "d"}});
  sum.push("a", numbers(sum, 1, 2));
  CHECK_FALSE(sum.tick());
  CHECK(sum.state().ports == std::vector<std::string>{"b"});
  sum.push("b", numbers(sum, 10, 20));
  CHECK(sum.state().state == OperatorState::Ready);
  CHECK(sum.state().text == "is ready");
  REQUIRE(sum.tick());
  const Message out = sum.pop("out");
  CHECK(out.get<Tensor>().data<std::int32_t>()[0] == 11);
  CHECK(out.get<Tensor>().data<std::int32_t>()[1] == 22);
}

TEST_CASE("OperatorTest: an output without room is backpressure") {
  OperatorTest forward("gxr::Forward", {}, {.input_capacity = 3, .output_capacity = 2});
  for (std::uint64_t i = 0; i < 3; ++i) {
    forward.push("in", numbered(forward, i));
  }
  CHECK(contains(thrown_by([&] { forward.push("in", forward.new_message()); }), "overflow: "));
  CHECK(forward.tick_all() == 2);
  const SchedulingState full = forward.state();
  CHECK(full.state == OperatorState::Waiting);
  CHECK(full.ports == std::vector<std::string>{"out"});
  CHECK(contains(full.text, "out"));
  CHECK(forward.pop("out").sequence() == 0);
  CHECK(forward.tick());
  CHECK(forward.pop("out").sequence() == 1);
  CHECK(forward.pop("out").sequence() == 2);
  const SchedulingState empty = forward.state();
  CHECK(empty.ports == std::vector<std::string>{"in"});
  CHECK(empty.text == "waits for 1 message on 'test/in' (has 0)");
}

TEST_CASE("OperatorTest: at most so many ticks") {
  OperatorTest forward("gxr::Forward");
  for (std::uint64_t i = 0; i < 3; ++i) {
    forward.push("in", numbered(forward, i));
  }
  CHECK(forward.tick_all(2) == 2);
  CHECK(forward.unread("in") == 1);
}

TEST_CASE("OperatorTest: the test moves the clock") {
  OperatorTest silent(
      "gxr::Forward", {},
      {.components = "- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 10ms}}",
       .default_terms = false,
       .start_time = 1s});
  CHECK(silent.now() == 1s);
  silent.push("in", numbered(silent, 0));
  silent.push("in", numbered(silent, 1));
  CHECK(silent.tick());
  CHECK_FALSE(silent.tick());
  SchedulingState state = silent.state();
  CHECK(state.state == OperatorState::WaitingForTime);
  CHECK(state.until == 1010ms);
  silent.advance(9999us);
  CHECK_FALSE(silent.tick());
  silent.advance(1us);
  CHECK(silent.state().state == OperatorState::Ready);
  CHECK(silent.tick());
  CHECK(silent.now() == 1010ms);
  CHECK(contains(thrown_by([&] { silent.advance(-1ns); }), "invalid-argument: "));
}

TEST_CASE("OperatorTest: the last tick, then stop() as in a run") {
  OperatorTest counted(
      "gxr::testing::StepCount", "expected_count: 2",
      {.components = "- {type: gxr::CountSchedulingTerm, parameters: {count: 2}}"});
  CHECK(counted.tick_all() == 2);
  CHECK(counted.state().state == OperatorState::Finished);
  CHECK_FALSE(counted.tick());
  CHECK_NOTHROW(counted.stop());
  CHECK(counted.state().state == OperatorState::Stopped);
  CHECK(counted.ticks() == 2);
  CHECK(counted.failures().empty());
}

TEST_CASE("OperatorTest: what the end throws") {
  OperatorTest counted("gxr::testing::StepCount", "expected_count: 2");
  CHECK(counted.tick());
  const std::string text = thrown_by([&] { counted.stop(); });
  CHECK(contains(text, "deinitialize of entity 'test', component 'operator'"));
  CHECK(contains(text, "tick() was called 1 time, expected_count is 2"));
  REQUIRE(counted.failures().size() == 1);
  CHECK(counted.failures().front().method == "deinitialize");
  CHECK_NOTHROW(counted.stop());
  for (const auto& call : {std::string("tick"), std::string("push")}) {
    CHECK(contains(thrown_by([&] {
                     call == "tick" ? static_cast<void>(counted.tick())
                                    : counted.push("in", Message());
                   }),
                   "invalid-state: the operator was stopped"));
  }
}

TEST_CASE("OperatorTest: an operator that fails") {
  OperatorTest failing("gxr::testing::MockFailure", "num_max_ticks: 1");
  CHECK(failing.tick());
  CHECK(thrown_by([&] { failing.tick(); }) ==
        "failure: tick of entity 'test', component 'operator' (gxr::testing::MockFailure): fails "
        "after 1 tick, as its parameter 'num_max_ticks' says");
  REQUIRE(failing.failures().size() == 1);
  CHECK(failing.failures().front().method == "tick");
  CHECK(failing.failures().front().text ==
        "fails after 1 tick, as its parameter 'num_max_ticks' says");
  CHECK(failing.state().state == OperatorState::Failed);
  CHECK(contains(thrown_by([&] { failing.tick(); }), "invalid-state: the operator has failed"));
  CHECK(failing.ticks() == 2);
  CHECK_NOTHROW(failing.stop());  // nothing else failed
  CHECK(failing.failures().size() == 1);
}

TEST_CASE("OperatorTest: a start that fails, and one that was not asked for") {
  OperatorTest wrong("gxr::testing::TensorComparator", "relative_tolerance: .inf");
  CHECK(contains(thrown_by([&] { wrong.start(); }), "start of entity 'test'"));
  CHECK(wrong.state().state == OperatorState::Failed);
  OperatorTest never_started("gxr::testing::StepCount", "expected_start_count: 0");
  CHECK_NOTHROW(never_started.stop());
}

TEST_CASE("OperatorTest: an input takes as many messages as it has room for") {
  OperatorTest forward("gxr::Forward", {}, {.input_capacity = 2, .output_capacity = 8});
  for (std::uint64_t i = 0; i < 2; ++i) {
    forward.push("in", numbered(forward, i));
  }
  CHECK(forward.tick());
  forward.push("in", numbered(forward, 2));
  CHECK(contains(thrown_by([&] { forward.push("in", forward.new_message()); }),
                 "input 'in' is full"));
  CHECK(forward.tick_all() == 2);
}

TEST_CASE("OperatorTest: queues of the test's own") {
  OperatorTest gather("gxr::Gather", "sources: [left, right]", {.components = R"(
- {name: left, type: gxr::DoubleBufferReceiver, parameters: {capacity: 1, policy: 0}}
- {name: right, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: right}}
)"});
  gather.push("left", numbered(gather, 1));
  gather.push("left", numbered(gather, 2));  // takes the place of the other
  CHECK_FALSE(gather.tick());
  gather.push("right", numbered(gather, 3));
  CHECK(gather.tick());
  REQUIRE(gather.published("sink") == 2);
  CHECK(gather.pop("sink").sequence() == 2);
  CHECK(gather.pop("sink").sequence() == 3);

  OperatorTest forward("gxr::Forward", "out: mine",
                       {.components = "[{name: mine, type: gxr::DoubleBufferTransmitter}]"});
  forward.push("in", numbered(forward, 4));
  CHECK(forward.tick());
  CHECK(forward.pop("mine").sequence() == 4);
}

TEST_CASE("OperatorTest: a term that waits for an event from outside") {
  OperatorTest waiting(
      "gxr::Forward", {},
      {.components = "- {type: gxr::testing::WaitSchedulingTerm}", .default_terms = false});
  CHECK_FALSE(waiting.tick());
  CHECK(waiting.state().state == OperatorState::Waiting);
  CHECK(waiting.state().ports.empty());
}

TEST_CASE("OperatorTest: an event from another thread") {
  OperatorTest pings("gxr::testing::AsyncPingTx", "{delay: 20, scheduling_term: event}",
                     {.components = "- {name: event, type: gxr::AsynchronousSchedulingTerm}"});
  CHECK(pings.tick());
  while (pings.tick()) {  // until it waits; an event may be quicker
  }
  std::this_thread::sleep_for(1s);
  CHECK(pings.tick());
  const OperatorState state = pings.state().state;
  CHECK((state == OperatorState::WaitingForEvent || state == OperatorState::Ready));
}

TEST_CASE("OperatorTest: an extension of the test's, and dynamic parameters") {
  OperatorTest pair("live::Pair", {}, {.extensions = {GXR_TEST_EXTENSION_DIR "/live.so"}});
  CHECK(pair.tick());
  pair.set("first", "3");
  CHECK(contains(thrown_by([&] { pair.tick(); }), "numbers of different assignments"));
  OperatorTest fixed("live::Pair", {}, {.extensions = {GXR_TEST_EXTENSION_DIR "/live.so"}});
  CHECK(contains(thrown_by([&] { fixed.set("last", "3"); }), "invalid-state: "));
  CHECK(contains(thrown_by([&] { fixed.set("first", "-1"); }), "out-of-range: "));
}

TEST_CASE("OperatorTest: what is wrong before the operator is made") {
  const auto made = [](std::string_view type, std::string_view parameters,
                       const OperatorOptions& options = {}) {
    return thrown_by([&] { OperatorTest test(type, parameters, options); });
  };
  CHECK(contains(made("gxr::Forwards", {}),
                 "not-found: no type 'gxr::Forwards'; did you mean "
                 "'gxr::Forward'?"));
  CHECK(contains(made("gxr::UnboundedAllocator", {}),
                 "invalid-argument: 'gxr::UnboundedAllocator' is no codelet"));
  CHECK(contains(made("gxr::Codelet", {}), "invalid-argument: "));
  CHECK(contains(made("gxr::Forward", "[1]"), "invalid-data: parameters: a map expected"));
  CHECK(contains(made("gxr::Forward", "a: [1"), "invalid-data: parameters: invalid YAML"));
  CHECK(contains(made("gxr::Forward", {}, {.components = "a: 1"}),
                 "invalid-data: components: a list expected"));
  CHECK(contains(made("gxr::Forward", "im: 1"), "did you mean 'in'?"));
  CHECK(contains(made("gxr::testing::MockFailure", "num_max_ticks: -1"), "parameter-range"));
  CHECK(contains(made("gxr::testing::MockFailure", {}), "num_max_ticks"));
  CHECK(contains(made("gxr::Forward", {}, {.unconnected = {"inn"}}),
                 "not-found: 'gxr::Forward' has no port 'inn'"));
  CHECK(contains(made("gxr::Forward", {}, {.unconnected = {"in"}}), "invalid-data: "));
  CHECK(contains(made("gxr::Forward", {}, {.extensions = {"nowhere.so"}}), "nowhere.so"));
  CHECK(contains(made("gxr::Forward", {}, {.input_capacity = 0}), "capacity"));
}

TEST_CASE("OperatorTest: an operator that cannot be made or initialised, or throws in stop()") {
  const OperatorOptions options{.extensions = {GXR_TEST_EXTENSION_DIR "/throwing.so"}};
  CHECK(contains(thrown_by([&] { OperatorTest test("test::ThrowingConstructor", {}, options); }),
                 "component 'operator' (test::ThrowingConstructor)"));
  CHECK(contains(thrown_by([&] {
                   OperatorTest test("test::Throwing", "{method: initialize, what: error}",
                                     options);
                 }),
                 "not-available: initialize of entity 'test'"));
  OperatorTest test("test::Throwing", "{method: stop, what: error}", options);
  CHECK(test.tick());
  CHECK(contains(thrown_by([&] { test.stop(); }), "not-available: stop of entity 'test'"));
  REQUIRE(test.failures().size() == 1);
  CHECK(test.failures().front().text == "a gxr::Error");
}

TEST_CASE("OperatorTest: wrong ports and messages") {
  OperatorTest forward("gxr::Forward");
  CHECK(thrown_by([&] { forward.push("out", forward.new_message()); }) ==
        "not-found: the operator has no input port 'out'; there is 'in'");
  CHECK(thrown_by([&] { forward.pop("in"); }) ==
        "not-found: the operator has no output port 'in'; there is 'out'");
  CHECK(contains(thrown_by([&] { static_cast<void>(forward.published("x")); }), "not-found: "));
  CHECK(contains(thrown_by([&] { static_cast<void>(forward.unread("x")); }), "not-found: "));
  CHECK(contains(thrown_by([&] { forward.push("in", Message()); }), "invalid-argument: "));
}

TEST_CASE("OperatorTest: moved into another object") {
  OperatorTest first("gxr::Forward");
  first.push("in", numbered(first, 5));
  OperatorTest second = std::move(first);
  CHECK(second.tick());
  CHECK(second.pop("out").sequence() == 5);
  CHECK(contains(thrown_by([&] { first.tick(); }), "invalid-state: "));  // NOLINT
}

TEST_CASE("OperatorTest: states have names") {
  for (const auto& [state, name] :
       {std::pair(OperatorState::Ready, "ready"), std::pair(OperatorState::Waiting, "waiting"),
        std::pair(OperatorState::WaitingForTime, "waiting for a time"),
        std::pair(OperatorState::WaitingForEvent, "waiting for an event"),
        std::pair(OperatorState::Finished, "finished"), std::pair(OperatorState::Failed, "failed"),
        std::pair(OperatorState::Stopped, "stopped")}) {
    CHECK(std::string(to_string(state)) == name);
  }
}

}  // namespace
}  // namespace gxr::testing
