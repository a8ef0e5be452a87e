// Operators that are exchanged while their application runs.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "captured.hpp"
#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using std::chrono::milliseconds;

#ifdef __SANITIZE_THREAD__
constexpr int kSwaps = 40;  // each one checks the whole application
#else
constexpr int kSwaps = 300;
#endif

std::string file_of(const std::string& name) {
  return std::string(GXR_TEST_EXTENSION_DIR) + "/" + name + ".so";
}

std::string scheduler(const std::string& executor) {
  return "name: sched\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n- type: gxr::" +
         std::string(executor == "greedy" ? "Greedy" : "MultiThread") +
         "Scheduler\n  parameters: {clock: clock, stop_on_deadlock: false}\n";
}

/// Numbers pass `middle` to a check.
std::string swapped_chain(const std::string& middle, const std::string& check = "{}",
                          const std::string& source = "{}") {
  return "name: source\noperator: exchange::Source\nparameters: " + source +
         "\n---\nname: middle\noperator: exchange::" + middle +
         "\ninputs: {in: source}\n---\nname: sink\noperator: exchange::Check\nparameters: " +
         check + "\ninputs: {in: middle}\n---\n";
}

/// An application that runs on a thread of its own.
class Running {
 public:
  explicit Running(const std::string& text, const std::string& executor = "greedy") {
    app_.load_text(text + scheduler(executor)).extension(file_of("exchange")).executor(executor);
    const bool fits = app_.validate();
    INFO(app_.problems_text());
    REQUIRE(fits);
    app_.run_async();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!ended_) {
      app_.interrupt();
      app_.wait();
    }
  }
  Application* operator->() noexcept { return &app_; }
  Report end() {
    app_.interrupt();
    return wait();
  }
  Report wait() {
    ended_ = true;
    return app_.wait();
  }
  EntityStatus entity(const std::string& name) {
    for (;;) {
      const std::optional<RunStatus> status = app_.status(milliseconds(1000));
      for (const EntityStatus& each : status ? status->entities : std::vector<EntityStatus>()) {
        if (each.entity == name) {
          return each;
        }
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  void wait_for_ticks(const std::string& name, std::uint64_t ticks) {
    while (entity(name).ticks < ticks) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

 private:
  Application app_;
  bool ended_ = false;
};

/// What is thrown by swap().
std::string refusal(Running& app, const std::string& name, const std::string& type,
                    const SwapOptions& options = {}) {
  try {
    app->swap(name, type, options);
  } catch (const Error& error) {
    return error.message();
  }
  return "nothing was thrown";
}

/// Failures of a run, which should have none.
std::string failures_of(const Report& report) {
  std::string text;
  for (const Failure& failure : report.failures) {
    text += describe(failure) + "\n";
  }
  return text;
}

EntityStatus last_status(const Report& report, const std::string& name) {
  for (const EntityStatus& entity : report.last_status.entities) {
    if (entity.entity == name) {
      return entity;
    }
  }
  return {};
}

/// The chain's sink checks that no message is lost, doubled or out of order.
void exchange_while_messages_pass(const std::string& chain, const std::string& executor,
                                  int count) {
  Running app(chain, executor);
  app.wait_for_ticks("sink", 100);
  for (int i = 0; i < count; ++i) {
    const std::string type = i % 2 == 0 ? "exchange::Other" : "exchange::Pass";
    const SwapResult result = app->swap("middle", type);
    CHECK(result.new_type == type);
    CHECK(result.is_kept);
  }
  app.wait_for_ticks("sink", app.entity("sink").ticks + 100);
  CHECK(app.entity("middle").type == "exchange::Pass");
  const Report report = app.end();
  CHECK(failures_of(report).empty());
  CHECK(last_status(report, "middle").swaps == static_cast<std::uint64_t>(count));
  CHECK(last_status(report, "middle").lost == 0);
}

}  // namespace

TEST_CASE("An operator is exchanged while messages pass, and none is lost") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  exchange_while_messages_pass(swapped_chain("Pass"), executor, kSwaps);
}

// A test of its own, swap/thousand, which `make slow-test` runs.
TEST_CASE("A thousand exchanges at a hundred thousand messages a second lose none", "[.thousand]") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  std::string chain = swapped_chain("Pass");
  chain.insert(chain.find("parameters: {}"), "period: 10us\n");
  exchange_while_messages_pass(chain, executor, 1000);
}

TEST_CASE("An operator is exchanged that has nothing to do") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(swapped_chain("Pass", "{}", "{last: 5}"), executor);
  app.wait_for_ticks("sink", 5);
  CHECK(app->swap("middle", "exchange::Other").old_type == "exchange::Pass");
  CHECK(app.entity("middle").type == "exchange::Other");
  CHECK(app.entity("middle").ticks == 5);
  CHECK(failures_of(app.end()).empty());
}

TEST_CASE("An exchange that does not fit is refused with all reasons, and nothing changes") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(swapped_chain("Pass"), executor);
  app.wait_for_ticks("sink", 1);
  CHECK_THAT(refusal(app, "midle", "exchange::Other"),
             ContainsSubstring("there is no entity 'midle' (did you mean 'middle'?)"));
  CHECK_THAT(refusal(app, "middle/nothing", "exchange::Other"),
             ContainsSubstring("has no component 'nothing'"));
  CHECK_THAT(refusal(app, "sched/clock", "exchange::Other"), ContainsSubstring("is no codelet"));
  CHECK_THAT(refusal(app, "sched", "exchange::Other"), ContainsSubstring("has no codelet"));
  CHECK_THAT(refusal(app, "middle", "exchange::Othr"),
             ContainsSubstring("there is no type 'exchange::Othr' (did you mean"));
  CHECK_THAT(refusal(app, "middle", "gxr::RealtimeClock"), ContainsSubstring("is no codelet"));
  CHECK_THAT(refusal(app, "middle", "exchange::Demanding"),
             ContainsSubstring("needs the parameter 'must'"));
  CHECK_THAT(refusal(app, "middle", "exchange::Check"),
             ContainsSubstring("'exchange::Check' has no parameter 'out'"));
  CHECK_THAT(refusal(app, "middle", "exchange::NoStart"), ContainsSubstring("start fails as told"));
  CHECK_THAT(refusal(app, "middle", "exchange::Early"),
             ContainsSubstring("must not make messages"));
  CHECK_THAT(refusal(app, "middle", "exchange::Other", {.extension = "nowhere.so"}),
             ContainsSubstring("'nowhere.so' does not exist"));
  app->set("middle/gain=2");
  CHECK_THAT(refusal(app, "middle", "exchange::Plain"),
             ContainsSubstring("'exchange::Plain' has no parameter 'gain'"));
  app.wait_for_ticks("sink", app.entity("sink").ticks + 10);
  CHECK(app.entity("middle").type == "exchange::Pass");
  const Report report = app.end();
  CHECK(failures_of(report).empty());
  CHECK(last_status(report, "middle").swaps == 0);
}

TEST_CASE("An operator is exchanged only while the application runs") {
  Application app;
  CHECK_THROWS_WITH(app.swap("middle", "exchange::Other"),
                    ContainsSubstring("swap() is for applications that run"));
  Running running(swapped_chain("Pass"));
  running.wait_for_ticks("sink", 1);
  running->interrupt();
  static_cast<void>(running.wait());
  CHECK_THAT(refusal(running, "middle", "exchange::Other"), ContainsSubstring("has ended"));
}

TEST_CASE("An operator takes over the state of another one") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(swapped_chain("Counts"), executor);
  app.wait_for_ticks("sink", 10);
  for (int i = 0; i < 20; ++i) {
    CHECK(app->swap("middle", i % 2 == 0 ? "exchange::CountsToo" : "exchange::Counts")
              .took_over_state);
  }
  CHECK_FALSE(app->swap("middle", "exchange::Pass").took_over_state);
  CHECK(failures_of(app.end()).empty());
}

TEST_CASE("An operator that cannot read the state is refused, and the old one goes on") {
  const std::string executor = GENERATE("greedy", "threads");
  INFO(executor);
  Running app(swapped_chain("Counts"), executor);
  app.wait_for_ticks("sink", 10);
  CHECK_THAT(refusal(app, "middle", "exchange::CountsNewly"),
             ContainsSubstring("a count of version 1 cannot be read"));
  app.wait_for_ticks("sink", app.entity("sink").ticks + 10);
  CHECK(failures_of(app.end()).empty());
}

TEST_CASE("Of exclusive operators the old one stops before the new one starts") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(swapped_chain("Exclusive"), executor);
  app.wait_for_ticks("sink", 10);
  for (int i = 0; i < 20; ++i) {
    CHECK(app->swap("middle", "exchange::Exclusive").pause_ns > 0);
  }
  CHECK_THAT(refusal(app, "middle", "exchange::ExclusiveNoStart"),
             ContainsSubstring("start fails as told"));
  app.wait_for_ticks("sink", app.entity("sink").ticks + 10);
  const SwapResult back =
      app->swap("middle", "exchange::ExclusiveFails", {.keep_for = milliseconds(20'000)});
  CHECK_FALSE(back.is_kept);
  CHECK(back.lost == 1);
  const Report report = app.wait();  // the check misses what was lost, and ends the run
  CHECK_THAT(failures_of(report), ContainsSubstring(" follows "));
}

TEST_CASE("In its probation, an operator that fails goes, and the old one is back") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(swapped_chain("Pass", "{step: 2}"), executor);
  app.wait_for_ticks("sink", 10);
  const SwapResult failed =
      app->swap("middle", "exchange::Fails", {.keep_for = milliseconds(20'000)});
  CHECK_FALSE(failed.is_kept);
  CHECK(failed.lost == 1);
  REQUIRE(failed.failure);
  CHECK(failed.failure->text == "fails as told");
  app.wait_for_ticks("sink", app.entity("sink").ticks + 10);
  CHECK(app.entity("middle").type == "exchange::Pass");
  const SwapResult kept = app->swap("middle", "exchange::Other", {.keep_for = milliseconds(20)});
  CHECK(kept.is_kept);
  CHECK(app.entity("middle").type == "exchange::Other");
  const Report report = app.end();
  CHECK(failures_of(report).empty());
  CHECK(last_status(report, "middle").lost == 1);
}

TEST_CASE("Without a probation, an operator that fails ends the run") {
  const std::string executor = GENERATE("greedy", "threads");
  INFO(executor);
  Running app(swapped_chain("Pass"), executor);
  app.wait_for_ticks("sink", 10);
  CHECK(app->swap("middle", "exchange::Fails").is_kept);
  CHECK_THAT(failures_of(app.wait()), ContainsSubstring("fails as told"));
}

TEST_CASE("A run ends while operators are exchanged") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  const std::string type = GENERATE("Pass", "Exclusive");
  INFO(executor << ", " << type);
  for (int i = 0; i < 20; ++i) {
    Running app(swapped_chain(type), executor);
    std::thread swapping([&] {
      while (refusal(app, "middle", "exchange::" + type, {.keep_for = milliseconds(i % 3)})
                 .find("has ended") == std::string::npos) {
      }
    });
    app.wait_for_ticks("sink", 10);
    CHECK(failures_of(app.end()).empty());
    swapping.join();
  }
}

TEST_CASE("Another build of an extension is loaded beside the one that runs") {
  namespace fs = std::filesystem;
  const std::string executor = GENERATE("greedy", "threads");
  const fs::path file =
      fs::temp_directory_path() / ("gxr-swap-" + std::to_string(::getpid()) + ".so");
  fs::copy_file(file_of("exchange"), file, fs::copy_options::overwrite_existing);
  Application app;
  app.load_text(swapped_chain("Build") + scheduler(executor))
      .extension(file.string())
      .executor(executor);
  app.prepare();  // which loads the extension
  app.run_async();
  fs::remove(file);
  fs::copy_file(file_of("exchange_next"), file);
  const test::Captured log(2);
  CHECK(app.swap("middle", "exchange::Build", {.extension = file.string()}).is_kept);
  CHECK(app.swap("middle", "exchange::Build", {.extension = file.string()}).is_kept);
  CHECK(app.swap("middle", "exchange::Build").is_kept);
  app.interrupt();
  CHECK(failures_of(app.wait()).empty());
  fs::remove(file);
  const std::string text = log.text();
  CHECK_THAT(text, ContainsSubstring("build 2"));
  CHECK_THAT(text, ContainsSubstring("build 1"));
  CHECK(text.find("build 2") < text.rfind("build 1"));
}

namespace {

/// A chain in which `middle` fails at its tick number `at`, again and again.
std::string failing_chain(const std::string& type, int at, const std::string& rule) {
  const std::string middle = "operator: exchange::" + type + "\n";
  std::string text = swapped_chain(type, "{step: 2}");
  text.insert(text.find(middle) + middle.size(),
              "on_failure: {restart: " + rule + "}\n" +
                  (type == "Fails" ? "parameters: {at: " + std::to_string(at) + "}\n" : ""));
  return text;
}

}  // namespace

TEST_CASE("An operator that fails is made anew, and what it held is lost") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(failing_chain("Fails", 100, "{limit: 1000000, window: 1h}"), executor);
  while (app.entity("middle").restarts < 3) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  app.wait_for_ticks("sink", app.entity("sink").ticks + 1);
  const Report report = app.end();
  CHECK(failures_of(report).empty());
  const EntityStatus middle = last_status(report, "middle");
  CHECK(middle.restarts >= 3);
  CHECK(middle.lost >= middle.restarts);
  CHECK(middle.lost <= middle.restarts + 1);  // one may be due
}

TEST_CASE("An exclusive operator that fails is stopped before it is made anew") {
  const std::string executor = GENERATE("greedy", "threads");
  INFO(executor);
  Running app(failing_chain("ExclusiveFails", 0, "{limit: 5, delay: 1ms}"), executor);
  const Report report = app.wait();
  CHECK_THAT(failures_of(report), ContainsSubstring("fails as told"));
  CHECK(last_status(report, "middle").restarts == 5);
  CHECK(last_status(report, "middle").lost == 5);
}

TEST_CASE("A run ends while an operator waits to be made anew") {
  const std::string executor = GENERATE("greedy", "threads", "events");
  INFO(executor);
  Running app(failing_chain("Fails", 1, "{delay: 1h}"), executor);
  while (app.entity("middle").lost == 0) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK_THAT(refusal(app, "middle", "exchange::Fails"), ContainsSubstring("is held"));
  EntityStatus middle = app.entity("middle");
  while (middle.state != EntityState::Waiting) {  // a worker may be about to look at it
    middle = app.entity("middle");
  }
  REQUIRE(middle.reasons.size() == 1);
  CHECK_THAT(middle.reasons.front(), ContainsSubstring("it is made anew"));
  const Report report = app.end();
  CHECK(failures_of(report).empty());
  CHECK(last_status(report, "middle").restarts == 0);
}

}  // namespace gxr
