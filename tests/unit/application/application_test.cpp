#include "gxr/application.hpp"

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <locale>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "captured.hpp"
#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Pings through one connection; `scheduler` is the type of the scheduler.
std::string pings(const std::string& scheduler, int count) {
  return R"(
name: tx
components:
- {name: signal, type: 'nvidia::gxf::DoubleBufferTransmitter'}
- {type: 'nvidia::gxf::DownstreamReceptiveSchedulingTerm', parameters: {transmitter: signal}}
- {name: count, type: 'nvidia::gxf::CountSchedulingTerm', parameters: {count: )" +
         std::to_string(count) + R"(}}
- {type: 'nvidia::gxf::PingTx', parameters: {signal: signal}}
---
name: rx
components:
- {name: signal, type: 'nvidia::gxf::DoubleBufferReceiver'}
- {type: 'nvidia::gxf::MessageAvailableSchedulingTerm', parameters: {receiver: signal}}
- {type: 'nvidia::gxf::PingRx', parameters: {signal: signal}}
---
components:
- {type: 'nvidia::gxf::Connection', parameters: {source: tx/signal, target: rx/signal}}
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::RealtimeClock'}
- {type: )" +
         scheduler +
         R"(, parameters: {clock: clock}}
)";
}

std::uint64_t ticks(const Report& report) {
  std::uint64_t sum = 0;
  for (const EntityStatistics& entity : report.entities) {
    sum += entity.ticks;
  }
  return sum;
}

TEST_CASE("a program loads, changes and runs an application") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 10)).set("tx/count/count=4");
  REQUIRE(app.validate());
  CHECK(app.problems().empty());
  const Report report = app.run();
  CHECK(report.reason == EndReason::Completed);
  CHECK(ticks(report) == 8);
  CHECK_THROWS_AS(app.run(), Error);
  CHECK_THROWS_AS(app.set("tx/count/count=5"), Error);
}

TEST_CASE("a program asks what an application consists of") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 10)).set("tx/count/count=4");
  const std::vector<EntityInfo>& entities = app.entities();
  REQUIRE(entities.size() == 4);
  CHECK(entities[0].name == "tx");
  CHECK(entities[3].name == "sched");
  const ComponentInfo& count = entities[0].components[2];
  CHECK(count.name == "count");
  CHECK(count.type_name == "nvidia::gxf::CountSchedulingTerm");
  REQUIRE(count.type != nullptr);
  CHECK(count.type->name == "gxr::CountSchedulingTerm");
  REQUIRE(count.parameters.size() == count.type->parameters.size());
  CHECK(count.parameters[0].info->key == "count");
  CHECK(count.parameters[0].value->text() == "4");
  CHECK(count.parameters[0].is_set);
  const ComponentInfo& queue = entities[0].components[0];
  const auto capacity =
      std::find_if(queue.parameters.begin(), queue.parameters.end(),
                   [](const ParameterSetting& setting) { return setting.info->key == "capacity"; });
  REQUIRE(capacity != queue.parameters.end());
  CHECK(capacity->value->text() == "1");
  CHECK_FALSE(capacity->is_set);
  const ComponentInfo& connection = entities[2].components[0];
  CHECK(connection.parameters[0].handles == std::vector<std::uint32_t>{queue.id});
  const std::vector<ExtensionInfo> extensions = app.extensions();
  const auto standard =
      std::find_if(extensions.begin(), extensions.end(), [&](const ExtensionInfo& extension) {
        return std::find(extension.types.begin(), extension.types.end(), count.type) !=
               extension.types.end();
      });
  REQUIRE(standard != extensions.end());
  CHECK(standard->name == "std");
  CHECK(app.run().reason == EndReason::Completed);
}

TEST_CASE("what cannot be read is left out of what an application consists of") {
  Application app;
  app.load_text("name: a\ncomponents:\n- type: no::Such\n");
  REQUIRE(app.entities().size() == 1);
  CHECK(app.entities()[0].components[0].type == nullptr);
  CHECK(app.entities()[0].components[0].type_name == "no::Such");
  Application missing;
  CHECK(missing.load("no/such/file.yaml").entities().empty());
}

TEST_CASE("names of subgraphs begin in the root folder") {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("gxr_root_" + std::to_string(::getpid())))
          .string();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/part.yaml") << "name: inside\ncomponents: []\n";
  Application app;
  app.root(folder).load_text(
      "name: part\ncomponents:\n- {type: nvidia::gxf::Subgraph, parameters: {location: "
      "part.yaml}}\n");
  const std::vector<EntityInfo>& entities = app.entities();
  REQUIRE(entities.size() == 1);
  CHECK(entities[0].name == "part.inside");
  std::filesystem::remove_all(folder);
}

TEST_CASE("problems say where they are, and such an application does not run") {
  Application app;
  app.load_text("name: a\ncomponents:\n- type: nvidia::gxf::PingTxx\n", "memory");
  CHECK_FALSE(app.validate());
  const std::vector<Problem>& problems = app.problems();
  const auto* unknown = &problems.front();
  for (const Problem& problem : problems) {
    unknown = problem.code == "unknown-type" ? &problem : unknown;
  }
  CHECK(unknown->code == "unknown-type");
  CHECK(unknown->is_error);
  CHECK(unknown->file == "memory");
  CHECK(unknown->line == 3);
  CHECK(unknown->column == 9);
  CHECK(unknown->hint == "did you mean 'nvidia::gxf::PingTx'?");
  CHECK_THROWS_AS(app.run(), Error);
  Application missing;
  CHECK_FALSE(missing.load("no/such/file.yaml").validate());
  CHECK(missing.problems().front().code == "file-not-found");
}

TEST_CASE("what cannot be in a CUDA graph is a problem of the application") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 10) + R"(---
components:
- {name: gpu, type: gxr::cuda::GraphExecutor, parameters: {entities: [rx]}}
)");
  CHECK_FALSE(app.validate());
  REQUIRE(app.problems().size() == 1);
  CHECK(app.problems().front().code == "not-capturable");
  CHECK_THROWS_AS(app.plan(), Error);
}

TEST_CASE("the executor can be chosen, and regions be asked for") {
  for (const std::string executor : {"greedy", "threads", "events"}) {
    Application app;
    app.load_text(pings("nvidia::gxf::GreedyScheduler", 100)).executor(executor);
    CHECK(app.plan().find(executor) != std::string::npos);
    const std::optional<RegionInfo> none = app.region("no such region");
    CHECK_FALSE(none.has_value());
    const Report report = app.run();
    CHECK(report.reason == EndReason::Completed);
    CHECK(ticks(report) == 200);
  }
}

TEST_CASE("the patience at the end of a run is not below 0") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 3)).end_patience(std::chrono::seconds(0));
  CHECK_THROWS_WITH(app.end_patience(std::chrono::nanoseconds(-1)),
                    Catch::Matchers::ContainsSubstring("is below 0"));
  CHECK(app.run().reason == EndReason::Completed);
}

TEST_CASE("a run on a thread of its own is interrupted from outside") {
  for (const std::string scheduler :
       {"nvidia::gxf::GreedyScheduler", "nvidia::gxf::EventBasedScheduler",
        "nvidia::gxf::MultiThreadScheduler"}) {
    Application app;
    app.load_text(pings(scheduler, 2'000'000'000));
    app.run_async();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    app.interrupt();
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK_FALSE(report.by_signal);
  }
}

TEST_CASE("a program's signals stay as they are while an application runs") {
  // The test program handles some itself.
  std::vector<struct sigaction> before(NSIG);
  for (int number = 1; number < NSIG; ++number) {
    ::sigaction(number, nullptr, &before[static_cast<std::size_t>(number)]);
  }
  sigset_t mask_before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  Application app;
  app.load_text(pings("nvidia::gxf::EventBasedScheduler", 2'000'000'000));
  app.run_async();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now {};
    ::sigaction(number, nullptr, &now);
    CHECK(now.sa_sigaction == before[static_cast<std::size_t>(number)].sa_sigaction);
    CHECK(sigismember(&mask, number) == sigismember(&mask_before, number));
  }
  app.interrupt();
  CHECK(app.wait().reason == EndReason::Interrupted);
}

TEST_CASE("an application that is destroyed while it runs is ended first") {
  Application app;
  app.load_text(pings("nvidia::gxf::EventBasedScheduler", 2'000'000'000));
  app.run_async();
}

/// Complete events of the category in a trace.
std::size_t traced(const std::string& file, const std::string& category) {
  std::ifstream stream(file);
  const nlohmann::json trace = nlohmann::json::parse(stream);
  return static_cast<std::size_t>(
      std::ranges::count_if(trace.at("traceEvents"), [&](const nlohmann::json& event) {
        return event.at("ph") == "X" && event.at("cat") == category;
      }));
}

TEST_CASE("a program has its run traced, on a thread of its own, too, and in epochs") {
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("gxr_application_trace_" + std::to_string(::getpid()) + ".json"))
                               .string();
  for (const std::string scheduler :
       {"nvidia::gxf::GreedyScheduler", "nvidia::gxf::EventBasedScheduler",
        "nvidia::gxf::MultiThreadScheduler", "nvidia::gxf::EpochScheduler"}) {
    const bool epochs = scheduler == "nvidia::gxf::EpochScheduler";
    Application app;
    app.load_text(pings(scheduler, 5)).trace(file);
    while (epochs && app.run_epoch(1000)) {
    }
    if (!epochs) {
      app.run_async();
    }
    const Report report = epochs ? app.finish() : app.wait();
    CHECK(report.failures.empty());
    CHECK(ticks(report) == 10);
    CHECK(traced(file, "tick") == 10);
    CHECK(traced(file, "start") == 2);
    CHECK(traced(file, "stop") == 2);
    std::filesystem::remove(file);
  }
}

TEST_CASE("a trace that cannot be written is an error before the run, and a failure after it") {
  Application nowhere;
  nowhere.load_text(pings("nvidia::gxf::GreedyScheduler", 5)).trace("no/such/folder/t.json");
  CHECK_THROWS_WITH(nowhere.run(), Catch::Matchers::ContainsSubstring("No such file"));
  Application full;
  full.load_text(pings("nvidia::gxf::GreedyScheduler", 5)).trace("/dev/full");
  const Report report = full.run();
  CHECK(report.reason == EndReason::Failed);
  REQUIRE(report.failures.size() == 1);
  CHECK(describe(report.failures[0]) ==
        "trace (gxr): cannot write the trace '/dev/full': No space left on device");
  CHECK(ticks(report) == 10);
}

TEST_CASE("epochs run on the caller's thread until their budget is used") {
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 3));
  // The first cycle starts the entities, each further one passes a message.
  CHECK(app.run_epoch(0));
  CHECK(app.run_epoch(0));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  const Report report = app.finish();
  // The receiving entity would wait for more.
  CHECK(report.reason == EndReason::Interrupted);
  CHECK(ticks(report) == 6);
}

TEST_CASE("epochs need an EpochScheduler, and what they run can be left early") {
  Application greedy;
  greedy.load_text(pings("nvidia::gxf::GreedyScheduler", 3));
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH(greedy.run_epoch(0), Catch::Matchers::ContainsSubstring("EpochScheduler"));
  }
  CHECK_THROWS_WITH(greedy.finish(), Catch::Matchers::ContainsSubstring("follows run_epoch()"));
  CHECK(ticks(greedy.run()) == 6);
  CHECK_THROWS_WITH(greedy.run_epoch(0), Catch::Matchers::ContainsSubstring("has run already"));
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 1'000'000));
  CHECK(app.run_epoch(0));
  CHECK(app.finish().reason == EndReason::Interrupted);
}

TEST_CASE("an application can be moved; what it was moved from refuses every call") {
  Application first;
  first.load_text(pings("nvidia::gxf::EpochScheduler", 3));
  Application second = std::move(first);
  // What is tested is the moved-from object.
  // NOLINTBEGIN(bugprone-use-after-move)
  const std::vector<std::function<void()>> calls = {
      [&] { first.load("a.yaml"); },
      [&] { first.load_text(""); },
      [&] { first.manifest("a.yaml"); },
      [&] { first.extension("a.so"); },
      [&] { first.types(TypeProvider{"a"}); },
      [&] { first.input("a/b"); },
      [&] { static_cast<void>(first.tap("a/b")); },
      [&] { first.new_message(); },
      [&] { first.push("a/b", Message()); },
      [&] { first.end_input("a/b"); },
      [&] { first.set("a/b=1"); },
      [&] { first.parameter_file("a.yaml"); },
      [&] { first.executor("greedy"); },
      [&] { first.compat_gxf(); },
      [&] { first.measure(); },
      [&] { first.validate(); },
      [&] { first.problems(); },
      [&] { first.problems_text(); },
      [&] { first.plan(); },
      [&] { first.region("a"); },
      [&] { first.run(); },
      [&] { first.run_async(); },
      [&] { first.wait(); },
      [&] { first.interrupt(); },
      [&] { first.run_epoch(0); },
      [&] { first.finish(); },
  };
  // NOLINTEND(bugprone-use-after-move)
  for (const auto& call : calls) {
    try {
      call();
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::InvalidState);
    }
  }
  CHECK(second.run_epoch(1000));
  CHECK(ticks(second.finish()) == 6);
  first = std::move(second);
  CHECK_THROWS_AS(second.validate(), Error);  // NOLINT(bugprone-use-after-move)
  CHECK(first.validate());
}

/// An entity with `terms` on an EpochScheduler whose clock stands.
std::string alone(const std::string& codelet, const std::string& terms) {
  return "name: alone\ncomponents:\n- name: codelet\n  type: " + codelet + "\n" + terms + R"(
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::ManualClock'}
- {type: 'nvidia::gxf::EpochScheduler', parameters: {clock: clock}}
)";
}

TEST_CASE("an epoch without a budget runs each entity at most once") {
  for (const double budget_ms : {0.0, -5.0}) {
    Application app;
    app.load_text(alone("nvidia::gxf::HelloWorld", ""));
    CHECK(app.run_epoch(budget_ms));  // only starts it
    CHECK(app.run_epoch(budget_ms));
    CHECK(app.run_epoch(budget_ms));
    const Report report = app.finish();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(ticks(report) == 2);
  }
}

TEST_CASE("an entity that has finished leaves the epochs") {
  Application app;
  app.load_text(alone("nvidia::gxf::HelloWorld",
                      "- {type: 'nvidia::gxf::CountSchedulingTerm', parameters: {count: 2}}"));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(0));
  const Report report = app.finish();
  CHECK(report.reason == EndReason::Completed);
  CHECK(ticks(report) == 2);
}

TEST_CASE("an epoch does not wait for a time") {
  Application app;
  app.load_text(
      alone("nvidia::gxf::HelloWorld",
            "- {type: 'nvidia::gxf::PeriodicSchedulingTerm', parameters: {recess_period: 1h}}"));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  CHECK(ticks(app.finish()) == 1);
}

TEST_CASE("the budget of an epoch counts on the clock") {
  Application app;
  app.load_text(R"(
name: alone
components:
- {type: 'nvidia::gxf::HelloWorld'}
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::RealtimeClock', parameters: {initial_time_scale: 1e9}}
- {type: 'nvidia::gxf::EpochScheduler', parameters: {clock: clock}}
)");
  // Real time would take eleven days.
  CHECK(app.run_epoch(1e9));
  CHECK(app.finish().reason == EndReason::Interrupted);
}

TEST_CASE("without a GPU there is no memory of graphs to give back") {
  CHECK_NOTHROW(Application::trim_graph_memory());
}

TEST_CASE("a failure ends the epoch and stops nobody") {
  Application app;
  app.load_text(alone("nvidia::gxf::test::MockFailure", "  parameters: {num_max_ticks: 0}\n") +
                R"(---
name: other
components:
- {type: 'nvidia::gxf::HelloWorld'}
)");
  CHECK(app.run_epoch(0));
  CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("alone"));
  CHECK(app.run_epoch(0));
  const Report report = app.finish();
  CHECK(report.entities.back().ticks > 0);
  CHECK(report.reason == EndReason::Failed);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures.front().entity == "alone");
}

/// A file in the folder for temporary ones, which goes with the object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name)
      : path_((std::filesystem::temp_directory_path() /
               ("gxr_application_" + std::to_string(::getpid()) + "_" + name))
                  .string()) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string content() const {
    std::ifstream stream(path_);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::string path_;
};

const std::string kLive = std::string(GXR_TEST_EXTENSION_DIR) + "/live.so";

TEST_CASE("an application that is left after epochs stops and deinitialises everything") {
  for (const bool fails : {false, true}) {
    const ScratchFile calls("calls");
    const ScratchFile trace("trace");
    {
      Application app;
      app.extension(kLive).load_text(
          alone("live::Porter", "  parameters: {file: '" + calls.path() +
                                    "', fails_in_tick: " + (fails ? "true" : "false") + "}"));
      app.trace(trace.path());
      CHECK(app.run_epoch(0));
      if (fails) {
        CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("fails as told"));
      }
    }
    CHECK(calls.content() == "start stop deinitialize ");
    CHECK(traced(trace.path(), "stop") == 1);
  }
}

TEST_CASE("an application that another one replaces is stopped, too") {
  const ScratchFile calls("calls");
  Application app;
  app.extension(kLive).load_text(
      alone("live::Porter", "  parameters: {file: '" + calls.path() + "'}"));
  CHECK(app.run_epoch(0));
  app = Application();
  CHECK(calls.content() == "start stop deinitialize ");
}

/// Its extension cannot be loaded, which nobody knows before.
void load_unloadable(Application& app) {
  app.extension(std::string(GXR_TEST_EXTENSION_DIR) + "/undefined_engine_symbol.so");
  app.load_text(alone("test::UndefinedEngineSymbol", ""));
}

TEST_CASE("an application is prepared on one thread and run on another") {
  for (const bool runs : {false, true}) {
    const ScratchFile calls("calls");
    Application app;
    app.extension(kLive).load_text(
        alone("live::Porter", "  parameters: {file: '" + calls.path() + "'}"));
    CHECK_THROWS_WITH(app.component(0), Catch::Matchers::ContainsSubstring("follows prepare()"));
    app.prepare();
    CHECK_THROWS_AS(app.prepare(), Error);
    CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("follow prepare()"));
    CHECK(calls.content().empty());
    const EntityInfo& entity = app.entities().front();
    REQUIRE(app.component(entity.components.front().id) != nullptr);
    CHECK(app.component(entity.components.front().id)->entity_name() == entity.name);
    CHECK(app.component(1000) == nullptr);
    if (runs) {
      app.run_async();
      app.interrupt();
      CHECK(app.wait().reason == EndReason::Interrupted);
      CHECK(app.component(0) != nullptr);
      CHECK_THROWS_AS(app.finish(), Error);
    } else {
      CHECK(app.finish().reason == EndReason::Interrupted);
      CHECK(calls.content() == "deinitialize ");
      CHECK_THROWS_AS(app.run(), Error);
    }
    CHECK_THAT(calls.content(), Catch::Matchers::ContainsSubstring("deinitialize "));
  }
}

TEST_CASE("an application that is prepared and left is deinitialised") {
  const ScratchFile calls("calls");
  {
    Application app;
    app.extension(kLive).load_text(
        alone("live::Porter", "  parameters: {file: '" + calls.path() + "'}"));
    app.prepare();
  }
  CHECK(calls.content() == "deinitialize ");
}

TEST_CASE("what cannot be prepared says why, and so does its report") {
  Application app;
  load_unloadable(app);
  CHECK_THROWS_WITH(app.prepare(), Catch::Matchers::ContainsSubstring("removed_from_the_sdk"));
  CHECK_THROWS_AS(app.component(0), Error);
  CHECK_THROWS_AS(app.run(), Error);
  const Report report = app.finish();
  CHECK(report.reason == EndReason::Failed);
  CHECK(report.failures.size() == 1);
}

TEST_CASE("the report of epochs that could not begin is no success") {
  Application app;
  load_unloadable(app);
  CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("removed_from_the_sdk"));
  CHECK_THROWS_AS(app.run_epoch(0), Error);
  const Report report = app.finish();
  CHECK(report.reason == EndReason::Failed);
  CHECK_FALSE(report.ran);
  REQUIRE(report.failures.size() == 1);
  CHECK_THAT(report.failures.front().text,
             Catch::Matchers::ContainsSubstring("removed_from_the_sdk"));
}

TEST_CASE("an application that could not be loaded has run all the same") {
  const ScratchFile trace("trace");
  Application app;
  load_unloadable(app);
  app.trace(trace.path());
  CHECK_THROWS_WITH(app.run(), Catch::Matchers::ContainsSubstring("removed_from_the_sdk"));
  CHECK_THROWS_WITH(app.finish(), Catch::Matchers::ContainsSubstring("follows run_epoch()"));
  CHECK_THROWS_WITH(app.set("a/b=1"), Catch::Matchers::ContainsSubstring("has ended"));
  CHECK_NOTHROW(nlohmann::json::parse(trace.content()));
  const ScratchFile other("trace");
  Application later;
  load_unloadable(later);
  later.trace(other.path());
  later.run_async();
  CHECK_THROWS_WITH(later.wait(), Catch::Matchers::ContainsSubstring("removed_from_the_sdk"));
  CHECK_NOTHROW(nlohmann::json::parse(other.content()));
}

TEST_CASE("epochs are for the calling thread, run() is for the scheduler's executor") {
  for (const std::string executor : {"threads", "events"}) {
    Application app;
    app.load_text(pings("nvidia::gxf::EpochScheduler", 3)).executor(executor);
    CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("'" + executor + "'"));
    CHECK(ticks(app.run()) == 6);
  }
}

TEST_CASE("the report lists what waits at the end, and what was never read") {
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 3)).set("rx/min_size=2").set("rx/capacity=2");
  while (app.run_epoch(1000)) {
  }
  const Report report = app.finish();
  REQUIRE(report.unread.size() == 1);
  CHECK(report.unread.front().queue == "rx/signal");
  // The other one has finished.
  REQUIRE(report.waiting.size() == 1);
  CHECK(report.waiting.front().entity == "rx");
}

constexpr const char* kHello = R"(%YAML 1.2
---
name: hello
components:
- {name: world, type: nvidia::gxf::HelloWorld}
- {type: nvidia::gxf::PeriodicSchedulingTerm, parameters: {recess_period: 0.001 s}}
- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 1}}
---
components:
- {name: clock, type: nvidia::gxf::ManualClock}
- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}
)";

TEST_CASE("the log of a program goes to standard error, in the form of gxr run") {
  Application app;
  app.load_text(kHello);
  std::string error;
  std::string output;
  {
    const test::Captured standard_error(STDERR_FILENO);
    const test::Captured standard_output(STDOUT_FILENO);
    app.run();
    error = standard_error.text();
    output = standard_output.text();
  }
  INFO(error);
  CHECK(output.empty());
  const std::size_t line = error.find(" info    hello/world: Hello world from tick\n");
  REQUIRE(line != std::string::npos);
  CHECK(error[line - 4] == '.');  // "12:30:01.250"
}

/// Numbers as in Germany, in whatever locales the machine has.
class German final : public std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("the graph is drawn as gxr graph does") {
  Application app;
  app.load_text(pings("'nvidia::gxf::GreedyScheduler'", 3));
  CHECK(app.graph().starts_with("tx  "));
  CHECK(app.graph({"dot"}).starts_with("digraph"));
  CHECK(app.graph({"mermaid", true}) != app.graph({"mermaid", false}));
  CHECK(app.graph({"text", false, true}) == app.graph());  // no part is a CUDA graph
  CHECK_THROWS_WITH(app.graph({"gif"}),
                    "there is no picture in the format 'gif': take text, dot, mermaid, "
                    "svg or png");
  CHECK_THROWS_AS(Application().load_text("components: 3").graph(), Error);
}

TEST_CASE("the status says what entities do while they run") {
  Application app;
  CHECK_FALSE(app.status());
  app.load_text(pings("'nvidia::gxf::GreedyScheduler'", 1'000'000'000));
  app.run_async();
  std::optional<RunStatus> status = app.status();
  while (!status || status->entities.at(1).ticks == 0) {
    status = app.status();
  }
  CHECK(status->executor == "one thread");
  CHECK(status->entities[0].entity == "tx");
  CHECK(status->entities[0].state != EntityState::Unknown);
  app.interrupt();
  app.wait();
  CHECK_FALSE(app.status());
}

TEST_CASE("a program may set any locale") {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new German));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // only where the system has it
  Application app;
  app.load_text(kHello);
  const bool valid = app.validate();
  const std::string problems = app.problems_text();
  const Report report = valid ? app.run() : Report{};
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  INFO(problems);
  CHECK(valid);
  CHECK(report.reason == EndReason::Completed);
  CHECK(ticks(report) == 1);
}

TEST_CASE("A check that has thrown tells why again") {
  Application app;
  constexpr int kMostSources = 65'536;
  const auto load_all = [&] {
    for (int i = 0; i <= kMostSources; ++i) {
      app.load_text("", "text");
    }
  };
  CHECK_THROWS_AS(load_all(), Error);
  app.input("rx/signal", {});  // one source more, which the check adds
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_MATCHES(app.validate(), Error,
                         Catch::Matchers::Predicate<Error>([](const Error& error) {
                           return error.code() == ErrorCode::OutOfRange;
                         }));
  }
}

}  // namespace
}  // namespace gxr
