// Resident loops between codelets, with each scheduler, on the fake device.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "executors/application_run.hpp"
#include "executors/urgent_term.hpp"
#include "fake_gpu.hpp"
#include "gxr/application.hpp"
#include "gxr/gxr.hpp"
#include "gxr/resident_graph.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

namespace loop_test {

using namespace std::chrono_literals;

/// What operators and codelets tell the test, and are told by it.
struct Desk {
  std::atomic<std::int32_t> hangs_at{-1};  // the number at which Add stands for a while
  std::atomic<std::int32_t> fails_at{-1};
  std::atomic<int> work_us{0};  // how long Add takes
  std::mutex mutex;
  std::vector<std::int32_t> received;
  std::vector<std::uint64_t> sequences;
};

/// One of its own, which stays for operators that hang.
Desk& new_desk() {
  fake::replace_device();
  static std::deque<Desk> desks;
  return desks.emplace_back();
}

/// Adds its value to numbers, on the fake device.
class Add : public Codelet, public GraphOperator {
 public:
  Add() = default;
  explicit Add(Desk& desk) : desk_(&desk) {}
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "Numbers");
    interface.parameter(value_, "value", "To add").default_value(0).dynamic();
    interface.parameter(in_memory_, "in_memory", "Whether kernels read it").default_value(false);
  }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs on the GPU"); }
  void infer(ShapeContext& context) override {
    context.set_output(out_, context.input(in_));
    if (*in_memory_) {
      context.set_parameters_to<std::int32_t>(*value_);
    }
  }
  void capture(CaptureContext& context) override {
    const auto* const in = static_cast<const std::int32_t*>(context.input(in_).pointer());
    auto* const out =
        const_cast<std::int32_t*>(static_cast<const std::int32_t*>(context.output(out_).pointer()));
    const auto* const value = context.parameters<std::int32_t>();
    fake::launch(context.stream(), [=, fixed = *value_, desk = desk_] {
      work(*in, *desk);
      *out = *in + (value != nullptr ? *value : fixed);
    });
  }

 private:
  static void work(std::int32_t number, const Desk& desk) {
    if (number == desk.fails_at) {
      throw std::runtime_error("a kernel fails");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(desk.work_us));
    if (number == desk.hangs_at) {
      std::this_thread::sleep_for(2s);
    }
  }

  Desk* desk_ = nullptr;
  Input<> in_;
  Output<> out_;
  Parameter<std::int32_t> value_;
  Parameter<bool> in_memory_;
};

/// The sum of two inputs.
class Sum final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(first_, "first", "Numbers");
    interface.input(second_, "second", "Numbers");
    interface.output(out_, "out", "Numbers");
  }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs on the GPU"); }
  void infer(ShapeContext& context) override { context.set_output(out_, context.input(first_)); }
  void capture(CaptureContext& context) override {
    const auto* const first = static_cast<const std::int32_t*>(context.input(first_).pointer());
    const auto* const second = static_cast<const std::int32_t*>(context.input(second_).pointer());
    auto* const out =
        const_cast<std::int32_t*>(static_cast<const std::int32_t*>(context.output(out_).pointer()));
    fake::launch(context.stream(), [=] { *out = *first + *second; });
  }

 private:
  Input<> first_;
  Input<> second_;
  Output<> out_;
};

/// The number of the iteration, from 1.
class Count final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override { interface.output(out_, "out", "Numbers"); }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs on the GPU"); }
  void infer(ShapeContext& context) override {
    context.set_output(out_, {Shape{1}, ElementType::Int32, 0, {}});
  }
  void capture(CaptureContext& context) override {
    auto* const out =
        const_cast<std::int32_t*>(static_cast<const std::int32_t*>(context.output(out_).pointer()));
    fake::launch(context.stream(), [out, iteration = context.iteration()] {
      *out = static_cast<std::int32_t>(*iteration) + 1;
    });
  }

 private:
  Output<> out_;
};

/// Reads what nobody else does.
class Drop final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Numbers"); }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs on the GPU"); }
  void infer(ShapeContext& /*context*/) override {}
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(), [] { std::this_thread::sleep_for(100us); });
  }

 private:
  Input<> in_;
};

/// 1, 2, 3, …
class Feed final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Numbers");
    interface.parameter(pool_, "pool", "Gives memory for them");
    interface.parameter(wait_us_, "wait_us", "How long each takes").default_value(0);
  }
  void tick() override {
    std::this_thread::sleep_for(std::chrono::microseconds(*wait_us_));
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(**pool_, {1}, MemoryStorageType::System);
    *tensor.data<std::int32_t>() = static_cast<std::int32_t>(execution_count());
    message.set_sequence(static_cast<std::uint64_t>(1000 + execution_count()));
    out_.publish(std::move(message), execution_count());
  }

 private:
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int64_t> wait_us_;
};

class Keep final : public Codelet {
 public:
  Keep() = default;
  explicit Keep(Desk& desk) : desk_(&desk) {}
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.parameter(wait_us_, "wait_us", "How long each takes").default_value(0);
  }
  void tick() override {
    std::this_thread::sleep_for(std::chrono::microseconds(*wait_us_));
    const Message message = in_.receive();
    const std::lock_guard lock(desk_->mutex);
    desk_->received.push_back(*message.find<Tensor>()->data<std::int32_t>());
    desk_->sequences.push_back(message.sequence());
  }

 private:
  Desk* desk_ = nullptr;
  Input<> in_;
  Parameter<std::int64_t> wait_us_;
};

/// Asks the terms of loops, as others than their schedulers may at any time.
class Ask final : public Codelet {
 public:
  void tick() override {
    auto& run = static_cast<ApplicationRun&>(context());
    for (const LiveEntity& entity : run.instance().entities()) {
      for (SchedulingTerm* term : entity.terms) {
        if (auto* const asked = dynamic_cast<UrgentTerm*>(term)) {
          static_cast<void>(asked->is_urgent());
          static_cast<void>(asked->check(0));
          static_cast<void>(asked->explain());
        }
      }
    }
  }
};

}  // namespace loop_test

namespace {

using namespace loop_test;
using Catch::Matchers::ContainsSubstring;

const std::vector<std::string> kSchedulers = {"GreedyScheduler", "MultiThreadScheduler",
                                              "EventBasedScheduler"};

TypeProvider types_with(Desk& desk) {
  TypeProvider provider = provide_types("operators of the fake device", [](Extension& extension) {
    extension.add<Add>("Adds");
    extension.add<Keep>("Keeps");
    extension.add<Sum>("Adds two");
    extension.add<Count>("Counts");
    extension.add<Drop>("Drops");
    extension.add<Feed>("Feeds");
    extension.add<Ask>("Asks");
  });
  provider.types[0].create = [&desk] { return std::make_unique<Add>(desk); };
  provider.types[1].create = [&desk] { return std::make_unique<Keep>(desk); };
  return provider;
}

/// An entity that makes 1, 2, …, `count` of them.
std::string source(const std::string& name, int count, int wait_us = 0) {
  return "name: " + name +
         "\ncomponents:\n- {name: out, type: gxr::DoubleBufferTransmitter}\n"
         "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n"
         "- {type: gxr::CountSchedulingTerm, parameters: {count: " +
         std::to_string(count) +
         "}}\n- {type: gxr::loop_test::Feed, parameters: {out: out, pool: memory/pool, wait_us: " +
         std::to_string(wait_us) + "}}\n---\n";
}

std::string receiver(const std::string& name) {
  return "- {name: " + name +
         ", type: gxr::DoubleBufferReceiver}\n"
         "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: " +
         name + "}}\n";
}

std::string add(const std::string& name, const std::string& parameters = "") {
  return "name: " + name + "\ncomponents:\n" + receiver("in") +
         "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
         "- {name: add, type: gxr::loop_test::Add, parameters: {in: in, out: out" +
         parameters + "}}\n---\n";
}

std::string sink(int wait_us = 0, const std::string& term = "") {
  return "name: sink\ncomponents:\n" + receiver("in") + term +
         "- {name: keep, type: gxr::loop_test::Keep, parameters: {in: in, wait_us: " +
         std::to_string(wait_us) + "}}\n---\n";
}

/// `ways`: "from to" pairs; `options` of the loop, each followed by a comma.
std::string rest(const std::vector<std::pair<std::string, std::string>>& ways,
                 const std::string& entities, const std::string& options,
                 const std::string& scheduler) {
  std::string text = "components:\n";
  for (const auto& [from, to] : ways) {
    text += "- {type: gxr::Connection, parameters: {source: " + from + ", target: " + to + "}}\n";
  }
  return text + "- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {mode: resident, " +
         options + " inputs: {a/in: {shape: [1], dtype: int32}}, entities: [" + entities +
         "]}}\n---\nname: memory\ncomponents:\n- {name: pool, type: gxr::UnboundedAllocator}\n---\n"
         "name: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n- {type: gxr::" +
         scheduler + ", parameters: {clock: clock}}\n";
}

/// source -> a -> sink, whose loop has these options.
std::string chain(const std::string& options, const std::string& scheduler, int count = 2000,
                  const std::string& sunk = sink(), const std::string& parameters = "") {
  return source("source", count) + add("a", parameters) + sunk +
         rest({{"source/out", "a/in"}, {"a/out", "sink/in"}}, "a", options, scheduler);
}

void load(Application& app, Desk& desk, const std::string& text) {
  app.load_text(text).types(types_with(desk));
  const bool valid = app.validate();
  INFO(text);
  INFO(app.problems_text());
  REQUIRE(valid);
}

Report run(Desk& desk, const std::string& text) {
  Application app;
  load(app, desk, text);
  return app.run();
}

void check_no_failures(const Report& report) {
  for (const Failure& failure : report.failures) {
    FAIL_CHECK(describe(failure));
  }
}

/// first, first + 1, …
void check_received(Desk& desk, int count, int first = 1) {
  const std::lock_guard lock(desk.mutex);
  REQUIRE(desk.received.size() == static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    REQUIRE(desk.received[static_cast<std::size_t>(i)] == first + i);
  }
}

bool soon(const std::function<bool()>& is_true) {
  const auto end = std::chrono::steady_clock::now() + 40s;
  while (!is_true() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(50us);
  }
  return is_true();
}

}  // namespace

TEST_CASE("A loop passes all messages on, in order", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    for (const char* options : {"", "slots: 1,", "slots: 8,"}) {
      for (const int wait_us : {0, 20}) {
        CAPTURE(scheduler, options, wait_us);
        Desk& desk = new_desk();
        const int count = wait_us == 0 ? 5000 : 300;
        const Report report =
            run(desk, chain(options, scheduler, count, sink(wait_us), ", value: 10"));
        check_no_failures(report);
        CHECK(report.reason == EndReason::Completed);
        check_received(desk, count, 11);
        CHECK(desk.sequences.back() == static_cast<std::uint64_t>(1000 + count));
        CHECK(report.graphs.front().iterations == static_cast<std::uint64_t>(count));
      }
    }
  }
}

TEST_CASE("Two loops with a codelet between them pass all messages on", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    std::string text = source("source", 3000) + add("a", ", value: 1") + add("b", ", value: 2") +
                       sink() +
                       rest({{"source/out", "a/in"}, {"a/out", "b/in"}, {"b/out", "sink/in"}}, "a",
                            "", scheduler) +
                       "---\ncomponents:\n- {name: second, type: gxr::cuda::GraphExecutor, "
                       "parameters: {mode: resident, entities: [b]}}\n";
    const Report report = run(desk, text);
    check_no_failures(report);
    check_received(desk, 3000, 4);
  }
}

TEST_CASE("A loop that only takes messages takes all", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    const Report report =
        run(desk, source("source", 2000) + "name: a\ncomponents:\n" + receiver("in") +
                      "- {type: gxr::loop_test::Drop, parameters: {in: in}}\n---\n" +
                      rest({{"source/out", "a/in"}}, "a", "", scheduler));
    check_no_failures(report);
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.graphs.front().iterations == 2000);
  }
}

namespace {

/// A loop without ports; `term` of its first operator.
std::string alone(const std::string& term, const std::string& options,
                  const std::string& scheduler) {
  std::string text =
      "name: count\ncomponents:\n"
      "- {name: out, type: gxr::DoubleBufferTransmitter}\n" +
      term +
      "- {type: gxr::loop_test::Count, parameters: {out: out}}\n---\n"
      "name: drop\ncomponents:\n" +
      receiver("in") + "- {type: gxr::loop_test::Drop, parameters: {in: in}}\n---\n" +
      rest({{"count/out", "drop/in"}}, "count, drop", options, scheduler);
  const std::string inputs = " inputs: {a/in: {shape: [1], dtype: int32}},";
  return text.erase(text.find(inputs), inputs.size());
}

}  // namespace

TEST_CASE("A loop without ports ends at its count", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    const Report report =
        run(desk,
            alone("- {type: gxr::CountSchedulingTerm, parameters: {count: 500}}\n", "", scheduler));
    check_no_failures(report);
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.graphs.front().iterations == 500);
  }
}

TEST_CASE("A loop without ports ends when its time is over", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    const Report report = run(desk, alone("", "timeout_ms: 150,", scheduler));
    check_no_failures(report);
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.graphs.front().iterations > 100);
  }
}

TEST_CASE("The time of a loop between codelets is over, also while nobody takes its results",
          "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Application app;
    load(app, desk, chain("timeout_ms: 200,", scheduler, 1'000'000, sink(1000)));
    const Report report = app.run();
    check_no_failures(report);
    const std::uint64_t iterations = report.graphs.front().iterations;
    CHECK(iterations > 10);
    CHECK(iterations < 1000);
    check_received(desk, static_cast<int>(iterations));
  }
}

namespace {

/// The chain with a sink that stops taking behind three messages, so that the queue before it stays
/// full; something else keeps the run going.
std::string stuck_chain(const std::string& options, const std::string& scheduler) {
  const std::string stops = "- {type: gxr::CountSchedulingTerm, parameters: {count: 3}}\n";
  return "name: clockwork\ncomponents:\n- {name: out, type: gxr::DoubleBufferTransmitter}\n"
         "- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 10ms}}\n"
         "- {type: gxr::CountSchedulingTerm, parameters: {count: 500}}\n"
         "- {type: gxr::loop_test::Feed, parameters: {out: out, pool: memory/pool}}\n---\n" +
         chain(options, scheduler, 1000, sink(0, stops));
}

}  // namespace

TEST_CASE("An iteration that hangs fails the run, with room behind the loop or without",
          "[hangs]") {
  for (const std::string& scheduler : kSchedulers) {
    for (const bool is_stuck : {false, true}) {
      CAPTURE(scheduler, is_stuck);
      Desk& desk = new_desk();
      desk.hangs_at = 5;
      const auto begin = std::chrono::steady_clock::now();
      const Report report = run(desk, is_stuck ? stuck_chain("watchdog_ms: 200,", scheduler)
                                               : chain("watchdog_ms: 200,", scheduler));
      CHECK(std::chrono::steady_clock::now() - begin < 10s);
      REQUIRE(report.reason == EndReason::Failed);
      const Failure& failure = report.failures.front();
      CHECK_THAT(failure.text, ContainsSubstring("hangs: no iteration has ended for 200 ms"));
      CHECK_THAT(failure.text, ContainsSubstring("in iteration 5"));
      CHECK(failure.method == "tick");
    }
  }
}

TEST_CASE("A device that fails fails the run, with room behind the loop or without", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    for (const bool is_stuck : {false, true}) {
      CAPTURE(scheduler, is_stuck);
      Desk& desk = new_desk();
      desk.fails_at = 5;
      const Report report = run(desk, is_stuck ? stuck_chain("", scheduler) : chain("", scheduler));
      REQUIRE(report.reason == EndReason::Failed);
      CHECK_THAT(report.failures.front().text,
                 ContainsSubstring("the fake device has failed; in iteration 5"));
      CHECK(report.failures.front().method == "tick");
    }
  }
}

// On one thread, and without the executor's knowledge.
TEST_CASE("Whoever asks the terms of a loop changes nothing", "[loop]") {
  Desk& desk = new_desk();
  desk.work_us = 150;
  const std::string text =
      "name: ask\ncomponents:\n- {type: gxr::loop_test::Ask}\n"
      "- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 1ms, policy: "
      "NoCatchUpMissedTicks}}\n---\n" +
      chain("slots: 1,", "GreedyScheduler", 1000);
  Application app;
  load(app, desk, text);
  app.run_async();
  CHECK(soon([&] {  // a reminder for each would take 50 s
    const std::lock_guard lock(desk.mutex);
    return desk.received.size() == 1000;
  }));
  app.interrupt();
  check_no_failures(app.wait());
  check_received(desk, 1000);
}

TEST_CASE("An interrupt ends a loop when its inputs are worked on", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Application app;
    load(app, desk, chain("", scheduler, 1'000'000'000));
    app.run_async();
    CHECK(soon([&] {
      const std::lock_guard lock(desk.mutex);
      return desk.received.size() > 500;
    }));
    app.interrupt();
    const Report report = app.wait();
    check_no_failures(report);
    CHECK(report.reason == EndReason::Interrupted);
  }
}

namespace {

/// Soon. Values that are set before come into the loop together.
bool has_begun(Desk& desk) {
  return soon([&] {
    const std::lock_guard lock(desk.mutex);
    return desk.received.size() > 10;
  });
}

}  // namespace

TEST_CASE("New values come into a loop, which loses no message", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    for (const std::string in_memory : {"false", "true"}) {
      CAPTURE(scheduler, in_memory);
      Desk& desk = new_desk();
      Application app;
      load(app, desk, chain("", scheduler, 4000, sink(50), ", value: 0, in_memory: " + in_memory));
      app.run_async();
      REQUIRE(has_begun(desk));
      for (int i = 1; i <= 30; ++i) {
        std::this_thread::sleep_for(2ms);
        app.set("a/value=" + std::to_string(100'000 * i));
      }
      const Report report = app.wait();
      check_no_failures(report);
      CHECK(report.reason == EndReason::Completed);
      const GraphStatistics& graph = report.graphs.front();
      CHECK((in_memory == "true" ? graph.parameter_sets : graph.instantiations) > 1);
      REQUIRE(desk.received.size() == 4000);
      std::int32_t last = 0;
      for (std::int32_t i = 0; i < 4000; ++i) {
        const std::int32_t added = desk.received[static_cast<std::size_t>(i)] - (i + 1);
        REQUIRE(added % 100'000 == 0);
        REQUIRE(added >= last);
        last = added;
      }
      CHECK(last > 0);
    }
  }
}

TEST_CASE("New values come into a loop that works by itself", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Application app;
    std::string text =
        "name: count\ncomponents:\n"
        "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
        "- {type: gxr::CountSchedulingTerm, parameters: {count: 3000}}\n"
        "- {type: gxr::loop_test::Count, parameters: {out: out}}\n---\n" +
        add("a") + sink(50) +
        rest({{"count/out", "a/in"}, {"a/out", "sink/in"}}, "count, a", "", scheduler);
    const std::string inputs = " inputs: {a/in: {shape: [1], dtype: int32}},";
    load(app, desk, text.erase(text.find(inputs), inputs.size()));
    app.run_async();
    REQUIRE(has_begun(desk));
    for (int i = 1; i <= 20; ++i) {
      std::this_thread::sleep_for(2ms);
      app.set("a/value=" + std::to_string(100'000 * i));
    }
    const Report report = app.wait();
    check_no_failures(report);
    CHECK(report.graphs.front().instantiations > 1);
    REQUIRE(desk.received.size() == 3000);
    for (std::int32_t i = 0; i < 3000; ++i) {
      REQUIRE(desk.received[static_cast<std::size_t>(i)] % 100'000 == i + 1);
    }
  }
}

namespace {

std::string joined(const std::string& options, const std::string& scheduler, int first, int second,
                   int wait_us = 0) {
  return source("one", first) + source("two", second, wait_us) + "name: a\ncomponents:\n" +
         receiver("in") + receiver("second") +
         "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
         "- {type: gxr::loop_test::Sum, parameters: {first: in, second: second, out: out}}\n---\n" +
         sink() +
         rest({{"one/out", "a/in"}, {"two/out", "a/second"}, {"a/out", "sink/in"}}, "a", options,
              scheduler);
}

}  // namespace

TEST_CASE("A loop waits for both of its inputs", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    const Report report = run(desk, joined("", scheduler, 1000, 1000, 10));
    check_no_failures(report);
    REQUIRE(desk.received.size() == 1000);
    for (std::int32_t i = 0; i < 1000; ++i) {
      REQUIRE(desk.received[static_cast<std::size_t>(i)] == 2 * (i + 1));
    }
  }
}

TEST_CASE("With any input all messages of both are used", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    const Report report = run(desk, joined("ready: any,", scheduler, 900, 300, 10));
    check_no_failures(report);
    REQUIRE(desk.received.size() >= 900);
    CHECK(desk.received.size() <= 1200);
    CHECK(desk.received.back() == 1200);
  }
}

TEST_CASE("A loop goes on without inputs that are late", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    {
      Desk& desk = new_desk();
      const Report report =
          run(desk, joined("input_timeout_ms: 20, missing_data: hold,", scheduler, 10, 1));
      check_no_failures(report);
      REQUIRE(desk.received.size() == 10);
      CHECK(desk.received.back() == 11);
      CHECK(report.graphs.front().late_inputs == 9);
    }
    {
      Desk& desk = new_desk();
      const Report report =
          run(desk, joined("input_timeout_ms: 20, missing_data: skip,", scheduler, 10, 1));
      check_no_failures(report);
      CHECK(desk.received == std::vector<std::int32_t>{2});
      CHECK(report.graphs.front().late_inputs == 9);
      CHECK(report.discarded.front().discard.count == 9);
    }
    {
      Desk& desk = new_desk();
      const Report report =
          run(desk, joined("input_timeout_ms: 300, missing_data: fault,", scheduler, 10, 1));
      REQUIRE(report.reason == EndReason::Failed);
      CHECK_THAT(report.failures.front().text, ContainsSubstring("has had no message"));
      CHECK_THAT(report.failures.front().text, ContainsSubstring("for 300 ms"));
      CHECK(report.failures.front().method == "tick");
      CHECK(desk.received == std::vector<std::int32_t>{2});
    }
  }
}

namespace {

class Driven {
 public:
  Driven(Desk& desk, const std::string& scheduler, const std::string& options = "",
         int wait_us = 0) {
    std::string text =
        "name: count\ncomponents:\n- {name: out, type: gxr::DoubleBufferTransmitter}\n"
        "- {type: gxr::loop_test::Count, parameters: {out: out}}\n---\n" +
        add("a") + sink(wait_us) +
        rest({{"count/out", "a/in"}, {"a/out", "sink/in"}}, "count, a",
             "host_driven: true, " + options, scheduler);
    const std::string inputs = " inputs: {a/in: {shape: [1], dtype: int32}},";
    load(app, desk, text.erase(text.find(inputs), inputs.size()));
    app.run_async();
    REQUIRE(loop().wait_until_launched(30s));
  }
  ResidentGraph loop() { return app.resident_graph("loop"); }
  Report end() {
    app.interrupt();
    return app.wait();
  }

  Application app;
};

}  // namespace

TEST_CASE("A program drives a loop, whose results are all passed on", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Driven running(desk, scheduler);
    ResidentGraph loop = running.loop();
    const auto received = [&] {
      const std::lock_guard lock(desk.mutex);
      return desk.received.size();
    };
    for (std::size_t i = 1; i <= 300; ++i) {
      loop.data_ready();
      REQUIRE(soon([&] { return loop.result_ready() && received() == i; }));
      if (i % 100 == 0) {
        std::this_thread::sleep_for(120ms);  // it is idle
      }
    }
    for (int i = 0; i < 1000; ++i) {
      loop.data_ready();
    }
    REQUIRE(soon([&] { return received() == 1300; }));
    CHECK(loop.results() == 1300);
    check_no_failures(running.end());
    check_received(desk, 1300);
  }
}

TEST_CASE("A program tears a loop down and launches it again; results of before are passed on",
          "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Driven running(desk, scheduler, "slots: 4, ", 100);
    ResidentGraph loop = running.loop();
    for (int cycle = 0; cycle < 20; ++cycle) {
      for (int i = 0; i < 5; ++i) {
        loop.data_ready();
      }
      loop.tear_down(GraphStop::Drain);
      CHECK(loop.results() == 5);
      CHECK_FALSE(loop.is_launched());
      CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("was torn down"));
      CHECK_THROWS_WITH(loop.tear_down(), ContainsSubstring("was torn down"));
      loop.launch();
      CHECK_THROWS_WITH(loop.launch(), ContainsSubstring("was not torn down"));
      CHECK(loop.is_launched());
    }
    REQUIRE(soon([&] {
      const std::lock_guard lock(desk.mutex);
      return desk.received.size() == 100;
    }));
    check_no_failures(running.end());
    for (std::size_t i = 0; i < 100; ++i) {
      REQUIRE(desk.received[i] == static_cast<std::int32_t>(i % 5) + 1);
    }
  }
}

TEST_CASE("A program's loop has a time, and new values", "[loop]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    Driven running(desk, scheduler);
    ResidentGraph loop = running.loop();
    loop.data_ready();
    REQUIRE(
        soon([&] { return loop.result_ready(); }));  // a loop that does not run has no new values
    for (int i = 2; i <= 200; ++i) {
      loop.data_ready();
      if (i % 20 == 0) {
        running.app.set("a/value=" + std::to_string(1000 * i));
      }
    }
    REQUIRE(soon([&] { return loop.result_ready(); }));
    loop.set_timeout(1ms);  // from its launch: it is over
    const Report report = running.app.wait();
    check_no_failures(report);
    CHECK(report.reason == EndReason::Completed);
    CHECK(report.graphs.front().iterations == 200);
    CHECK(report.graphs.front().instantiations > 0);
    REQUIRE(desk.received.size() == 200);
    for (std::size_t i = 0; i < 200; ++i) {
      REQUIRE(desk.received[i] % 1000 == static_cast<std::int32_t>(i) + 1);
    }
  }
}

TEST_CASE("A loop that hangs fails a program's calls, too", "[hangs]") {
  for (const std::string& scheduler : kSchedulers) {
    CAPTURE(scheduler);
    Desk& desk = new_desk();
    desk.hangs_at = 2;
    Driven running(desk, scheduler, "watchdog_ms: 150, ");
    ResidentGraph loop = running.loop();
    loop.data_ready();
    loop.data_ready();
    const Report report = running.app.wait();
    REQUIRE(report.reason == EndReason::Failed);
    CHECK_THAT(report.failures.front().text, ContainsSubstring("hangs"));
    CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("hangs"));
  }
}

}  // namespace gxr
