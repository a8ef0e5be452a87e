// The streams of codelets on the fake device: whose stream a tick works on, and how its work is
// measured.

#include "gxr/cuda/streams.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "fake_gpu.hpp"
#include "fake_stream.hpp"
#include "gxr/application.hpp"
#include "gxr/gxr.hpp"
#include "gxr/report.hpp"
#include "gxr/type_provider.hpp"
#include "registry/temporary_folder.hpp"

namespace gxr::test {

using cuda::Streams;

/// The streams that entities worked on, in the order of their ticks.
class Seen {
 public:
  void add(const std::string& entity, cuda::Stream stream) {
    const std::lock_guard lock(mutex_);
    seen_.push_back({entity, stream, stream->stream->options()});
  }
  [[nodiscard]] std::vector<cuda::Stream> of(const std::string& entity) const {
    const std::lock_guard lock(mutex_);
    std::vector<cuda::Stream> found;
    for (const Tick& tick : seen_) {
      if (tick.entity == entity) {
        found.push_back(tick.stream);
      }
    }
    return found;
  }
  /// Of the stream of its first tick.
  [[nodiscard]] StreamOptions options_of(const std::string& entity) const {
    const std::lock_guard lock(mutex_);
    for (const Tick& tick : seen_) {
      if (tick.entity == entity) {
        return tick.options;
      }
    }
    throw Error(ErrorCode::NotFound, entity + " had no stream");
  }
  std::atomic<std::int64_t> sum{0};  ///< of the numbers that kernels of stages read
  std::atomic<int> in_order{0};      ///< kernels that ran behind the default stream's work
  std::atomic<int> refused{0};       ///< streams of somebody else
  std::atomic<int> unfinished{0};    ///< messages whose work was not done when a tick began
  std::atomic<int> most{0};          ///< messages that one port had in a tick

 private:
  struct Tick {
    std::string entity;
    cuda::Stream stream;
    StreamOptions options;
  };
  mutable std::mutex mutex_;
  std::vector<Tick> seen_;
};

/// Sends 1, 2, 3, …, which a kernel writes after some milliseconds.
class NumberSource final : public cuda::Codelet {
 public:
  NumberSource() = default;
  explicit NumberSource(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.output(out_, "out", "Numbers");
    interface.parameter(pool_, "pool", "Gives memory");
    interface.parameter(milliseconds_, "milliseconds", "How long the kernel takes")
        .default_value(3);
    interface.parameter(kernels_, "kernels", "How often there is a kernel: 2 in every second message; 0 never")
        .default_value(1);
  }
  void enqueue(Streams& streams) override {
    if (*kernels_ == 0 || number_ % *kernels_ != 0) {
      return publish_without_work();
    }
    seen_->add(entity_name(), streams.stream());
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>("number");
    tensor.allocate(*pool_.get().get(), Shape{1}, ElementType::Int64, MemoryStorageType::Host);
    fake::launch(streams.stream(), [to = tensor.data<std::int64_t>(), number = ++number_,
                                    pause = std::chrono::milliseconds(*milliseconds_)] {
      std::this_thread::sleep_for(pause);
      *to = number;
    });
    out_.publish(message);
  }

 private:
  void publish_without_work() {
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>("number");
    tensor.allocate<std::int64_t>(*pool_.get().get(), Shape{1});
    *tensor.data<std::int64_t>() = ++number_;
    out_.publish(message);
  }

  std::shared_ptr<Seen> seen_;
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int64_t> milliseconds_;
  Parameter<std::int64_t> kernels_;
  std::int64_t number_ = 0;
};

/// Adds the numbers up in kernels.
class NumberStage final : public cuda::Codelet {
 public:
  NumberStage() = default;
  explicit NumberStage(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.input(in_, "in", "Numbers");
    interface.parameter(policy_, "policy", "0 TakeOver, 1 Own, 2 Input").default_value(0);
    interface.parameter(syncs_, "syncs", "Go by the default stream").default_value(false);
  }
  void initialize() override {
    Codelet::initialize();
    streams().set_policy(static_cast<Streams::Policy>(*policy_));
  }
  void enqueue(Streams& streams) override {
    const Message message = in_.receive();
    seen_->add(entity_name(), streams.stream());
    fake::launch(streams.stream(), [from = message.get<Tensor>().data<const std::int64_t>(),
                                    seen = seen_] { seen->sum += *from; });
    if (*syncs_) {
      go_by_default_stream(streams);
    }
  }

 private:
  /// From a slow kernel on another stream to one on the tick's.
  void go_by_default_stream(Streams& streams) {
    const auto is_done = std::make_shared<std::atomic<bool>>(false);
    const cuda::Stream slow = streams.named("slow");
    fake::launch(slow, [is_done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      *is_done = true;
    });
    streams.sync_to_default(slow);
    streams.sync_from_default(streams.stream());
    fake::launch(streams.stream(), [is_done, seen = seen_] { seen->in_order += *is_done ? 1 : 0; });
    CUstream_st foreign;
    try {
      streams.sync_to_default(&foreign);
    } catch (const Error& error) {
      seen_->refused += error.code() == ErrorCode::NotFound ? 1 : 0;
    }
  }

  std::shared_ptr<Seen> seen_;
  Input<> in_;
  Parameter<std::int64_t> policy_;
  Parameter<bool> syncs_;
};

/// On the CPU: takes all messages of two ports and adds their numbers up.
class NumberSink final : public gxr::Codelet {
 public:
  NumberSink() = default;
  explicit NumberSink(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
  void declare(Interface& interface) override {
    interface.input(a_, "a", "Numbers");
    interface.input(b_, "b", "Numbers");
  }
  void tick() override {
    take(a_);
    take(b_);
  }

 private:
  void take(Receiver& port) {
    int count = 0;
    for (; const Message* message = port.peek(static_cast<std::size_t>(count)); ++count) {
      const DeviceWork work = message->device_work();
      seen_->unfinished += work && !work.stream->is_done(work.number) ? 1 : 0;
    }
    seen_->most = std::max(seen_->most.load(), count);
    for (; count > 0; --count) {
      seen_->sum += *port.receive().get<Tensor>().data<const std::int64_t>();
    }
  }

  std::shared_ptr<Seen> seen_;
  Input<> a_;
  Input<> b_;
};

namespace {

using Catch::Matchers::ContainsSubstring;

TypeProvider stream_types(const std::shared_ptr<Seen>& seen) {
  TypeProvider provider = provide_types("codelets with streams", [](Extension& extension) {
    extension.add<NumberSource>("Sends numbers");
    extension.add<NumberStage>("Adds numbers up");
    extension.add<NumberSink>("Adds numbers up on the CPU");
  });
  for (ProvidedType& type : provider.types) {
    if (type.info.name == "gxr::test::NumberSource") {
      type.create = [seen] { return std::make_unique<NumberSource>(seen); };
    } else if (type.info.name == "gxr::test::NumberStage") {
      type.create = [seen] { return std::make_unique<NumberStage>(seen); };
    } else if (type.info.name == "gxr::test::NumberSink") {
      type.create = [seen] { return std::make_unique<NumberSink>(seen); };
    }
  }
  return provider;
}

Report run_text(const std::shared_ptr<Seen>& seen, const std::string& text,
                const std::string& trace = {}) {
  fake::replace_device();
  Application app;
  app.load_text(text).types(stream_types(seen)).measure(true);
  if (!trace.empty()) {
    app.trace(trace);
  }
  Report report = app.run();
  fake::settle();
  return report;
}

/// A source of `count` numbers, and a stage for each of `stages`: its parameters. `pool`: those of
/// a pool streams/pool; `more`: further documents.
Report run(const std::shared_ptr<Seen>& seen, int count, const std::vector<std::string>& stages,
           const std::string& pool = {}, const std::string& trace = {},
           const std::string& more = {}) {
  std::string text = R"(name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::CountSchedulingTerm, parameters: {count: )" +
                     std::to_string(count) + R"(}}
- {name: it, type: gxr::test::NumberSource, parameters: {out: out, pool: memory/pool}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string name = "stage" + std::to_string(i);
    text += "---\nname: " + name + R"(
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: it, type: gxr::test::NumberStage, parameters: {in: in)" +
            (stages[i].empty() ? "" : ", ") + stages[i] + R"(}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: )" +
            name + "/in}}\n";
  }
  if (!pool.empty()) {
    text +=
        "---\nname: streams\ncomponents:\n- {name: pool, type: gxr::cuda::CudaStreamPool, "
        "parameters: {" +
        pool + "}}\n";
  }
  return run_text(seen, text + more, trace);
}

/// Two sources, and a sink with a port for each and a CudaStreamCondition.
struct WaitingSink {
  std::string first;   ///< parameters of the first source
  std::string second;  ///< of the second
  int counts[2] = {5, 5};
  int capacity = 1;
  std::string condition = "receivers: [a, b]";

  [[nodiscard]] std::string text() const {
    std::string text = R"(name: sink
components:
- {name: a, type: gxr::DoubleBufferReceiver, parameters: {capacity: CAPACITY}}
- {name: b, type: gxr::DoubleBufferReceiver, parameters: {capacity: CAPACITY}}
- {type: gxr::cuda::CudaStreamCondition, parameters: {CONDITION}}
- {name: it, type: gxr::test::NumberSink, parameters: {a: a, b: b}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";
    for (std::size_t at = 0; (at = text.find("CAPACITY")) != std::string::npos;) {
      text.replace(at, 8, std::to_string(capacity));
    }
    text.replace(text.find("CONDITION"), 9, condition);
    for (const int i : {0, 1}) {
      const std::string name = i == 0 ? "first" : "second";
      const std::string& parameters = i == 0 ? first : second;
      text += "---\nname: " + name + R"(
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::CountSchedulingTerm, parameters: {count: )" +
              std::to_string(counts[i]) + R"(}}
- {name: it, type: gxr::test::NumberSource, parameters: {out: out, pool: memory/pool)" +
              (parameters.empty() ? "" : ", ") + parameters + R"(}}
---
components:
- {type: gxr::Connection, parameters: {source: )" +
              name + "/out, target: sink/" + (i == 0 ? "a" : "b") + "}}\n";
    }
    return text;
  }
};

const EntityStatistics& entity(const Report& report, const std::string& name) {
  for (const EntityStatistics& each : report.entities) {
    if (each.entity == name) {
      return each;
    }
  }
  throw Error(ErrorCode::NotFound, "the report has no entity " + name);
}

}  // namespace

TEST_CASE("A policy chooses whose stream a tick works on", "[streams]") {
  const auto seen = std::make_shared<Seen>();
  SECTION("the producer's, of a message that nobody else has") {
    REQUIRE(run(seen, 3, {""}).failures.empty());
    CHECK(seen->of("stage0") == seen->of("source"));
  }
  SECTION("its own") {
    REQUIRE(run(seen, 3, {"policy: 1"}).failures.empty());
    REQUIRE(seen->of("stage0").size() == 3);
    CHECK(seen->of("stage0")[0] != seen->of("source")[0]);
    CHECK(seen->of("stage0")[1] == seen->of("stage0")[0]);
  }
  SECTION("its own, of a message that others have") {
    REQUIRE(run(seen, 3, {"", ""}).failures.empty());
    CHECK(seen->of("stage0")[0] != seen->of("source")[0]);
    CHECK(seen->of("stage1")[0] != seen->of("stage0")[0]);
  }
  SECTION("the producer's, whoever else has the message") {
    REQUIRE(run(seen, 3, {"policy: 2", "policy: 2"}).failures.empty());
    CHECK(seen->of("stage0") == seen->of("source"));
    CHECK(seen->of("stage1") == seen->of("source"));
  }
  const std::int64_t stages = seen->of("stage1").empty() ? 1 : 2;
  CHECK(seen->sum == 6 * stages);
}

TEST_CASE("A pool without a stream left fails the tick, or gives it that of its message",
          "[streams]") {
  const auto seen = std::make_shared<Seen>();
  const std::vector<std::string> stages = {"cuda_stream_pool: streams/pool",
                                           "cuda_stream_pool: streams/pool"};
  SECTION("by default") {
    const Report report = run(seen, 3, stages, "max_size: 1");
    REQUIRE_FALSE(report.failures.empty());
    CHECK_THAT(report.failures.front().text,
               ContainsSubstring("'streams/pool': its only stream is in use"));
  }
  SECTION("when_empty: input") {
    REQUIRE(run(seen, 3, stages, "max_size: 1, when_empty: input").failures.empty());
    const bool first_has_it = seen->of("stage0") != seen->of("source");
    CHECK(seen->of(first_has_it ? "stage1" : "stage0") == seen->of("source"));
    CHECK(seen->of(first_has_it ? "stage0" : "stage1") != seen->of("source"));
    CHECK(seen->sum == 12);
  }
}

TEST_CASE("The report has the time of ticks' work on streams", "[streams]") {
  constexpr std::int64_t kKernel = 3'000'000;  // ns
  const auto seen = std::make_shared<Seen>();
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "trace.json").string();
  const Report report = run(seen, 5, {"policy: 1"}, {}, trace);
  REQUIRE(report.failures.empty());
  const EntityStatistics& source = entity(report, "source");
  CHECK(source.device_ticks == 5);
  CHECK(source.device_total_ns >= 5 * kKernel);
  CHECK(source.device_longest_ns >= kKernel);
  CHECK(source.device_longest_ns <= source.device_total_ns - 4 * kKernel);
  const EntityStatistics& stage = entity(report, "stage0");
  CHECK(stage.device_ticks == 5);
  // The wait for the source's kernel is no part of it.
  CHECK(stage.device_total_ns < source.device_total_ns);
  CHECK_THAT(read_bytes(trace),
             ContainsSubstring("GPU 0, source") && ContainsSubstring("GPU 0, stage0"));
}

TEST_CASE("A stream and the default stream wait for each other when a codelet asks for it",
          "[streams]") {
  const auto seen = std::make_shared<Seen>();
  REQUIRE(run(seen, 3, {"syncs: true"}).failures.empty());
  CHECK(seen->in_order == 3);
  CHECK(seen->refused == 3);
}

TEST_CASE("A pool serves codelets that name none", "[streams]") {
  const auto seen = std::make_shared<Seen>();
  const std::string group = "---\nEntityGroups:\n- {name: one, target: [stage0, streams]}\n";
  const std::string all =
      "---\nname: of_all\ncomponents:\n"
      "- {name: pool, type: gxr::cuda::CudaStreamPool, "
      "parameters: {stream_priority: -2, serves: application}}\n";
  SECTION("of the application") {
    REQUIRE(run(seen, 2, {""}, "stream_priority: -1, serves: application").failures.empty());
    CHECK(seen->options_of("source").priority == -1);
    CHECK(seen->options_of("stage0").priority == -1);
    CHECK(seen->of("source")[0] != seen->of("stage0")[0]);
  }
  SECTION("of its group") {
    REQUIRE(
        run(seen, 2, {"", ""}, "stream_priority: -1, serves: group", {}, group).failures.empty());
    CHECK(seen->options_of("stage0").priority == -1);
    CHECK(seen->options_of("source").priority == 0);
    CHECK(seen->options_of("stage1").priority == 0);
  }
  SECTION("of its group before that of the application") {
    REQUIRE(run(seen, 2, {"", ""}, "stream_priority: -1, serves: group", {}, group + all)
                .failures.empty());
    CHECK(seen->options_of("stage0").priority == -1);
    CHECK(seen->options_of("source").priority == -2);
  }
  SECTION("but not those that name one") {
    REQUIRE(run(seen, 2, {"cuda_stream_pool: streams/pool", ""}, "stream_priority: -1", {}, all)
                .failures.empty());
    CHECK(seen->options_of("stage0").priority == -1);
    CHECK(seen->options_of("stage1").priority == -2);
  }
  SECTION("two cannot serve the same") {
    const Report report = run(seen, 2, {""}, "serves: application", {}, all);
    REQUIRE_FALSE(report.failures.empty());
    CHECK_THAT(report.failures.front().text,
               ContainsSubstring("parameter 'serves': 'streams/pool' serves the codelets of the "
                                 "application already"));
  }
}

TEST_CASE("Codelets work on the SMs of a green context without a pool of streams", "[streams]") {
  const auto seen = std::make_shared<Seen>();
  const auto contexts = [](const std::string& parameters) {
    return "---\nname: contexts\ncomponents:\n"
           "- {name: pool, type: gxr::cuda::CudaGreenContextPool, parameters: {sms_per_partition: "
           "[8, 8]" +
           parameters +
           "}}\n"
           "- {name: first, type: gxr::cuda::CudaGreenContext, parameters: "
           "{cuda_green_context_pool: pool, index: 0}}\n";
  };
  SECTION("that they name") {
    REQUIRE(run(seen, 2, {"cuda_green_context: contexts/first", ""}, {}, {}, contexts(""))
                .failures.empty());
    CHECK(seen->options_of("stage0").partition != nullptr);
    CHECK(seen->of("stage0")[0] != seen->of("source")[0]);
    CHECK(seen->options_of("stage1").partition == nullptr);
  }
  SECTION("that serves the application, in its default partition") {
    REQUIRE(run(seen, 2, {"cuda_green_context: contexts/first", ""}, {}, {},
                contexts(", serves: application"))
                .failures.empty());
    CHECK(seen->options_of("stage1").partition != nullptr);
    CHECK(seen->options_of("source").partition == seen->options_of("stage1").partition);
    CHECK(seen->options_of("stage0").partition != seen->options_of("stage1").partition);
  }
  SECTION("that serves the application, unless a pool of streams does") {
    REQUIRE(run(seen, 2, {""}, "stream_priority: -1, serves: application", {},
                contexts(", serves: application"))
                .failures.empty());
    CHECK(seen->options_of("stage0").partition == nullptr);
    CHECK(seen->options_of("stage0").priority == -1);
  }
  const auto failure_of = [&](const std::string& stage, const std::string& parameters) {
    const Report report = run(seen, 2, {stage}, "max_size: 2", {}, contexts(parameters));
    REQUIRE_FALSE(report.failures.empty());
    return report.failures.front().text;
  };
  SECTION("not beside a pool of streams") {
    CHECK_THAT(failure_of("cuda_green_context: contexts/first, cuda_stream_pool: streams/pool", ""),
               ContainsSubstring("'cuda_green_context' is set beside 'cuda_stream_pool'"));
  }
  SECTION("not with work queues that the device does not have") {
    CHECK_THAT(failure_of("", ", work_queues: 4"), ContainsSubstring("has no work queues"));
  }
}

TEST_CASE("A CudaStreamCondition waits for the work of all messages of all ports", "[streams]") {
  const auto seen = std::make_shared<Seen>();
  WaitingSink app;
  std::int64_t sum = 30;
  SECTION("of two streams, of which one is slower") { app.first = "milliseconds: 15"; }
  SECTION("of several messages in each port") {
    app.capacity = 3;
    app.second = "milliseconds: 1";
  }
  SECTION("without a stream on one port") { app.second = "kernels: 0"; }
  SECTION("without a stream on any port") {
    app.first = "kernels: 0";
    app.second = "kernels: 0";
  }
  SECTION("where every second message has no stream") {
    app.capacity = 4;
    app.first = "kernels: 2";
  }
  SECTION("only where there is a message in every port") {
    app.counts[1] = 2;  // the others stay in their queue
    sum = 6;
  }
  const Report report = run_text(seen, app.text());
  REQUIRE(report.failures.empty());
  CHECK(seen->unfinished == 0);
  CHECK(seen->sum == sum);
  CHECK(seen->most <= app.capacity);
}

TEST_CASE("A CudaStreamCondition says which work took too long, and what it cannot look at",
          "[streams]") {
  const auto seen = std::make_shared<Seen>();
  WaitingSink app;
  const auto failure = [&] {
    const Report report = run_text(seen, app.text());
    REQUIRE_FALSE(report.failures.empty());
    return report.failures.front().text;
  };
  SECTION("the second port's") {
    app.second = "milliseconds: 300";
    app.condition += ", timeout_ms: 20";
    CHECK_THAT(failure(),
               ContainsSubstring("did not finish the work behind a message within 20 ms; raise "
                                 "timeout_ms if it needs longer"));
  }
  SECTION("no receiver") {
    app.condition = "receivers: []";
    CHECK_THAT(failure(), ContainsSubstring("neither 'receiver' nor 'receivers' names a receiver"));
  }
  SECTION("a receiver that is left open") {
    app.condition = "receivers: [a, <Unspecified>]";
    CHECK_THAT(failure(), ContainsSubstring("one of 'receivers' is <Unspecified>"));
  }
}

}  // namespace gxr::test
