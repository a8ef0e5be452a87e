// Messages that programs push into their application and take from it.

#include "gxr/program_ports.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "captured.hpp"
#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "gxr/message_data.hpp"

namespace gxr::program_ports_test {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

const std::vector<std::string> kSchedulers = {"gxr::GreedyScheduler", "gxr::MultiThreadScheduler",
                                              "gxr::EventBasedScheduler"};

std::string scheduler(const std::string& type) {
  return "---\nname: sched\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n- {type: " +
         type + ", parameters: {clock: clock}}\n";
}

/// One entity that passes messages on, with nothing before and behind it.
std::string forward(const std::string& scheduler_type) {
  return R"(
name: forward
components:
- {name: incoming, type: gxr::DoubleBufferReceiver}
- {name: outgoing, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: incoming}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: outgoing}}
- {type: gxr::Forward, parameters: {in: incoming, out: outgoing}}
)" + scheduler(scheduler_type);
}

/// `count` messages from tx/signal to rx/signal.
std::string pings(const std::string& scheduler_type, int count) {
  return R"(
name: tx
components:
- {name: signal, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: signal}}
- {type: gxr::CountSchedulingTerm, parameters: {count: )" +
         std::to_string(count) + R"(}}
- {type: nvidia::gxf::PingTx, parameters: {signal: signal}}
---
name: rx
components:
- {name: signal, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: signal}}
- {type: nvidia::gxf::PingRx, parameters: {signal: signal}}
---
components:
- {type: gxr::Connection, parameters: {source: tx/signal, target: rx/signal}}
)" + scheduler(scheduler_type);
}

Message numbered(Application& app, std::uint64_t number) {
  Message message = app.new_message();
  message.set_sequence(number);
  return message;
}

std::map<std::string, std::uint64_t> ticks_of(const Report& report) {
  std::map<std::string, std::uint64_t> ticks;
  for (const EntityStatistics& entity : report.entities) {
    ticks[entity.entity] = entity.ticks;
  }
  return ticks;
}

struct Refusal {
  ErrorCode code;
  std::string text;
};

Refusal refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.message()};
  }
  FAIL("accepted");
  return {};
}

TEST_CASE("what a program pushes comes out where it taps", "[ports]") {
  constexpr std::uint64_t kMessages = 1000;
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(forward(type)).input("forward/incoming", {.capacity = 3});
    Tap tap = app.tap("forward/outgoing", {.capacity = 2});
    REQUIRE(app.validate());
    CHECK(app.problems().empty());
    app.run_async();
    std::thread pushing([&] {
      for (std::uint64_t number = 1; number <= kMessages; ++number) {
        if (app.push("forward/incoming", numbered(app, number)) != PushResult::Taken) {
          return;
        }
      }
      app.end_input("forward/incoming");
    });
    std::uint64_t taken = 0;
    while (const Message message = tap.take()) {
      ++taken;
      if (message.sequence() != taken) {
        break;
      }
    }
    pushing.join();
    const Report report = app.wait();
    CHECK(taken == kMessages);
    CHECK(tap.ended());
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.unread.empty());
    CHECK(report.dropped.empty());
    CHECK(ticks_of(report) ==
          std::map<std::string, std::uint64_t>{{"forward", kMessages},
                                               {"gxr.push.forward.incoming", kMessages},
                                               {"gxr.tap.forward.outgoing", kMessages}});
  }
}

TEST_CASE("an application goes on while its program may push", "[ports]") {
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(forward(type)).input("forward/incoming");
    Tap tap = app.tap("forward/outgoing");
    app.run_async();
    for (std::uint64_t number = 1; number <= 20; ++number) {
      // The application has nothing to do meanwhile.
      REQUIRE(app.push("forward/incoming", numbered(app, number)) == PushResult::Taken);
      REQUIRE(tap.take().sequence() == number);
    }
    CHECK_FALSE(tap.try_take());
    CHECK_FALSE(tap.ended());
    app.end_input("forward/incoming");
    CHECK_FALSE(tap.take());
    CHECK(tap.ended());
    CHECK(app.wait().reason == EndReason::Completed);
  }
}

TEST_CASE("a program pushes and takes between its epochs", "[ports]") {
  Application app;
  app.load_text(forward("gxr::EpochScheduler")).input("forward/incoming", {.capacity = 2});
  Tap tap = app.tap("forward/outgoing");
  CHECK(app.run_epoch(0));
  for (std::uint64_t number = 1; number <= 10; ++number) {
    REQUIRE(app.push("forward/incoming", numbered(app, number), 0ns) == PushResult::Taken);
    while (app.run_epoch(0)) {
    }
    REQUIRE(tap.try_take().sequence() == number);
  }
  // Nobody makes room meanwhile.
  for (std::uint64_t number = 1; number <= 2; ++number) {
    REQUIRE(app.push("forward/incoming", numbered(app, number), 0ns) == PushResult::Taken);
  }
  CHECK(app.push("forward/incoming", numbered(app, 3), 1ms) == PushResult::TimedOut);
  app.end_input("forward/incoming");
  while (app.run_epoch(0)) {
  }
  const Report report = app.finish();
  CHECK(ticks_of(report)["forward"] == 12);
  CHECK(tap.waiting() == 2);  // and they can still be taken
  CHECK(tap.take().sequence() == 1);
  CHECK(tap.take().sequence() == 2);
  CHECK_FALSE(tap.take());
}

TEST_CASE("a push waits for room, and the message stays the caller's without it", "[ports]") {
  Application app;
  // Nobody takes what is tapped, so that the graph stands.
  app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming", {.capacity = 2});
  Tap tap = app.tap("forward/outgoing", {.capacity = 1});
  app.run_async();
  std::uint64_t pushed = 0;
  Message message = numbered(app, 1);
  while (app.push("forward/incoming", std::move(message), 200ms) == PushResult::Taken) {
    message = numbered(app, ++pushed + 1);
  }
  REQUIRE(message);  // NOLINT(bugprone-use-after-move): it was not taken
  CHECK(message.sequence() == pushed + 1);
  CHECK(pushed > 2);
  CHECK(tap.take().sequence() == 1);
  const PushResult now = app.push("forward/incoming", std::move(message));
  CHECK(now == PushResult::Taken);
  std::atomic<bool> begun{false};
  PushResult last = PushResult::Taken;
  std::thread waiting([&] {
    begun.store(true);
    while (last == PushResult::Taken) {
      last = app.push("forward/incoming", numbered(app, 0));
    }
  });
  while (!begun.load()) {
    std::this_thread::yield();
  }
  app.interrupt();
  waiting.join();
  CHECK(last == PushResult::Ended);
  const Report report = app.wait();
  CHECK(report.reason == EndReason::Interrupted);
  const auto is_pusher = [](const UnreadMessages& queue) {
    return queue.queue == "gxr.push.forward.incoming/program";
  };
  CHECK(std::ranges::any_of(report.unread, is_pusher));
  CHECK_FALSE(app.new_message());
}

TEST_CASE("the graph waits for a program that takes messages late", "[ports]") {
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(pings(type, 100));
    Tap tap = app.tap("tx/signal", {.capacity = 2});
    app.run_async();
    std::this_thread::sleep_for(2ms);
    std::uint64_t taken = 0;
    while (tap.take()) {
      ++taken;
    }
    const Report report = app.wait();
    CHECK(taken == 100);
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.dropped.empty());
    CHECK(ticks_of(report)["rx"] == 100);  // the connection has them, too
  }
}

TEST_CASE("a tap that drops the oldest messages does not keep the graph waiting", "[ports]") {
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(pings(type, 100));
    Tap all = app.tap("tx/signal", {.capacity = 100});
    Tap tap = app.tap("tx/signal", {.capacity = 2, .policy = TapPolicy::DropOldest});
    const Report report = app.run();
    CHECK(report.reason == EndReason::Completed);
    CHECK(all.waiting() == 100);
    CHECK(tap.waiting() == 2);
    REQUIRE(report.dropped.size() == 1);
    CHECK(report.dropped.front().queue == "gxr.tap.tx.signal.2/in");
    CHECK(report.dropped.front().count == 98);
    Message last;
    for (Message message = all.take(); message; message = all.take()) {
      last = std::move(message);
    }
    tap.take();
    CHECK(tap.take() == last);
  }
}

TEST_CASE("the graph goes on when a tap is destroyed", "[ports]") {
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(pings(type, 100));
    {
      Tap tap = app.tap("tx/signal", {.capacity = 2});
      app.run_async();
      CHECK(tap.take());
    }
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Completed);
    CHECK(ticks_of(report)["rx"] == 100);
  }
}

TEST_CASE("several threads push, and several take", "[ports]") {
  constexpr std::uint64_t kEach = 300;
  constexpr std::size_t kThreads = 3;
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(forward(type)).input("forward/incoming", {.capacity = 2});
    Tap tap = app.tap("forward/outgoing", {.capacity = 2});
    app.run_async();
    std::atomic<std::uint64_t> sum{0};
    std::atomic<std::uint64_t> count{0};
    std::vector<std::thread> pushing;
    std::vector<std::thread> taking;
    for (std::size_t i = 0; i < kThreads; ++i) {
      pushing.emplace_back([&] {
        for (std::uint64_t number = 1; number <= kEach; ++number) {
          app.push("forward/incoming", numbered(app, number));
        }
      });
      taking.emplace_back([&] {
        while (const Message message = tap.take()) {
          sum.fetch_add(message.sequence());
          count.fetch_add(1);
        }
      });
    }
    for (std::thread& thread : pushing) {
      thread.join();
    }
    app.end_input("forward/incoming");
    for (std::thread& thread : taking) {
      thread.join();
    }
    CHECK(app.wait().reason == EndReason::Completed);
    CHECK(count.load() == kThreads * kEach);
    CHECK(sum.load() == kThreads * kEach * (kEach + 1) / 2);
  }
}

TEST_CASE("ports are also called as the parameters of their codelet", "[ports]") {
  Application app;
  app.load_text(forward("gxr::GreedyScheduler")).input("forward/in");
  Tap tap = app.tap("forward/out");
  REQUIRE(app.validate());
  app.run_async();
  CHECK(app.push("forward/in", numbered(app, 7)) == PushResult::Taken);
  CHECK(tap.take().sequence() == 7);
  CHECK(refusal_of([&] { app.push("forward/incoming", numbered(app, 8)); }).code ==
        ErrorCode::NotFound);
  app.end_input("forward/in");
  CHECK(app.wait().reason == EndReason::Completed);
}

TEST_CASE("a program uses ports of short documents, and makes a free one by that",
          "[ports][short]") {
  Application app;
  app.load_text(
         "name: forward\noperator: gxr::Forward\n---\nname: both\noperator: gxr::Broadcast\n"
         "inputs: {source: forward}\n")
      .input("forward/in");
  Tap tap = app.tap("both/mine");
  REQUIRE(app.validate());
  CHECK(app.problems().empty());
  app.run_async();
  CHECK(app.push("forward/in", numbered(app, 7)) == PushResult::Taken);
  CHECK(tap.take().sequence() == 7);
  app.end_input("forward/in");
  CHECK(app.wait().reason == EndReason::Completed);
}

TEST_CASE("a port that is not there is a problem of the application", "[ports]") {
  Application app;
  app.load_text(forward("gxr::GreedyScheduler")).input("forwards/incoming");
  Tap tap = app.tap("forward/incoming");
  CHECK_FALSE(app.validate());
  INFO(app.problems_text());
  const std::vector<Problem>& problems = app.problems();
  const auto found = [&](const std::string& code, const std::string& file) {
    return std::ranges::any_of(problems, [&](const Problem& problem) {
      return problem.code == code && problem.file == file;
    });
  };
  CHECK(found("entity-not-found", "input(\"forwards/incoming\")"));
  CHECK_THAT(app.problems_text(), ContainsSubstring("did you mean 'forward'?"));
  CHECK(found("connection-end", "tap(\"forward/incoming\")"));
  CHECK_THROWS_AS(app.run(), Error);
  CHECK(tap.ended());
  CHECK_FALSE(tap.take());  // there will be no run to wait for
}

/// A file of a subgraph: what `forward()` has, between two names.
class SubgraphFile {
 public:
  SubgraphFile()
      : path_(std::filesystem::temp_directory_path() /
              ("gxr-ports-" + std::to_string(::getpid()) + ".yaml")) {
    std::ofstream(path_) << R"(
interfaces:
- {name: entry, target: forward/incoming}
- {name: exit, target: forward/outgoing}
---
name: forward
components:
- {name: incoming, type: gxr::DoubleBufferReceiver}
- {name: other, type: gxr::DoubleBufferReceiver}
- {name: outgoing, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: incoming}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: outgoing}}
- {type: gxr::Forward, parameters: {in: incoming, out: outgoing}}
)";
  }
  SubgraphFile(const SubgraphFile&) = delete;
  SubgraphFile& operator=(const SubgraphFile&) = delete;
  ~SubgraphFile() { std::filesystem::remove(path_); }

  /// An application that includes it as `part`.
  [[nodiscard]] std::string application() const {
    return "name: part\ncomponents:\n- {type: gxr::Subgraph, parameters: {location: " +
           path_.string() + "}}\n" + scheduler("gxr::GreedyScheduler");
  }

 private:
  std::filesystem::path path_;
};

/// Pushes one message and takes it again.
void pass_through(Application& app, const std::string& in, const std::string& out) {
  INFO(in << " to " << out);
  app.input(in);
  Tap tap = app.tap(out);
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
  app.run_async();
  CHECK(app.push(in, numbered(app, 7)) == PushResult::Taken);
  const Message taken = tap.take();
  REQUIRE(taken);
  CHECK(taken.sequence() == 7);
  app.end_input(in);
  CHECK(app.wait().reason == EndReason::Completed);
}

TEST_CASE("ports in a subgraph have the names of the whole application", "[ports]") {
  const SubgraphFile file;
  const std::pair<const char*, const char*> names[] = {
      {"part.forward/incoming", "part.forward/outgoing"},  // as `gxr graph` prints them
      {"part.forward/in", "part.forward/out"},             // of the codelet
      {"part/entry", "part/exit"}};                        // of the interface
  for (const auto& [in, out] : names) {
    Application app;
    app.load_text(file.application());
    pass_through(app, in, out);
  }
}

TEST_CASE("ports are those that the settings leave", "[ports]") {
  const SubgraphFile file;
  Application app;
  app.load_text(file.application())
      .set("part.forward/gxr::Forward/in=other")
      .set("part.forward/gxr::MessageAvailableSchedulingTerm/receiver=other");
  pass_through(app, "part.forward/in", "part.forward/out");

  Application included;  // the file itself is a setting
  included.load_text("name: part\ncomponents:\n- {name: file, type: gxr::Subgraph}\n" +
                     scheduler("gxr::GreedyScheduler"));
  const std::string text = file.application();
  const std::size_t begin = text.find("location: ") + 10;
  included.set("part/file/location=" + text.substr(begin, text.find('}', begin) - begin));
  pass_through(included, "part.forward/in", "part/exit");
}

TEST_CASE("a wrong name of a port in a subgraph says which there are", "[ports]") {
  const SubgraphFile file;
  Application app;
  app.load_text(file.application())
      .input("part.forwards/in")
      .input("part.forward/inn")
      .input("part/enrty")
      .input("forward/in");
  CHECK_FALSE(app.validate());
  std::map<std::string, std::string> hints;
  for (const Problem& problem : app.problems()) {
    hints[problem.file] = problem.hint;
  }
  CHECK(hints == std::map<std::string, std::string>{
                     {"input(\"part.forwards/in\")", "did you mean 'part.forward'?"},
                     {"input(\"part.forward/inn\")", "did you mean 'in'?"},
                     {"input(\"part/enrty\")", "did you mean 'entry'?"},
                     {"input(\"forward/in\")", "did you mean 'part.forward'?"}});
}

TEST_CASE("a tap that is assigned to lets its own messages go", "[ports]") {
  Application app;
  app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming");
  Tap first = app.tap("forward/outgoing", {.capacity = 1});
  Tap second = app.tap("forward/outgoing");
  first = std::move(second);
  CHECK(second.ended());  // NOLINT(bugprone-use-after-move): it is a tap without messages
  app.run_async();
  constexpr std::uint64_t kCount = 8;  // more than the queue that was let go would take
  for (std::uint64_t number = 0; number < kCount; ++number) {
    REQUIRE(app.push("forward/incoming", numbered(app, number)) == PushResult::Taken);
  }
  app.end_input("forward/incoming");
  for (std::uint64_t number = 0; number < kCount; ++number) {
    REQUIRE(first.take());
  }
  CHECK(app.wait().reason == EndReason::Completed);
}

TEST_CASE("a message that is made after the end is null, and pushing it says that all is over",
          "[ports]") {
  Application app;
  app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming");
  Tap tap = app.tap("forward/outgoing");
  app.run_async();
  app.end_input("forward/incoming");
  static_cast<void>(app.wait());
  Message message = app.new_message();
  CHECK_FALSE(message);
  const PushResult late = app.push("forward/incoming", std::move(message));
  CHECK(late == PushResult::Ended);
}

TEST_CASE("wrong calls of a program's ports", "[ports]") {
  Application app;
  app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming");
  CHECK(refusal_of([&] { app.input("forward"); }).text ==
        "'forward' is no port; write 'ENTITY/COMPONENT'");
  CHECK(refusal_of([&] { app.input("forward/"); }).code == ErrorCode::InvalidArgument);
  CHECK(refusal_of([&] { app.input("forward/incoming"); }).code == ErrorCode::InvalidState);
  CHECK(refusal_of([&] { static_cast<void>(app.tap("/out")); }).code == ErrorCode::InvalidArgument);
  CHECK(refusal_of([&] { static_cast<void>(app.tap("a/b", {.capacity = 0})); }).code ==
        ErrorCode::InvalidArgument);
  CHECK(refusal_of([&] { app.new_message(); }).code == ErrorCode::InvalidState);
  CHECK(refusal_of([&] { app.push("forward/incoming", Message()); }).code ==
        ErrorCode::InvalidState);
  Tap tap = app.tap("forward/outgoing");
  app.run_async();
  CHECK(refusal_of([&] { app.push("forward/incoming", Message()); }).code ==
        ErrorCode::InvalidArgument);
  CHECK(refusal_of([&] { app.push("forward/other", numbered(app, 1)); }).code ==
        ErrorCode::NotFound);
  CHECK(refusal_of([&] { app.end_input("forward/other"); }).code == ErrorCode::NotFound);
  CHECK(refusal_of([&] { app.input("forward/other"); }).code == ErrorCode::InvalidState);
  CHECK(refusal_of([&] { static_cast<void>(app.tap("forward/outgoing")); }).code ==
        ErrorCode::InvalidState);
  app.end_input("forward/incoming");
  CHECK(app.push("forward/incoming", numbered(app, 1)) == PushResult::Ended);
  CHECK(app.wait().reason == EndReason::Completed);
  CHECK(Tap().ended());
  CHECK_FALSE(Tap().take());
}

TEST_CASE("who waits for an application that fails hears of its end", "[ports]") {
  for (const std::string& type : kSchedulers) {
    INFO(type);
    Application app;
    app.load_text(forward(type)).input("forward/incoming", {.capacity = 1});
    // PingTx never waits for room, so the tap that nobody reads makes it fail.
    app.load_text(R"(
name: hasty
components:
- {name: signal, type: gxr::DoubleBufferTransmitter}
- {type: nvidia::gxf::PingTx, parameters: {signal: signal}}
)");
    Tap full = app.tap("hasty/signal", {.capacity = 1});
    Tap tap = app.tap("forward/outgoing");
    app.run_async();
    CHECK_FALSE(tap.take());
    CHECK(tap.ended());
    CHECK(app.push("forward/incoming", numbered(app, 1)) == PushResult::Ended);
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Failed);
    REQUIRE_FALSE(report.failures.empty());
    CHECK(report.failures.front().entity == "hasty");
    CHECK_THAT(report.failures.front().text,
               ContainsSubstring("'gxr.tap.hasty.signal/in' has no room"));
  }
}

TEST_CASE("a tap without its application has no messages", "[ports]") {
  Application invalid;
  invalid.load_text("name: a\ncomponents:\n- {type: gxr::Unknown}\n");
  Tap tap = invalid.tap("a/b");
  CHECK_FALSE(invalid.validate());  // nothing runs
  CHECK_FALSE(tap.try_take());
  Tap orphan;
  {
    Application app;
    app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming");
    orphan = app.tap("forward/outgoing");
    app.run_async();
    app.push("forward/incoming", numbered(app, 1));
  }
  CHECK_FALSE(orphan.take());
  CHECK(orphan.ended());
}

#ifndef __SANITIZE_ADDRESS__  // the memory of such messages stays
TEST_CASE("a message that a program keeps for too long is named", "[ports]") {
  Message kept;
  std::string error;
  {
    const test::Captured standard_error(STDERR_FILENO);
    {
      Application app;
      app.load_text(forward("gxr::GreedyScheduler")).input("forward/incoming");
      const Tap tap = app.tap("forward/outgoing");
      app.run_async();
      kept = app.new_message();
      app.end_input("forward/incoming");
      app.wait();
    }
    error = standard_error.text();
  }
  CHECK_THAT(error, ContainsSubstring("1 message outlives the application, so somebody still keeps "
                                      "it: 1 made by the program"));
}
#endif

TEST_CASE("a program's ports are the edges of a CUDA graph", "[ports]") {
  const std::string graph = R"(
name: operator
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: operator, type: live::Operator, parameters: {in: in, out: out}}
---
name: behind
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: operator, type: live::Operator, parameters: {in: in, out: out}}
---
components:
- {type: gxr::Connection, parameters: {source: operator/out, target: behind/in}}
- {name: graph, type: gxr::cuda::GraphExecutor, parameters: {entities: [operator, behind]}}
)" + scheduler("gxr::GreedyScheduler");
  const std::string extension = std::string(GXR_TEST_EXTENSION_DIR) + "/live.so";
  Application app;
  app.load_text(graph).extension(extension).input("operator/in");
  Tap inner = app.tap("operator/out");
  Tap outer = app.tap("behind/out");
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
  const std::string plan = app.plan();
  INFO(plan);
  CHECK_THAT(plan, ContainsSubstring("gxr.push.operator.in/out -> operator/in"));
  CHECK_THAT(plan, ContainsSubstring("operator/out -> gxr.tap.operator.out/in"));
  CHECK_THAT(plan, ContainsSubstring("behind/out -> gxr.tap.behind.out/in"));

  Application refused;  // a tensor of the graph itself
  refused.load_text(graph).extension(extension).input("operator/in").input("behind/in");
  CHECK_FALSE(refused.validate());
  CHECK_THAT(refused.problems_text(),
             ContainsSubstring("2 transmitters send to its receiver 'in'"));
}

TEST_CASE("a program is told of messages, of room, and of the end", "[ports]") {
  std::atomic<int> of_input = 0;
  std::atomic<int> of_tap = 0;
  Application app;
  app.load_text(forward("gxr::GreedyScheduler"))
      .input("forward/incoming", {.capacity = 1, .on_change = [&] { ++of_input; }});
  Tap tap = app.tap("forward/outgoing", {.on_change = [&] { ++of_tap; }});
  app.run_async();
  for (std::uint64_t number = 1; number <= 3; ++number) {
    REQUIRE(app.push("forward/incoming", numbered(app, number)) == PushResult::Taken);
    REQUIRE(tap.take(10s));
    CHECK(of_input >= static_cast<int>(number));  // the message was taken from the queue
  }
  const int before_end = of_input;
  app.end_input("forward/incoming");
  CHECK(of_input > before_end);
  app.wait();
  CHECK(of_tap >= 4);  // three messages, and the end
  CHECK(tap.ended());
}

}  // namespace
}  // namespace gxr::program_ports_test
