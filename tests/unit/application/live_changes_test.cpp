// What programs change while their application runs.

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

const std::vector<std::string> kExecutors = {"greedy", "threads", "events"};
const std::vector<std::string> kEntities = {"a", "b", "c"};

/// Entities that tick until `first` of one of them is 1000.
std::string pairs(const std::string& scheduler = "gxr::GreedyScheduler") {
  std::string text;
  for (const std::string& entity : kEntities) {
    text += "name: " + entity + "\ncomponents:\n- {name: pair, type: live::Pair}\n---\n";
  }
  return text + R"(
name: settings
components:
- {name: setting, type: live::Setting}
---
name: sched
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: )" +
         scheduler + ", parameters: {clock: clock}}\n";
}

void load(Application& app, const std::string& text) {
  app.load_text(text).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/live.so");
}

/// `number` for all parameters of an entity that belong together.
std::vector<std::string> assignments(const std::string& entity, int number) {
  const std::string text = std::to_string(number);
  return {entity + "/pair/first=" + text, entity + "/second=" + text,
          entity + "/pair/list=[" + text + ", " + text + "]"};
}

/// While it lives, no thread can be started: there is no memory for such a stack.
class NoThreads {
 public:
  NoThreads() {
    constexpr std::size_t kTooMuch = std::size_t{1} << 60;
    pthread_attr_t attributes{};
    REQUIRE(pthread_getattr_default_np(&before_) == 0);
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, kTooMuch) == 0);
    REQUIRE(pthread_setattr_default_np(&attributes) == 0);
    pthread_attr_destroy(&attributes);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_{};
};

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

}  // namespace

TEST_CASE("parameters of one entity change together, between its ticks", "[live]") {
  for (const std::string& executor : kExecutors) {
    INFO(executor);
    Application app;
    load(app, pairs());
    app.executor(executor).run_async();
    for (int number = 1; number <= 1000; ++number) {
      for (const std::string& entity : kEntities) {
        // The last of all ends the application, which takes no further ones.
        if (number < 1000 || entity == kEntities.front()) {
          app.set_all(assignments(entity, number));
        }
      }
    }
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(report.failures.empty());
  }
}

TEST_CASE("the last of several assignments counts", "[live]") {
  for (const std::string& executor : kExecutors) {
    INFO(executor);
    Application app;
    load(app, pairs());
    app.executor(executor).run_async();
    app.set_all({"a/first=1", "a/second=1000", "a/first=1000"});
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(report.failures.empty());
  }
}

TEST_CASE("a wrong value is refused at once, with the text of the checks before a run", "[live]") {
  const std::vector<std::pair<std::string, ErrorCode>> wrong = {
      {"a/first=1001", ErrorCode::OutOfRange},       {"a/pair/list=[1, -1]", ErrorCode::OutOfRange},
      {"a/first=many", ErrorCode::InvalidParameter}, {"a/list=1", ErrorCode::InvalidParameter},
      {"a/first", ErrorCode::InvalidParameter},      {"a/frist=1", ErrorCode::NotFound},
      {"a/pear/first=1", ErrorCode::NotFound},       {"d/first=1", ErrorCode::NotFound},
  };
  Application app;
  load(app, pairs());
  app.run_async();
  for (const auto& [assignment, code] : wrong) {
    INFO(assignment);
    Application before;
    load(before, pairs());
    before.set(assignment);
    REQUIRE_FALSE(before.validate());
    const Problem& problem = before.problems().front();
    const Refusal refusal = refusal_of([&, text = assignment] { app.set(text); });
    CHECK(refusal.code == code);
    CHECK(refusal.text == problem.text + (problem.hint.empty() ? "" : " (" + problem.hint + ")"));
  }
  // What comes with a wrong value is not set either: the entity would fail.
  CHECK_THROWS_WITH(app.set_all({"a/first=7", "a/second=1001", "b/frist=1"}),
                    ContainsSubstring("but is 1001\n") && ContainsSubstring("'frist'"));
  app.set_all(assignments("a", 1000));
  CHECK(app.wait().failures.empty());
}

TEST_CASE("what a type of its own refuses is refused at once", "[live]") {
  Application app;
  load(app, pairs());
  app.run_async();
  const Refusal refusal = refusal_of([&] { app.set_all({"a/first=7", "a/even=3"}); });
  CHECK(refusal.code == ErrorCode::OutOfRange);
  CHECK(refusal.text == "parameter 'even': 3 is odd");
  app.set_all({"a/first=1000", "a/second=1000", "a/even=4"});
  CHECK(app.wait().failures.empty());
}

TEST_CASE("only dynamic parameters of entities that tick can be changed", "[live]") {
  Application app;
  load(app, pairs());
  app.run_async();
  Refusal refusal = refusal_of([&] { app.set("a/pair/last=5"); });
  CHECK(refusal.code == ErrorCode::InvalidState);
  CHECK(refusal.text ==
        "parameter 'last' of 'a/pair' cannot be changed while the application runs: it is not "
        "dynamic; set it before the run, with -p");
  refusal = refusal_of([&] { app.set("settings/level=5"); });
  CHECK(refusal.code == ErrorCode::NotSupported);
  CHECK_THAT(refusal.text, ContainsSubstring("its entity has no codelet"));
  app.interrupt();
  static_cast<void>(app.wait());
}

TEST_CASE("a mandatory parameter keeps a value", "[live]") {
  Application app;
  load(app, pairs() + R"(---
name: reader
components:
- {name: reader, type: live::Reader, parameters: {setting: settings/setting}}
)");
  app.run_async();
  const Refusal refusal = refusal_of([&] { app.set("reader/setting=<Unspecified>"); });
  CHECK(refusal.code == ErrorCode::InvalidParameter);
  CHECK_THAT(refusal.text, ContainsSubstring("'setting'"));
  app.set_all({"reader/other=<Unspecified>", "reader/setting=settings/setting"});
  app.set_all(assignments("a", 1000));
  CHECK(app.wait().failures.empty());
}

TEST_CASE("what GXF tolerates in files is refused of a program", "[live]") {
  Application app;
  load(app, pairs());
  app.compat_gxf().run_async();
  CHECK(refusal_of([&] { app.set("a/frist=1"); }).code == ErrorCode::NotFound);
  CHECK(refusal_of([&] { app.set("a/first=1001"); }).code == ErrorCode::OutOfRange);
  app.set_all(assignments("a", 1000));
  CHECK(app.wait().failures.empty());
}

TEST_CASE("several threads change parameters at a time", "[live]") {
  for (const std::string& executor : kExecutors) {
    INFO(executor);
    Application app;
    load(app, pairs());
    app.executor(executor).run_async();
    std::vector<std::thread> programs;
    std::atomic<int> refused{0};
    for (const std::string& entity : kEntities) {
      programs.emplace_back([&, entity] {
        for (int number = 1; number < 200; ++number) {
          app.set_all(assignments(entity, number));
          try {
            // By a type of an extension that nobody has looked into.
            app.set(entity + "/gxr::cuda::GraphExecutor/mode=graph");
          } catch (const Error&) {
            ++refused;
          }
        }
      });
    }
    for (std::thread& program : programs) {
      program.join();
    }
    CHECK(refused == 3 * 199);
    app.set_all(assignments("a", 1000));
    CHECK(app.wait().failures.empty());
  }
}

TEST_CASE("threads that change parameters hear that the application has ended", "[live]") {
  for (const std::string& executor : kExecutors) {
    INFO(executor);
    Application app;
    load(app, pairs());
    app.executor(executor).run_async();
    std::vector<std::thread> programs;
    std::atomic<int> told{0};
    for (const std::string& entity : kEntities) {
      programs.emplace_back([&, entity] {
        try {
          for (int number = 0;; number = (number + 1) % 1000) {
            app.set_all(assignments(entity, number));
          }
        } catch (const Error& error) {
          told += error.message() == "the application has ended" ? 1 : 0;
        }
      });
    }
    app.interrupt();
    const Report report = app.wait();
    for (std::thread& program : programs) {
      program.join();
    }
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(report.failures.empty());
    CHECK(told == 3);
  }
}

TEST_CASE("an application takes changes from the moment it runs until it has ended", "[live]") {
  Application app;
  load(app, pairs());
  REQUIRE(app.validate());
  Refusal refusal = refusal_of([&] { app.set("a/first=1"); });
  CHECK(refusal.code == ErrorCode::InvalidState);
  CHECK_THAT(refusal.text, ContainsSubstring("was checked already"));
  CHECK(refusal_of([&] { app.enable("a", false); }).code == ErrorCode::InvalidState);
  app.run_async();
  app.set_all(assignments("a", 1000));
  CHECK(app.wait().reason == EndReason::Interrupted);
  refusal = refusal_of([&] { app.set("a/first=1"); });
  CHECK(refusal.code == ErrorCode::InvalidState);
  CHECK(refusal.text == "the application has ended");
}

TEST_CASE("parameters change between epochs", "[live]") {
  Application app;
  load(app, pairs("gxr::EpochScheduler"));
  CHECK(app.run_epoch(0));
  for (int number = 1; number < 5; ++number) {
    app.set_all(assignments("a", number));
    CHECK(app.run_epoch(0));
  }
  app.set("a/first=7");
  CHECK_THROWS_WITH(app.run_epoch(0), ContainsSubstring("numbers of different assignments"));
  static_cast<void>(app.finish());
}

TEST_CASE("a term that waits for nothing else hears of its parameter", "[live]") {
  for (const std::string& executor : kExecutors) {
    INFO(executor);
    Application app;
    load(app, R"(
name: a
components:
- {name: pair, type: live::Pair}
- {name: may_tick, type: gxr::BooleanSchedulingTerm}
- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 1h}}
---
name: sched
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)");
    app.executor(executor).run_async();
    app.set("a/may_tick/enable_tick=false");
    CHECK(app.wait().reason == EndReason::Completed);
  }
}

TEST_CASE(
    "loops that any input begins take no changes, and only operators of graphs are switched off",
    "[live]") {
  Application app;
  load(app, pairs() + R"(---
name: make
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: operator, type: live::Operator, parameters: {out: out}}
---
components:
- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {mode: resident, ready: any, entities: [make]}}
)");
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
  app.run_async();
  const Refusal refusal = refusal_of([&] { app.set("make/value=1"); });
  CHECK(refusal.code == ErrorCode::NotSupported);
  CHECK(refusal.text ==
        "parameter 'value' of 'make/operator' cannot be changed while the application runs: a loop "
        "on the GPU takes changes only when it waits for all its inputs, without data-ready "
        "handlers");
  for (const bool on : {false, true}) {
    const Refusal loops = refusal_of([&, on] { app.enable("make", on); });
    CHECK(loops.code == ErrorCode::NotSupported);
    CHECK(loops.text ==
          "entity 'make' cannot be switched off or on while the application runs: a loop on the "
          "GPU takes changes only when it waits for all its inputs, without data-ready handlers");
    const Refusal other = refusal_of([&, on] { app.enable("a", on); });
    CHECK(other.code == ErrorCode::NotSupported);
    CHECK(other.text ==
          "entity 'a' is in no CUDA graph: only operators of one can be switched off and on");
  }
  CHECK(refusal_of([&] { app.enable("mace", false); }).text ==
        "there is no entity 'mace' (did you mean 'make'?)");
  app.interrupt();
  CHECK(app.wait().reason == EndReason::Failed);  // there is no GPU
}

namespace {

/// Operators k, l, m, n, one behind the other, and an entity of the CPU that gets what they make.
/// `more`: further components of the entity that has the executor.
std::string chain(const std::string& more) {
  std::string text = pairs();
  for (const std::string entity : {"k", "l", "m", "n"}) {
    const bool has_input = entity != "k";
    text += "---\nname: " + entity + R"(
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: operator, type: live::Operator, parameters: {out: out)" +
            (has_input ? ", in: in}}\n- {name: in, type: gxr::DoubleBufferReceiver}\n- {type: "
                         "gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n"
                       : "}}\n");
  }
  return text + R"(---
components:
- {type: gxr::Connection, parameters: {source: k/out, target: l/in}}
- {type: gxr::Connection, parameters: {source: l/out, target: m/in}}
- {type: gxr::Connection, parameters: {source: m/out, target: n/in}}
- {type: gxr::Connection, parameters: {source: n/out, target: forward/in}}
---
name: gpu
components:
- {name: graph, type: gxr::cuda::GraphExecutor, parameters: {entities: [k, l, m, n]}}
)" + more +
         R"(---
name: forward
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::Forward, parameters: {in: in, out: out}}
)";
}

/// Nothing is wrong with it, but without a GPU the application may have failed before.
void accepts(Application& app, const std::string& entity, bool on) {
  INFO(entity);
  try {
    app.enable(entity, on);
  } catch (const Error& error) {
    CHECK(error.message() == "the application has ended");
  }
}

void run(Application& app) {
  const bool valid = app.validate();
  INFO(app.problems_text());
  REQUIRE(valid);
  app.run_async();
}

}  // namespace

TEST_CASE("an operator is switched off only if its outputs keep what they hold", "[live]") {
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, chain(""));
    app.set("gpu/mode=" + mode);
    run(app);
    // The memory of k's output is that of m's, too.
    const Refusal refusal = refusal_of([&] { app.enable("k", false); });
    CHECK(refusal.code == ErrorCode::NotSupported);
    CHECK(refusal.text ==
          "entity 'k' cannot be switched off: others write to the memory of its output 'k/out', "
          "which would not keep what it holds; give it memory of its own (own_pointer of a "
          "gxr::cuda::DeviceTransmitter)");
    accepts(app, "k", true);
    accepts(app, "n", false);
    CHECK(app.wait().reason == EndReason::Failed);
  }
}

TEST_CASE("operators in branches are switched off if their outputs keep what they hold", "[live]") {
  const std::string kBranches = R"(
- {name: seldom, type: gxr::cuda::Every, parameters: {count: 2, body: [l]}}
- {name: again, type: gxr::cuda::While, parameters: {condition: n/out, body: [n], limit: 3}}
)";
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, chain(kBranches.substr(1)));
    app.set_all({"gpu/mode=" + mode, "k/size=1", "l/size=1", "m/size=1", "n/size=1"});
    run(app);
    accepts(app, "l", false);  // what it writes lasts from one of its iterations to the next
    const Refusal refusal = refusal_of([&] { app.enable("n", false); });
    CHECK(refusal.code == ErrorCode::NotSupported);
    CHECK(refusal.text ==
          "entity 'n' cannot be switched off: it says whether the body of branch 'gpu/again' runs "
          "once more, and would always say the same");
    CHECK(app.wait().reason == EndReason::Failed);
  }
}

TEST_CASE("what passes its input on while it is off needs not keep its output", "[live]") {
  Application app;
  load(app, chain(""));
  app.set_all({"k/passes=true", "l/passes=true", "m/passes=true", "n/passes=true", "n/size=5"});
  run(app);
  accepts(app, "l", false);
  accepts(app, "m", false);
  Refusal refusal = refusal_of([&] { app.enable("k", false); });
  CHECK(refusal.code == ErrorCode::NotSupported);
  CHECK(refusal.text ==
        "entity 'k' cannot be switched off: its first input would pass to its first output, but it "
        "has no input");
  refusal = refusal_of([&] { app.enable("n", false); });
  CHECK(refusal.text ==
        "entity 'n' cannot be switched off: its first input would pass to its first output, but "
        "the one is int32 [4], and the other int32 [5]");
  CHECK(app.wait().reason == EndReason::Failed);
}

TEST_CASE("a loop that repeats its last iteration takes no changes if it keeps tensors", "[live]") {
  Application app;
  load(app, chain("- {name: seldom, type: gxr::cuda::Every, parameters: {count: 2, body: [l]}}\n"));
  app.set("gpu/loop=head_tail");
  run(app);
  const Refusal refusal = refusal_of([&] { app.enable("l", false); });
  CHECK(refusal.code == ErrorCode::NotSupported);
  CHECK(refusal.text ==
        "entity 'l' cannot be switched off or on while the application runs: with 'loop: "
        "head_tail' the operators run once more when the loop ends, which would change what its "
        "tensors keep; leave 'loop' out");
  CHECK(app.wait().reason == EndReason::Failed);
}

TEST_CASE("an application whose thread cannot be started has ended, for who waits, too", "[live]") {
  Application app;
  load(app, pairs());
  REQUIRE(app.validate());
  // Refused at first, then perhaps waits for the components, which will never be there.
  std::atomic<bool> ended = false;
  std::thread setter([&] {
    while (!ended) {
      try {
        app.set("a/first=1");
      } catch (const Error& error) {
        ended = error.message() == "the application has ended";
      }
    }
  });
  {
    const NoThreads none;
    const Refusal refusal = refusal_of([&] { app.run_async(); });
    CHECK(refusal.code == ErrorCode::OutOfMemory);
    CHECK_THAT(refusal.text, ContainsSubstring("the application's thread cannot be started: "));
  }
  setter.join();
  CHECK(refusal_of([&] { app.enable("a"); }).text == "the application has ended");
  CHECK(refusal_of([&] { app.wait(); }).code == ErrorCode::InvalidState);
  CHECK(refusal_of([&] { app.run(); }).code == ErrorCode::InvalidState);
}

}  // namespace gxr
