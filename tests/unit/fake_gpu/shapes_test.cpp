// Messages and parameters bring other shapes while a graph or a loop of the fake device runs: it is
// made for them, and nothing is lost, reordered or forgotten.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "fake_gpu.hpp"
#include "gxr/application.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "gxr/gxr.hpp"
#include "gxr/type_provider.hpp"

namespace gxr::test::shapes_test {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Row = std::vector<std::int64_t>;

/// What the operators share with a test.
struct Desk {
  void keep(Row row) {
    const std::lock_guard lock(mutex);
    rows.push_back(std::move(row));
  }
  [[nodiscard]] std::vector<Row> kept() {
    const std::lock_guard lock(mutex);
    return rows;
  }

  std::chrono::microseconds work{0};  // of each kernel of Plus
  std::mutex mutex;
  std::vector<Row> rows;
};

/// An operator whose ports are rows of numbers.
class Rows : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Rows");
    interface.output(out_, "out", "Rows");
  }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs in a graph only"); }
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }

 protected:
  static TensorSpec row(std::int32_t size) { return {Shape{size}, ElementType::Int64, 8, {}}; }
  static std::int32_t size_of(const TensorSpec& spec) { return spec.shape.dimension(0); }
  static const std::int64_t* from(const CaptureContext& context, const Receiver& port) {
    return static_cast<const std::int64_t*>(context.input(port).pointer());
  }
  static std::int64_t* to(const CaptureContext& context, const Transmitter& port) {
    return static_cast<std::int64_t*>(const_cast<void*>(context.output(port).pointer()));
  }

  Input<> in_;
  Output<> out_;
};

/// in + value; at most `most` numbers. The graph alone keeps what the kernels use, once it has it.
class Plus final : public Rows {
 public:
  Plus() = default;
  explicit Plus(const Desk& desk) : desk_(&desk) {}
  void declare(Interface& interface) override {
    Rows::declare(interface);
    interface.parameter(value_, "value", "What is added").default_value(0).dynamic();
    interface.parameter(most_, "most", "Numbers that it takes").default_value(1000);
  }
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }
  void infer(ShapeContext& context) override {
    const TensorSpec& spec = context.input(in_);
    if (spec.type != ElementType::Int64 || size_of(spec) > *most_) {
      throw Error(ErrorCode::InvalidArgument,
                  "takes int64 alone, at most " + std::to_string(*most_) + " of them");
    }
    context.set_output(out_, spec);
  }
  void start() override { kept_ = table_ = std::make_shared<std::int64_t>(0); }
  void capture(CaptureContext& context) override {
    const std::shared_ptr<std::int64_t> zero = kept_.lock();
    if (zero == nullptr) {
      throw Error(ErrorCode::InvalidState, "the graph has not kept the table");
    }
    context.keep(zero);
    table_.reset();
    fake::launch(context.stream(), [=, in = from(context, in_), out = to(context, out_),
                                    size = size_of(context.input_spec(in_)),
                                    value = *value_ + *zero, work = desk_->work] {
      std::this_thread::sleep_for(work);
      std::transform(in, in + size, out, [value](std::int64_t each) { return each + value; });
    });
  }

 private:
  const Desk* desk_ = nullptr;
  std::shared_ptr<std::int64_t> table_;  // until a graph keeps it
  std::weak_ptr<std::int64_t> kept_;
  Parameter<std::int64_t> value_;
  Parameter<std::int64_t> most_;
};

/// The row, and behind it the number of the iteration.
class Mark final : public Rows {
 public:
  void infer(ShapeContext& context) override {
    context.set_output(out_, row(size_of(context.input(in_)) + 1));
  }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [=, in = from(context, in_), out = to(context, out_),
                  size = size_of(context.input_spec(in_)), iteration = context.iteration()] {
                   std::copy(in, in + size, out);
                   out[size] = static_cast<std::int64_t>(*iteration);
                 });
  }
};

/// The sum of all rows so far, as one number.
class Total final : public Rows {
 public:
  void declare(Interface& interface) override {
    Rows::declare(interface);
    interface.input(before_, "before", "Its own output, delayed");
  }
  void infer(ShapeContext& context) override { context.set_output(out_, row(1)); }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [=, in = from(context, in_), before = from(context, before_),
                  out = to(context, out_), size = size_of(context.input_spec(in_))] {
                   *out = std::accumulate(in, in + size, *before);
                 });
  }

 private:
  Input<> before_;
};

/// in + the output of the time before.
class Trail final : public Rows {
 public:
  void declare(Interface& interface) override {
    Rows::declare(interface);
    interface.input(before_, "before", "Its own output, delayed");
  }
  void infer(ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [=, in = from(context, in_), before = from(context, before_),
                  out = to(context, out_), size = size_of(context.input_spec(in_))] {
                   std::transform(in, in + size, before, out, std::plus<>());
                 });
  }

 private:
  Input<> before_;
};

/// The first number of a row, so often.
class Repeat final : public Rows {
 public:
  void declare(Interface& interface) override {
    Rows::declare(interface);
    interface.parameter(size_, "size", "How often").default_value(1).dynamic();
  }
  void infer(ShapeContext& context) override {
    context.set_output(out_, row(static_cast<std::int32_t>(*size_)));
  }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(), [=, in = from(context, in_), out = to(context, out_),
                                    size = *size_] { std::fill(out, out + size, *in); });
  }

 private:
  Parameter<std::int64_t> size_;
};

/// On the CPU: gives the rows to the test.
class Keep final : public Codelet {
 public:
  Keep() = default;
  explicit Keep(Desk& desk) : desk_(&desk) {}
  void declare(Interface& interface) override { interface.input(in_, "in", "Rows"); }
  void tick() override {
    const Message message = in_.receive();
    const DeviceWork work = cuda::work_behind(message);
    if (work && !finish_on_host(work)) {
      throw Error(ErrorCode::Device, "the device was given up");
    }
    const auto& tensor = *message.find<Tensor>();
    Row row(tensor.element_count());
    std::memcpy(row.data(), tensor.pointer(), tensor.size());
    desk_->keep(std::move(row));
  }

 private:
  Desk* desk_ = nullptr;
  Input<> in_;
};

TypeProvider types_with(Desk& desk) {
  TypeProvider provider = provide_types("operators of rows", [](Extension& extension) {
    extension.add<Plus>("Adds");
    extension.add<Keep>("Keeps");
    extension.add<Mark>("Marks");
    extension.add<Total>("Adds all");
    extension.add<Trail>("Adds each");
    extension.add<Repeat>("Repeats");
  });
  provider.types[0].create = [&desk] { return std::make_unique<Plus>(desk); };
  provider.types[1].create = [&desk] { return std::make_unique<Keep>(desk); };
  return provider;
}

namespace {

std::string receiver(const std::string& name, int capacity) {
  return "- {name: " + name +
         ", type: gxr::DoubleBufferReceiver, parameters: {capacity: " + std::to_string(capacity) +
         "}}\n- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: " + name +
         "}}\n";
}

/// An operator "Plus", with its parameters.
struct Step {
  std::string name;
  std::string type;
  std::string parameters;
};

bool loops_back(const Step& step) { return step.type == "Total" || step.type == "Trail"; }

/// Operators one behind the other, from 'first/in' to 'keep'.
std::string chain(const std::vector<Step>& steps, const std::string& options,
                  const std::string& scheduler) {
  std::string entities;
  std::string members;
  std::string connections;
  std::string before;
  for (const Step& step : steps) {
    entities += "name: " + step.name + "\ncomponents:\n" + receiver("in", before.empty() ? 8 : 1) +
                (loops_back(step) ? receiver("before", 1) : "") +
                "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
                "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n"
                "- {name: it, type: gxr::test::shapes_test::" +
                step.type + ", parameters: {in: in, out: out" +
                (loops_back(step) ? ", before: before" : "") +
                (step.parameters.empty() ? "" : ", " + step.parameters) + "}}\n---\n";
    members += (members.empty() ? "" : ", ") + step.name;
    if (!before.empty()) {
      connections += "- {type: gxr::Connection, parameters: {source: " + before +
                     "/out, target: " + step.name + "/in}}\n";
    }
    if (loops_back(step)) {
      connections += "- {type: gxr::Connection, parameters: {source: " + step.name +
                     "/out, target: " + step.name + "/before, delayed: true}}\n";
    }
    before = step.name;
  }
  return entities + "name: keep\ncomponents:\n" + receiver("in", 1) +
         "- {type: gxr::test::shapes_test::Keep, parameters: {in: in}}\n---\ncomponents:\n" +
         connections + "- {type: gxr::Connection, parameters: {source: " + before +
         "/out, target: keep/in}}\n---\nname: loop\ncomponents:\n"
         "- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {entities: [" +
         members + "], " + options +
         "}}\n---\nname: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n- "
         "{type: " +
         scheduler + ", parameters: {clock: clock}}\n";
}

/// Of rows that the test pushed and that nobody has given back.
std::atomic<int> live_rows{0};

Row row_of(std::size_t size, std::int64_t first = 1) {
  Row row(size);
  std::iota(row.begin(), row.end(), first);
  return row;
}

/// An application that runs, and whose first operator gets rows of the test.
class Running {
 public:
  Running(const std::vector<Step>& steps, const std::string& options,
          const std::string& scheduler = "gxr::GreedyScheduler",
          std::chrono::microseconds work = {})
      : input_(steps.front().name + "/in") {
    desk.work = work;
    fake::replace_device();
    app.load_text(chain(steps, options, scheduler))
        .types(types_with(desk))
        .end_patience(std::chrono::milliseconds(300));
    app.input(input_);
    app.run_async();
  }
  void push(const Row& row) { push(row.data(), row.size(), ElementType::Int64); }
  void push(const void* numbers, std::size_t size, ElementType type) {
    const std::size_t bytes = size * gxr::size_of(type);
    Message message = app.new_message();
    auto* const memory = new std::byte[bytes];
    ++live_rows;
    std::memcpy(memory, numbers, bytes);
    message.add<Tensor>().wrap(memory, Shape{static_cast<std::int32_t>(size)}, type,
                               MemoryStorageType::System, memory,
                               [](void* owner, void* /*pointer*/) noexcept {
                                 delete[] static_cast<std::byte*>(owner);
                                 --live_rows;
                               });
    const PushResult result = app.push(input_, std::move(message), 10s);
    REQUIRE(result == PushResult::Taken);
  }
  /// What comes out for a row.
  Row pass(const Row& row) {
    const std::size_t before = desk.kept().size();
    push(row);
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (desk.kept().size() == before && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(50us);
    }
    if (desk.kept().size() != before + 1) {
      app.interrupt();
      const Report report = app.wait();
      FAIL((report.failures.empty() ? "nothing comes out" : report.failures.front().text));
    }
    return desk.kept().back();
  }
  GraphStatistics end() {
    app.end_input(input_);
    const Report report = app.wait();
    for (const Failure& failure : report.failures) {
      UNSCOPED_INFO(failure.text);
    }
    CHECK(report.reason == EndReason::Completed);
    REQUIRE(report.graphs.size() == 1);
    return report.graphs.front();
  }
  /// The text of the failure with which it ends.
  std::string failure() {
    const Report report = app.wait();
    REQUIRE(report.reason == EndReason::Failed);
    return report.failures.front().text;
  }

  Desk desk;
  Application app;

 private:
  std::string input_;
};

const char* const kModes[] = {"mode: graph", "mode: resident", "mode: resident, slots: 4",
                              "mode: resident, loop: head_tail"};
const char* const kSchedulers[] = {"gxr::GreedyScheduler", "gxr::MultiThreadScheduler",
                                   "gxr::EventBasedScheduler"};
const std::vector<Step> kTwo = {{"plus", "Plus", "value: 10"}, {"again", "Plus", "value: 100"}};

std::string without_head(const char* mode) {
  return std::string(mode).find("head_tail") == std::string::npos ? mode : "mode: resident";
}

}  // namespace

TEST_CASE("Rows that grow, shrink and are as before come through in their shapes", "[shapes]") {
  for (const char* mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running({{"plus", "Plus", "value: 10"}, {"mark", "Mark", ""}}, mode);
    std::int64_t iteration = 0;
    for (const std::size_t size : std::initializer_list<std::size_t>{2, 2, 9, 1, 1, 2, 500, 2}) {
      Row wanted = row_of(size, 11);
      wanted.push_back(iteration++);  // iterations are counted on
      CHECK(running.pass(row_of(size)) == wanted);
    }
    const GraphStatistics did = running.end();
    CHECK(did.iterations == 8);
    CHECK(did.instantiations == 5);
    CHECK(did.node_updates == 0);
  }
}

TEST_CASE("Rows in flight keep their shapes and their order", "[shapes]") {
  for (const char* scheduler : kSchedulers) {
    for (const char* mode : kModes) {
      INFO(scheduler << ", " << mode);
      std::vector<Row> wanted;
      Running running(kTwo, mode, scheduler, 200us);
      for (std::size_t i = 0; i < 60; ++i) {
        const std::size_t size = 1 + i / 7 % 4;
        running.push(row_of(size, static_cast<std::int64_t>(i)));
        wanted.push_back(row_of(size, static_cast<std::int64_t>(i) + 110));
      }
      const GraphStatistics did = running.end();
      CHECK(running.desk.kept() == wanted);
      CHECK(did.iterations == 60);
      CHECK(did.instantiations == 8);
    }
  }
}

TEST_CASE("Operators that are off stay off with other shapes", "[shapes]") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running(kTwo, mode);
    CHECK(running.pass({1}) == Row{111});
    running.app.enable("plus", false);
    CHECK(running.pass({1}) == Row{101});
    CHECK(running.pass({1, 2, 3}) == Row{101, 102, 103});
    running.app.set("plus/it/value=1000");
    CHECK(running.pass({5}) == Row{105});
    running.app.enable("plus");
    CHECK(running.pass({5}) == Row{1105});
    CHECK(running.pass({5, 6}) == Row{1105, 1106});
    running.end();
  }
}

TEST_CASE("What an operator that is off holds stays if its shape does", "[shapes]") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running({{"plus", "Plus", ""}, {"total", "Total", ""}}, mode);
    CHECK(running.pass({1, 2}) == Row{3});
    running.app.enable("total", false);
    CHECK(running.pass({50}) == Row{3});
    CHECK(running.pass({50, 60, 70}) == Row{3});
    running.app.enable("total");
    CHECK(running.pass({4, 4, 4}) == Row{15});
    running.end();
  }
}

TEST_CASE("State of the same shape goes on, other state begins anew", "[shapes]") {
  for (const char* mode : kModes) {
    INFO(mode);
    const std::string options = without_head(mode);
    Running running({{"total", "Total", ""}}, options);
    CHECK(running.pass({1, 2}) == Row{3});
    CHECK(running.pass({10}) == Row{13});
    CHECK(running.pass({1, 1, 1}) == Row{16});
    running.end();

    Running trail({{"trail", "Trail", ""}}, options);
    CHECK(trail.pass({1, 2}) == Row{1, 2});
    CHECK(trail.pass({1, 2}) == Row{2, 4});
    CHECK(trail.pass({5, 5, 5}) == Row{5, 5, 5});
    CHECK(trail.pass({5, 5, 5}) == Row{10, 10, 10});
    CHECK(trail.pass({1, 2}) == Row{1, 2});
    trail.end();
  }
}

TEST_CASE("A new value may change shapes", "[shapes]") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running({{"repeat", "Repeat", "size: 2"}, {"plus", "Plus", "value: 1, most: 6"}}, mode);
    CHECK(running.pass({4}) == Row{5, 5});
    running.app.set("repeat/it/size=5");
    CHECK(running.pass({4}) == Row(5, 5));
    // With other shapes and values at once.
    running.app.set_all({"repeat/it/size=3", "plus/it/value=2"});
    CHECK(running.pass({4, 0}) == Row(3, 6));
    running.app.set("repeat/it/size=7");
    if (mode == "mode: graph") {  // a loop looks at once
      running.push({4, 0});
    }
    CHECK_THAT(running.failure(),
               ContainsSubstring("with its new parameters the operator would write int64 [7] to "
                                 "'repeat/out', but the graph was built for int64 [3]: operator "
                                 "'plus/it': takes int64 alone, at most 6 of them"));
  }
}

TEST_CASE("A shape that an operator refuses ends the run with the names of both", "[shapes]") {
  for (const char* mode : kModes) {
    INFO(mode);
    Running running({{"plus", "Plus", ""}, {"little", "Plus", "most: 4"}}, mode);
    CHECK(running.pass({1, 2}) == Row{1, 2});
    running.push(row_of(5));
    CHECK_THAT(running.failure(),
               ContainsSubstring("region 'loop' is built for int64 [2] at 'plus/in', which "
                                 "received int64 [5]: operator 'little/it': takes int64 alone, "
                                 "at most 4 of them"));

    Running typed({{"plus", "Plus", ""}}, mode);
    CHECK(typed.pass({1, 2}) == Row{1, 2});
    const std::int32_t numbers[] = {1, 2};
    typed.push(numbers, 2, ElementType::Int32);
    CHECK_THAT(typed.failure(), ContainsSubstring("received int32 [2]: operator 'plus/it': takes "
                                                  "int64 alone"));
  }
}

TEST_CASE("Shapes that 'inputs' says do not change, nor do those of a loop that takes any input",
          "[shapes]") {
  for (const char* mode : kModes) {
    INFO(mode);
    Running running({{"plus", "Plus", ""}}, std::string(mode) + ", inputs: {plus/in: 'int64 [2]'}");
    CHECK(running.pass({1, 2}) == Row{1, 2});
    running.push({1});
    CHECK_THAT(running.failure(),
               ContainsSubstring("region 'loop' is built for int64 [2] at 'plus/in', which "
                                 "received int64 [1]; 'inputs' says what it receives"));
  }
  Running any({{"plus", "Plus", ""}}, "mode: resident, ready: any");
  CHECK(any.pass({1, 2}) == Row{1, 2});
  any.push({1});
  CHECK_THAT(any.failure(),
             ContainsSubstring("which received int64 [1]; a loop on the GPU takes changes only "
                               "when it waits for all its inputs"));
}

TEST_CASE("Without memory for a shape the run ends with the reason", "[shapes]") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running({{"plus", "Plus", "most: 100000"}}, mode);
    CHECK(running.pass({1, 2}) == Row{1, 2});
    fake::set_largest_block(100'000);
    running.push(row_of(50'000));
    const std::string why = running.failure();
    fake::set_largest_block(0);
    CHECK_THAT(why, ContainsSubstring("region 'loop' cannot be made for other shapes ('plus/in' is "
                                      "int64 [50000]; it was int64 [2]"));
  }
}

TEST_CASE("A run may end while shapes change", "[shapes]") {
  for (const char* scheduler : kSchedulers) {
    for (const char* mode : kModes) {
      for (int i = 0; i < 15; ++i) {
        INFO(scheduler << ", " << mode << ", " << i);
        Running running(kTwo, mode, scheduler, 100us);
        std::vector<Row> wanted;
        for (std::size_t size = 1; size < 8; ++size) {
          running.push(row_of(size));
          wanted.push_back(row_of(size, 111));
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
        running.app.interrupt();
        const Report report = running.app.wait();
        for (const Failure& failure : report.failures) {
          FAIL_CHECK(failure.text);
        }
        const std::vector<Row> kept = running.desk.kept();
        REQUIRE(kept.size() <= wanted.size());
        CHECK(std::equal(kept.begin(), kept.end(), wanted.begin()));
      }
    }
  }
  CHECK(live_rows == 0);  // no message outlives its run
}

TEST_CASE("Shapes that change often leave no memory behind", "[shapes]") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Running running({{"plus", "Plus", "value: 1"}, {"total", "Total", ""}}, mode);
    std::int64_t total = 0;
    std::size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
      const Row row = row_of(i % 2 == 0 ? 3 : 900);
      total =
          std::accumulate(row.begin(), row.end(), total) + static_cast<std::int64_t>(row.size());
      REQUIRE(running.pass(row) == Row{total});
      if (i < 100) {
        most = std::max(most, fake::blocks_in_use());
      }
    }
    CHECK(fake::blocks_in_use() <= most);
    const GraphStatistics did = running.end();
    CHECK(did.iterations == 1000);
    CHECK(did.instantiations == 999);
  }
}

}  // namespace gxr::test::shapes_test
