// The streams of codelets on the fake device: whose stream a tick works on, and how its work is
// measured.

#include "gxr/cuda/streams.hpp"

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
    seen_.emplace_back(entity, stream);
  }
  [[nodiscard]] std::vector<cuda::Stream> of(const std::string& entity) const {
    const std::lock_guard lock(mutex_);
    std::vector<cuda::Stream> found;
    for (const auto& [name, stream] : seen_) {
      if (name == entity) {
        found.push_back(stream);
      }
    }
    return found;
  }
  std::atomic<std::int64_t> sum{0};  ///< of the numbers that kernels of stages read
  std::atomic<int> in_order{0};      ///< kernels that ran behind the default stream's work
  std::atomic<int> refused{0};       ///< streams of somebody else

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, cuda::Stream>> seen_;
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
  }
  void enqueue(Streams& streams) override {
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
  std::shared_ptr<Seen> seen_;
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int64_t> milliseconds_;
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

namespace {

using Catch::Matchers::ContainsSubstring;

TypeProvider stream_types(const std::shared_ptr<Seen>& seen) {
  TypeProvider provider = provide_types("codelets with streams", [](Extension& extension) {
    extension.add<NumberSource>("Sends numbers");
    extension.add<NumberStage>("Adds numbers up");
  });
  for (ProvidedType& type : provider.types) {
    if (type.info.name == "gxr::test::NumberSource") {
      type.create = [seen] { return std::make_unique<NumberSource>(seen); };
    } else if (type.info.name == "gxr::test::NumberStage") {
      type.create = [seen] { return std::make_unique<NumberStage>(seen); };
    }
  }
  return provider;
}

/// A source of `count` numbers, and a stage for each of `stages`: its parameters.
Report run(const std::shared_ptr<Seen>& seen, int count, const std::vector<std::string>& stages,
           const std::string& pool = {}, const std::string& trace = {}) {
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

}  // namespace gxr::test
