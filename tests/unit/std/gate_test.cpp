#include "extensions/std/gate.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::Harness;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
using Numbers = std::vector<int>;

/// A gate with a receiver behind it. Messages are numbered by their time in milliseconds.
class Gated {
 public:
  explicit Gated(Harness::Parameters parameters, bool has_trigger = false) {
    EngineAccess::connect(out_, behind_);
    parameters.insert(parameters.begin(), {{"in", "in"}, {"out", "out"}});
    if (has_trigger) {
      parameters.emplace_back("trigger", "trigger");
    }
    gate_ = &harness.add<Gate>("gate/gate", parameters);
    harness.initialize();
    gate_->start();
  }

  Message message(int time, bool happens, bool has_timestamp = true) {
    Message message = harness.new_message();
    message.add<int>({}, time);
    if (has_timestamp) {
      message.add<Timestamp>("timestamp", Timestamp{0, time * kMillisecond});
    }
    auto& tensor = message.add<Tensor>("motion");
    tensor.allocate<std::int32_t>(pool_, Shape{1});
    *tensor.data<std::int32_t>() = happens ? 256 : 0;
    return message;
  }

  /// Ticks until the gate has taken the message; what it has published.
  Numbers pass(Message message) {
    in.push(std::move(message));
    return tick_while_there_is_input(0);
  }
  Numbers pass(int time, bool happens) { return pass(message(time, happens)); }

  Numbers tick_while_there_is_input(std::int64_t now) {
    Numbers numbers;
    in.sync();
    while (in.size() > 0) {
      harness.tick(*gate_, now);
      behind_.sync();
      const Message passed = behind_.pop();
      CHECK(behind_.size() == 0);  // one a tick
      if (passed) {
        numbers.push_back(passed.get<int>());
      }
    }
    return numbers;
  }
  std::string failure(Message message) {
    in.push(std::move(message));
    return failure();
  }
  std::string failure() {
    try {
      harness.tick(*gate_);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }
  void stop() { gate_->stop(); }

  Harness harness;
  Receiver& in = harness.add<DoubleBufferReceiver>("gate/in", {{"capacity", "9"}});
  Receiver& trigger = harness.add<DoubleBufferReceiver>("gate/trigger", {{"capacity", "9"}});

 private:
  Transmitter& out_ = harness.add<DoubleBufferTransmitter>("gate/out");
  Receiver& behind_ = harness.add<DoubleBufferReceiver>("behind/in");
  Allocator& pool_ = harness.add<UnboundedAllocator>("gate/pool");
  Gate* gate_ = nullptr;
};

const Harness::Parameters kTimes{{"before", "20ms"}, {"after", "10ms"}};

}  // namespace

TEST_CASE("Gate passes what is around something that happens", "[std]") {
  Gated gated(kTimes);
  for (const int time : {0, 10, 20, 30}) {
    CHECK(gated.pass(time, false).empty());
  }
  CHECK(gated.pass(40, true) == Numbers{20, 30, 40});
  CHECK(gated.pass(45, false) == Numbers{45});
  CHECK(gated.pass(50, false) == Numbers{50});
  CHECK(gated.pass(51, false).empty());
  CHECK(gated.pass(60, false).empty());
  // Messages that have passed do not come again.
  CHECK(gated.pass(65, true) == Numbers{51, 60, 65});
  // And each thing that happens keeps it open.
  CHECK(gated.pass(74, true) == Numbers{74});
  CHECK(gated.pass(84, false) == Numbers{84});
  gated.stop();
  CHECK(gated.harness.logged().back().text == "passed 10 of 12 messages on, opened 2 times");
}

TEST_CASE("Gate publishes one message a tick, and keeps its input until then", "[std]") {
  Gated gated(kTimes);
  gated.pass(0, false);
  gated.pass(10, false);
  gated.in.push(gated.message(20, true));
  gated.in.push(gated.message(30, false));
  CHECK(gated.tick_while_there_is_input(0) == Numbers{0, 10, 20, 30});
}

TEST_CASE("Gate without a time before or after", "[std]") {
  Gated sudden(Harness::Parameters{{"after", "10ms"}});
  sudden.pass(0, false);
  CHECK(sudden.pass(0, true) == Numbers{0});
  CHECK(sudden.pass(10, false) == Numbers{10});
  Gated brief(Harness::Parameters{{"before", "10ms"}});
  brief.pass(0, false);
  CHECK(brief.pass(5, true) == Numbers{0, 5});
  CHECK(brief.pass(6, false).empty());
}

TEST_CASE("Gate holds no more messages than its capacity, and says so once", "[std]") {
  Gated gated({{"before", "1s"}, {"after", "10ms"}, {"max_messages", "2"}});
  for (const int time : {0, 1, 2, 3}) {
    gated.pass(time, false);
  }
  CHECK(gated.pass(4, true) == Numbers{2, 3, 4});
  const auto& lines = gated.harness.logged();
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().level == LogLevel::Warn);
  CHECK_THAT(lines.front().text,
             ContainsSubstring("more than 2 messages within 'before' (1000 ms)"));
}

TEST_CASE("Gate with a port that says whether something happens", "[std]") {
  Gated gated(kTimes, true);
  const auto pass = [&](int time, bool happens) {
    gated.trigger.push(gated.message(time, happens));
    return gated.pass(gated.message(time, !happens));  // its own tensor does not count
  };
  CHECK(pass(0, false).empty());
  CHECK(pass(10, true) == Numbers{0, 10});
  CHECK(pass(30, false).empty());
  CHECK(gated.failure(gated.message(40, true)) ==
        "no message on 'gate/trigger'; a MessageAvailableSchedulingTerm on each input makes the "
        "entity wait");
}

TEST_CASE("Gate forgets what was before a source began again", "[std]") {
  Gated gated(kTimes);
  gated.pass(100, true);
  CHECK(gated.pass(105, false) == Numbers{105});
  CHECK(gated.pass(0, false).empty());
  CHECK(gated.pass(10, true) == Numbers{0, 10});
}

TEST_CASE("Gate takes the time of the tick for messages without their own", "[std]") {
  Gated gated(kTimes);
  for (const int time : {0, 10, 20}) {
    gated.in.push(gated.message(time, time == 20, false));
    const Numbers passed = gated.tick_while_there_is_input(time * 3 * kMillisecond);
    CHECK(passed == (time == 20 ? Numbers{20} : Numbers{}));  // 10 was at 30, and is too old at 60
  }
}

TEST_CASE("Gate takes boxes, and says what it misses", "[std]") {
  const Harness::Parameters boxes{{"tensor_name", "boxes"}};
  Gated lacking(boxes);
  CHECK(lacking.failure(lacking.message(0, true)) ==
        "'tensor_name': no tensor 'boxes' in the message on 'in'");
  Gated gated(boxes);
  Message none = gated.message(0, true);
  none.add<Tensor>("boxes");
  const auto passed = gated.pass(std::move(none));
  CHECK(passed.empty());
}

TEST_CASE("Gate needs a queue that shows its messages", "[std]") {
  Gated mailbox({});
  auto& box = mailbox.harness.add<AsyncBufferReceiver>("other/in");
  mailbox.harness.add<DoubleBufferTransmitter>("other/out");
  auto& gate = mailbox.harness.add<Gate>("other/gate", {{"in", "in"}, {"out", "out"}});
  mailbox.harness.initialize();
  box.push(mailbox.message(0, true));
  CHECK_THROWS_WITH(mailbox.harness.tick(gate),
                    ContainsSubstring("shows no message before it is taken"));
}
