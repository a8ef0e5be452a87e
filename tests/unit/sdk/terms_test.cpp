#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/scheduling_term.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::Harness;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Writes down what a term names.
class RecordedEvents final : public TermEvents {
 public:
  void message(Receiver& receiver) override { text += "message " + receiver.full_name() + ";"; }
  void space(Transmitter& transmitter) override {
    text += "space " + transmitter.full_name() + ";";
  }
  void notification() override { text += "notification;"; }
  void poll(std::int64_t period) override { text += "poll " + std::to_string(period) + ";"; }
  void poll_while_others_run(std::int64_t period) override {
    text += "poll " + std::to_string(period) + " while others run;";
  }
  std::string text;
};

std::string events_of(SchedulingTerm& term) {
  RecordedEvents events;
  term.events(events);
  return events.text;
}

ConditionType type_at(SchedulingTerm& term, std::int64_t now = 0) { return term.check(now).type; }

/// Times at which a periodic entity ticks when the scheduler is busy until the times in `free_at`.
std::vector<std::int64_t> ticks(PeriodicSchedulingTerm& term,
                                const std::vector<std::int64_t>& free_at) {
  std::vector<std::int64_t> result;
  for (const std::int64_t free : free_at) {
    const Condition condition = term.check(free);
    const std::int64_t now =
        condition.type == ConditionType::WaitTime ? std::max(free, condition.target) : free;
    term.on_execute(now);
    result.push_back(now);
  }
  return result;
}

}  // namespace

TEST_CASE("Conditions of one entity are combined by precedence", "[terms]") {
  const Condition never{ConditionType::Never, 0};
  const Condition event{ConditionType::WaitEvent, 0};
  const Condition wait{ConditionType::Wait, 0};
  const Condition early{ConditionType::WaitTime, 10};
  const Condition late{ConditionType::WaitTime, 20};
  const Condition ready{ConditionType::Ready, 30};

  const std::vector<Condition> by_rank{never, event, wait, late, ready};
  for (std::size_t i = 0; i < by_rank.size(); ++i) {
    for (std::size_t k = i; k < by_rank.size(); ++k) {
      CAPTURE(i, k);
      CHECK(both(by_rank[i], by_rank[k]).type == by_rank[i].type);
      CHECK(both(by_rank[k], by_rank[i]).type == by_rank[i].type);
    }
  }
  CHECK(both(early, late).target == 20);
  CHECK(both(late, early).target == 20);
  CHECK(both(ready, late).target == 20);
  CHECK(both(ready, {ConditionType::Ready, 7}).target == 30);
}

TEST_CASE("MessageAvailable counts both stages of its receiver", "[terms]") {
  Harness harness;
  auto& queue = harness.add<DoubleBufferReceiver>("rx/signal", {{"capacity", "4"}});
  auto& term = harness.add<MessageAvailableSchedulingTerm>(
      "rx/term", {{"receiver", "signal"}, {"min_size", "2"}});
  harness.initialize();

  CHECK(type_at(term) == ConditionType::Wait);
  CHECK(term.explain() == "waits for 2 messages on 'rx/signal' (has 0)");
  queue.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Wait);
  CHECK(term.explain() == "waits for 2 messages on 'rx/signal' (has 1)");
  queue.sync();
  queue.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Ready);
  queue.pop();
  CHECK(type_at(term) == ConditionType::Wait);
  CHECK(events_of(term) == "message rx/signal;");
}

TEST_CASE("MessageAvailable waits for one message by default", "[terms]") {
  Harness harness;
  auto& queue = harness.add<DoubleBufferReceiver>("rx/signal");
  auto& term = harness.add<MessageAvailableSchedulingTerm>("rx/term", {{"receiver", "rx/signal"}});
  harness.initialize();

  CHECK(term.explain() == "waits for 1 message on 'rx/signal' (has 0)");
  queue.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Ready);
}

TEST_CASE("front_stage_max_size makes MessageAvailable wait for leftovers to go", "[terms]") {
  Harness harness;
  auto& queue = harness.add<DoubleBufferReceiver>("rx/signal", {{"capacity", "4"}});
  auto& term = harness.add<MessageAvailableSchedulingTerm>(
      "rx/term", {{"receiver", "signal"}, {"front_stage_max_size", "1"}});
  harness.initialize();

  queue.push(harness.new_message());
  queue.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Ready);
  queue.sync();
  CHECK(type_at(term) == ConditionType::Wait);
  CHECK_THAT(term.explain(), ContainsSubstring("at most 1 message from earlier ticks"));
  CHECK_THAT(term.explain(), ContainsSubstring("(has 2)"));
  queue.pop();
  CHECK(type_at(term) == ConditionType::Ready);
}

TEST_CASE("MessageAvailable warns of a number that its receiver cannot hold", "[terms]") {
  Harness harness;
  harness.add<DoubleBufferReceiver>("rx/signal");
  harness.add<MessageAvailableSchedulingTerm>("rx/term",
                                              {{"receiver", "signal"}, {"min_size", "3"}});
  harness.initialize();

  REQUIRE(harness.logged().size() == 1);
  CHECK(harness.logged()[0].level == LogLevel::Warn);
  CHECK(harness.logged()[0].component == "rx/term");
  CHECK_THAT(harness.logged()[0].text, ContainsSubstring("holds at most 2"));
}

TEST_CASE("DownstreamReceptive needs room behind every connection", "[terms]") {
  Harness harness;
  auto& transmitter = harness.add<DoubleBufferTransmitter>("tx/signal");
  auto& small = harness.add<DoubleBufferReceiver>("a/signal");
  auto& large = harness.add<DoubleBufferReceiver>("b/signal", {{"capacity", "2"}});
  auto& term =
      harness.add<DownstreamReceptiveSchedulingTerm>("tx/term", {{"transmitter", "signal"}});
  harness.initialize();
  EngineAccess::connect(transmitter, small);
  EngineAccess::connect(transmitter, large);

  CHECK(type_at(term) == ConditionType::Ready);
  large.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Ready);
  small.push(harness.new_message());
  CHECK(type_at(term) == ConditionType::Wait);
  CHECK(term.explain() == "waits for room for 1 message in 'a/signal' (holds 1 of 1)");
  small.sync();
  CHECK(type_at(term) == ConditionType::Wait);
  small.pop();
  CHECK(type_at(term) == ConditionType::Ready);
  CHECK(events_of(term) == "space tx/signal;");
}

TEST_CASE("DownstreamReceptive counts messages, and no number overflows", "[terms]") {
  Harness harness;
  auto& transmitter = harness.add<DoubleBufferTransmitter>("tx/signal");
  auto& receiver = harness.add<DoubleBufferReceiver>("rx/signal", {{"capacity", "3"}});
  auto& two = harness.add<DownstreamReceptiveSchedulingTerm>(
      "tx/two", {{"transmitter", "signal"}, {"min_size", "2"}});
  auto& huge = harness.add<DownstreamReceptiveSchedulingTerm>(
      "tx/huge", {{"transmitter", "signal"}, {"min_size", "18446744073709551615"}});
  harness.initialize();
  EngineAccess::connect(transmitter, receiver);

  receiver.push(harness.new_message());
  CHECK(type_at(two) == ConditionType::Ready);
  CHECK(type_at(huge) == ConditionType::Wait);
  receiver.push(harness.new_message());
  CHECK(type_at(two) == ConditionType::Wait);
}

TEST_CASE("DownstreamReceptive without a connection never lets its entity tick", "[terms]") {
  Harness harness;
  harness.add<DoubleBufferTransmitter>("tx/signal");
  auto& term =
      harness.add<DownstreamReceptiveSchedulingTerm>("tx/term", {{"transmitter", "signal"}});
  harness.initialize();

  CHECK(type_at(term) == ConditionType::Never);
  CHECK(term.explain() == "no receiver is connected to 'tx/signal'");
}

TEST_CASE("Count is ready for so many ticks, then never", "[terms]") {
  Harness harness;
  auto& term = harness.add<CountSchedulingTerm>("e/count", {{"count", "2"}});
  harness.initialize();

  CHECK(type_at(term) == ConditionType::Ready);
  CHECK(type_at(term) == ConditionType::Ready);
  term.on_execute(0);
  CHECK(type_at(term) == ConditionType::Ready);
  term.on_execute(0);
  CHECK(type_at(term) == ConditionType::Never);
  CHECK(events_of(term).empty());
}

TEST_CASE("Count 0 never lets its entity tick, a negative one always", "[terms]") {
  Harness harness;
  auto& none = harness.add<CountSchedulingTerm>("e/none", {{"count", "0"}});
  auto& endless = harness.add<CountSchedulingTerm>("e/endless", {{"count", "-1"}});
  harness.initialize();

  CHECK(type_at(none) == ConditionType::Never);
  for (int i = 0; i < 1000; ++i) {
    endless.on_execute(i);
  }
  CHECK(type_at(endless) == ConditionType::Ready);
}

TEST_CASE("Periodic is ready at once, then once per period", "[terms]") {
  Harness harness;
  auto& term = harness.add<PeriodicSchedulingTerm>("e/term", {{"recess_period", "2s"}});
  harness.initialize();

  CHECK(type_at(term, 5 * kSecond) == ConditionType::Ready);
  term.on_execute(5 * kSecond);
  const Condition condition = term.check(6 * kSecond);
  CHECK(condition.type == ConditionType::WaitTime);
  CHECK(condition.target == 7 * kSecond);
  CHECK(term.explain() == "waits for its next period, at 7 s");
  CHECK(type_at(term, 7 * kSecond) == ConditionType::Ready);
  CHECK(events_of(term).empty());
}

TEST_CASE("The policy of a periodic term says what follows a late tick", "[terms]") {
  Harness harness;
  auto& catch_up = harness.add<PeriodicSchedulingTerm>(
      "e/a", {{"recess_period", "10"}, {"policy", "CatchUpMissedTicks"}});
  auto& gap = harness.add<PeriodicSchedulingTerm>(
      "e/b", {{"recess_period", "10"}, {"policy", "MinTimeBetweenTicks"}});
  auto& skip = harness.add<PeriodicSchedulingTerm>(
      "e/c", {{"recess_period", "10"}, {"policy", "NoCatchUpMissedTicks"}});
  auto& by_default = harness.add<PeriodicSchedulingTerm>("e/d", {{"recess_period", "10"}});
  harness.initialize();

  // The second tick is due at 10; the scheduler comes back at 35.
  const std::vector<std::int64_t> free_at{0, 35, 35, 35, 35, 35};
  CHECK(ticks(catch_up, free_at) == std::vector<std::int64_t>{0, 35, 35, 35, 40, 50});
  CHECK(ticks(gap, free_at) == std::vector<std::int64_t>{0, 35, 45, 55, 65, 75});
  CHECK(ticks(skip, free_at) == std::vector<std::int64_t>{0, 35, 40, 50, 60, 70});
  CHECK(ticks(by_default, free_at) == std::vector<std::int64_t>{0, 35, 35, 35, 40, 50});
}

TEST_CASE("A tick exactly on the beat is not missed", "[terms]") {
  Harness harness;
  auto& skip = harness.add<PeriodicSchedulingTerm>(
      "e/c", {{"recess_period", "10"}, {"policy", "NoCatchUpMissedTicks"}});
  harness.initialize();
  CHECK(ticks(skip, {0, 10, 20, 39, 40}) == std::vector<std::int64_t>{0, 10, 20, 39, 40});
}

TEST_CASE("A period at the end of time does not wrap", "[terms]") {
  Harness harness;
  auto& term = harness.add<PeriodicSchedulingTerm>("e/term", {{"recess_period", "1s"}});
  harness.initialize();
  const std::int64_t end = std::numeric_limits<std::int64_t>::max();
  term.on_execute(end - 5);
  CHECK(term.check(end - 5).target == end);
}

TEST_CASE("A frequency is a period", "[terms]") {
  Harness harness;
  auto& term = harness.add<PeriodicSchedulingTerm>("e/term", {{"recess_period", "4Hz"}});
  harness.initialize();
  term.on_execute(0);
  CHECK(term.check(0).target == kSecond / 4);
}

TEST_CASE("A period must be longer than 0", "[terms]") {
  Harness harness;
  PeriodicSchedulingTerm& term =
      harness.add<PeriodicSchedulingTerm>("e/term", {{"recess_period", "1"}});
  Interface interface = EngineAccess::make_interface();
  term.declare(interface);
  auto* period = dynamic_cast<Parameter<Duration>*>(EngineAccess::bindings(interface)[0].member);
  REQUIRE(period != nullptr);
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-5}}) {
    period->set(Duration{bad});
    CHECK_THROWS_WITH(term.initialize(), ContainsSubstring("parameter 'recess_period'"));
  }
}

TEST_CASE("Boolean switches its entity and tells the scheduler", "[terms]") {
  Harness harness;
  auto& term = harness.add<BooleanSchedulingTerm>("e/on");
  auto& off = harness.add<BooleanSchedulingTerm>("e/off", {{"enable_tick", "false"}});
  harness.initialize();

  CHECK(type_at(off) == ConditionType::Never);
  CHECK(type_at(term) == ConditionType::Ready);
  term.disable_tick();
  CHECK_FALSE(term.tick_enabled());
  CHECK(type_at(term) == ConditionType::Never);
  term.enable_tick();
  CHECK(type_at(term) == ConditionType::Ready);
  CHECK(harness.notified() == std::vector<const Component*>{&term, &term});
  CHECK(events_of(term) == "notification;");
}

TEST_CASE("A component can say from when on the boolean term is ready", "[terms]") {
  Harness harness;
  auto& term = harness.add<BooleanSchedulingTerm>("e/term");
  harness.initialize();
  term.enable_tick_at(100);
  CHECK(term.check(99).type == ConditionType::WaitTime);
  CHECK(term.check(99).target == 100);
  CHECK(term.check(100).type == ConditionType::Ready);
  term.enable_tick();
  CHECK(term.check(0).type == ConditionType::Ready);
  term.enable_tick_at(100);
  term.disable_tick();
  CHECK(term.check(200).type == ConditionType::Never);
  CHECK(harness.notified().size() == 4);
}

TEST_CASE("What a component tells the boolean term before it is initialized counts", "[terms]") {
  Harness harness;
  auto& term = harness.add<BooleanSchedulingTerm>("e/term", {{"enable_tick", "false"}});
  term.enable_tick();
  harness.initialize();
  CHECK(term.check(0).type == ConditionType::Ready);
}
