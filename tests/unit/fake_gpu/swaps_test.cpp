// Operators of graphs and loops of the fake device are exchanged while they run.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "fake_gpu.hpp"
#include "gxr/gxr.hpp"
#include "pushed.hpp"

namespace gxr::test {

namespace swapped {

/// Counts of the operators below, and switches that make them fail.
struct Calls {
  std::atomic<int> starts{0};
  std::atomic<int> stops{0};
  std::atomic<int> alive{0};
  std::atomic<bool> refuses{false};
  std::atomic<bool> fails{false};
  std::function<void()> at_start;  ///< of a Fragile
};

/// Adds a value, and what it has taken over.
class Shift : public Codelet, public GraphOperator {
 public:
  explicit Shift(Calls* calls = nullptr) : calls_(calls) {
    if (calls_ != nullptr) {
      ++calls_->alive;
    }
  }
  ~Shift() override {
    if (calls_ != nullptr) {
      --calls_->alive;
    }
  }
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "Numbers");
    interface.parameter(value_, "value", "What is added").default_value(1).dynamic();
  }
  void start() override { ++calls_->starts; }
  void stop() override { ++calls_->stops; }
  void tick() override { throw Error(ErrorCode::NotSupported, "runs in a graph only"); }
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }
  void infer(ShapeContext& context) override {
    context.set_output(out_, {Shape{1}, ElementType::Int64, sizeof(std::int64_t), {}});
  }
  void capture(CaptureContext& context) override {
    const auto* const from = static_cast<const std::int64_t*>(context.input(in_).pointer());
    auto* const to = static_cast<std::int64_t*>(context.output(out_).pointer());
    // Two nodes, where others have one.
    fake::launch(context.stream(), [from, to, value = *value_] { *to = *from + value; });
    fake::launch(context.stream(), [to, taken = taken_over_] { *to += taken; });
  }
  [[nodiscard]] StateType state_type() const override { return {"swapped", 1}; }
  [[nodiscard]] std::vector<std::byte> save_state() const override {
    return {static_cast<std::byte>(taken_over_ + 100)};
  }
  void load_state(std::span<const std::byte> bytes, std::uint32_t /*version*/) override {
    taken_over_ = std::to_integer<std::int64_t>(bytes.front());
  }

 protected:
  Calls* calls_;
  Input<> in_;
  Output<> out_;
  Parameter<std::int64_t> value_;
  std::int64_t taken_over_ = 0;
};

/// Its output is larger than that of others.
class Wide final : public Shift {
 public:
  using Shift::Shift;
  void infer(ShapeContext& context) override {
    context.set_output(out_, {Shape{300}, ElementType::Int64, sizeof(std::int64_t), {}});
  }
};

/// It refuses its inputs, or fails when it is captured.
class Fragile final : public Shift {
 public:
  using Shift::Shift;
  void start() override {
    Shift::start();
    if (calls_->at_start) {
      calls_->at_start();
    }
  }
  void infer(ShapeContext& context) override {
    if (calls_ != nullptr && calls_->refuses) {
      throw Error(ErrorCode::InvalidArgument, "it does not like them");
    }
    Shift::infer(context);
  }
  void capture(CaptureContext& context) override {
    if (calls_->fails) {
      throw Error(ErrorCode::Device, "no kernel for this GPU");
    }
    Shift::capture(context);
  }
};

/// The same where all is made anew.
class FragileAndWide final : public Shift {
 public:
  using Shift::Shift;
  void infer(ShapeContext& context) override {
    context.set_output(out_, {Shape{20}, ElementType::Int64, sizeof(std::int64_t), {}});
  }
  void capture(CaptureContext& /*context*/) override {
    throw Error(ErrorCode::Device, "no kernel for this GPU");
  }
};

/// It fails before it is captured.
class Unready final : public Shift, public CapturePreparation {
 public:
  using Shift::Shift;
  void prepare_capture(CaptureContext& /*context*/) override {
    throw Error(ErrorCode::Device, "no algorithm for this GPU");
  }
};

/// It needs more than there is, or fails with what it has got.
class Hungry final : public Shift {
 public:
  using Shift::Shift;
  void infer(ShapeContext& context) override {
    Shift::infer(context);
    context.set_scratch(*value_ == 1000 ? std::size_t{1} << 20U : 4096);
  }
  void capture(CaptureContext& /*context*/) override {
    throw Error(ErrorCode::Device, "no kernel for this GPU");
  }
};

class Sole final : public Shift {
 public:
  using Shift::Shift;
  [[nodiscard]] bool is_exclusive() const noexcept override { return true; }
};

/// Works on the CPU only.
class OnHost final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "Numbers");
  }
  void tick() override { out_.publish(in_.receive()); }

 private:
  Input<> in_;
  Output<> out_;
};

TypeProvider types(Calls& calls) {
  TypeProvider provider = provide_types("exchanged operators", [](Extension& extension) {
    extension.add<Shift>("Adds a value");
    extension.add<Wide>("Adds a value, and needs more memory");
    extension.add<Fragile>("Adds a value, or fails");
    extension.add<FragileAndWide>("Fails, and needs more memory");
    extension.add<Sole>("Is there once");
    extension.add<OnHost>("Passes messages on");
    extension.add<Unready>("Fails before its capture");
    extension.add<Hungry>("Needs more memory, and fails");
  });
  provider.types[0].create = [&calls] { return std::make_unique<Shift>(&calls); };
  provider.types[1].create = [&calls] { return std::make_unique<Wide>(&calls); };
  provider.types[2].create = [&calls] { return std::make_unique<Fragile>(&calls); };
  provider.types[3].create = [&calls] { return std::make_unique<FragileAndWide>(&calls); };
  provider.types[4].create = [&calls] { return std::make_unique<Sole>(&calls); };
  provider.types[6].create = [&calls] { return std::make_unique<Unready>(&calls); };
  provider.types[7].create = [&calls] { return std::make_unique<Hungry>(&calls); };
  return provider;
}

}  // namespace swapped

namespace {

using Catch::Matchers::ContainsSubstring;
using swapped::Calls;

constexpr const char* kBothModes[] = {"mode: graph", "mode: resident"};

std::string refused_swap(Application& app, const std::string& type,
                         const SwapOptions& options = {}) {
  try {
    static_cast<void>(app.swap("add", type, options));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("Operators of a graph and of a loop are exchanged, and no message is lost") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Calls calls;
    Pushed pushed(mode, "Scale", "factor: 2", swapped::types(calls), "");
    CHECK(pushed.pass(1) == 4);
    const SwapResult result = pushed.app.swap("add", "gxr::test::swapped::Shift");
    CHECK(result.component == "add/it");
    CHECK(result.old_type == "gxr::test::Add");
    CHECK_FALSE(result.took_over_state);
    CHECK(pushed.pass(1) == 4);
    // State goes over, too.
    CHECK(pushed.app.swap("add", "gxr::test::swapped::Shift").took_over_state);
    CHECK(calls.starts == 2);
    CHECK(calls.stops == 1);
    CHECK(calls.alive == 1);
    CHECK(pushed.pass(1) == 204);
    // From one that has its parameters in its kernels to one that reads them from memory, and back.
    static_cast<void>(pushed.app.swap("add", "gxr::test::Scale"));
    CHECK(calls.alive == 0);
    CHECK(pushed.pass(3) == 6);
    static_cast<void>(pushed.app.swap("add", "gxr::test::Add"));
    CHECK(pushed.pass(3) == 8);
    // Other traits.
    static_cast<void>(pushed.app.swap("add", "gxr::test::Urgent"));
    CHECK(pushed.pass(3) == 6);
    // More memory, and less.
    static_cast<void>(pushed.app.swap("add", "gxr::test::swapped::Wide"));
    CHECK(pushed.pass(3) == 8);
    static_cast<void>(pushed.app.swap("add", "gxr::test::swapped::Shift"));
    CHECK(pushed.pass(3) == 208);
    // A value that is set then is carried over.
    pushed.app.set("add/it/value=4");
    CHECK(pushed.pass(1) == 210);
    static_cast<void>(pushed.app.swap("add", "gxr::test::Urgent"));
    CHECK(pushed.pass(1) == 10);
    const GraphStatistics did = pushed.end();
    CHECK(did.iterations == 10);
    CHECK(calls.alive == 0);
    CHECK(calls.starts == calls.stops);
  }
}

TEST_CASE("An operator that prepares its capture comes into a graph that runs") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Pushed pushed(mode, "Scale", "factor: 2", {}, "");
    CHECK(pushed.pass(1) == 4);
    static_cast<void>(pushed.app.swap("add", "gxr::test::Ready"));
    CHECK(pushed.switches->kept().back() == -1000);  // its input was zero then
    CHECK(pushed.pass(4) == 8);
    static_cast<void>(pushed.end());
  }
}

TEST_CASE("An exchange that fails leaves the graph as it was") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Calls calls;
    Pushed pushed(mode, "Scale", "factor: 2", swapped::types(calls));
    CHECK(pushed.pass(1) == 22);
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::OnHost"),
               ContainsSubstring("not capturable"));
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::Join"), ContainsSubstring("'a'"));
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Sole"),
               ContainsSubstring("exclusive"));
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Shift",
                            {.keep_for = std::chrono::seconds(1)}),
               ContainsSubstring("probation"));
    calls.refuses = true;
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Fragile"),
               ContainsSubstring("it does not like them"));
    CHECK(pushed.pass(1) == 22);
    calls.refuses = false;
    calls.fails = true;
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Fragile"),
               ContainsSubstring("no kernel for this GPU"));
    CHECK(pushed.pass(2) == 24);
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::FragileAndWide"),
               ContainsSubstring("no kernel for this GPU"));
    CHECK(pushed.pass(3) == 26);
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Unready"),
               ContainsSubstring("no algorithm for this GPU"));
    CHECK(pushed.pass(4) == 28);
    CHECK_THAT(refused_swap(pushed.app, "gxr::test::swapped::Hungry"),
               ContainsSubstring("no kernel for this GPU"));
    CHECK(pushed.pass(5) == 30);
    CHECK(calls.alive == 0);
    CHECK(calls.starts == calls.stops);
    // With what was set meanwhile.
    pushed.app.set("add/it/value=0");
    CHECK(pushed.pass(3) == 6);
    calls.fails = false;
    static_cast<void>(pushed.app.swap("add", "gxr::test::swapped::Fragile"));
    CHECK(pushed.pass(3) == 6);
    static_cast<void>(pushed.end());
  }
}

TEST_CASE("Operators are exchanged while messages pass through a graph") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Calls calls;
    Pushed pushed(mode, "Scale", "factor: 2", swapped::types(calls));
    std::atomic<bool> ends{false};
    std::thread swaps([&] {
      for (int i = 0; i < 40; ++i) {
        static_cast<void>(pushed.app.swap("add", i % 3 == 2   ? "gxr::test::swapped::Wide"
                                                 : i % 2 == 0 ? "gxr::test::Urgent"
                                                              : "gxr::test::Add"));
      }
      ends = true;
    });
    std::int64_t number = 0;
    bool right = true;
    while (!ends) {
      ++number;
      right = right && pushed.pass(number) == 2 * (number + 10);
    }
    swaps.join();
    CHECK(right);
    CHECK(pushed.end().iterations == static_cast<std::uint64_t>(number));
  }
}

TEST_CASE("Memory that a new operator needs and does not get leaves the graph as it was") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Calls calls;
    Pushed pushed(mode, "Scale", "factor: 2", swapped::types(calls), "value: 1000");
    CHECK(pushed.pass(1) == 2002);
    fake::set_largest_block(100'000);
    const std::string why = refused_swap(pushed.app, "gxr::test::swapped::Hungry");
    fake::set_largest_block(0);
    CHECK_THAT(why, ContainsSubstring("bytes"));
    CHECK(calls.alive == 0);
    CHECK(pushed.pass(2) == 2004);
    static_cast<void>(pushed.app.swap("add", "gxr::test::swapped::Wide"));
    CHECK(pushed.pass(3) == 2006);
    static_cast<void>(pushed.end());
  }
}

TEST_CASE("Each operator of a graph that has nothing to do is exchanged, with every scheduler") {
  for (const std::string mode : kBothModes) {
    for (const std::string scheduler :
         {"gxr::GreedyScheduler", "gxr::EventBasedScheduler", "gxr::MultiThreadScheduler"}) {
      INFO(mode << ", " << scheduler);
      Calls calls;
      Pushed pushed(mode, "swapped::Shift", "value: 3", swapped::types(calls), "value: 10",
                    scheduler);
      CHECK(pushed.pass(1) == 14);
      CHECK(pushed.app.swap("scale", "gxr::test::swapped::Shift").took_over_state);
      CHECK(pushed.pass(1) == 114);
      static_cast<void>(pushed.app.swap("scale", "gxr::test::swapped::Wide"));
      CHECK(pushed.pass(1) == 214);
      static_cast<void>(pushed.end());
    }
  }
}

TEST_CASE("Values that are set while an operator comes are in that which stays") {
  for (const std::string mode : kBothModes) {
    for (const bool fails : {false, true}) {
      INFO(mode << (fails ? ", refused" : ""));
      Calls calls;
      calls.fails = fails;
      Pushed pushed(mode, "Scale", "factor: 2", swapped::types(calls));
      CHECK(pushed.pass(1) == 22);
      calls.at_start = [&] { std::thread([&] { pushed.app.set("add/it/value=7"); }).join(); };
      CHECK(refused_swap(pushed.app, "gxr::test::swapped::Fragile").empty() != fails);
      CHECK(pushed.pass(1) == 16);
      static_cast<void>(pushed.end());
    }
  }
}

TEST_CASE("An operator of a graph is not exchanged before there is a first message") {
  for (const std::string mode : kBothModes) {
    INFO(mode);
    Pushed pushed(mode);
    CHECK_THAT(
        refused_swap(pushed.app, "gxr::test::Urgent", {.patience = std::chrono::milliseconds(50)}),
        ContainsSubstring("had no turn within 50.00 ms"));
    CHECK(pushed.pass(1) == 22);
    static_cast<void>(pushed.app.swap("add", "gxr::test::Urgent"));
    CHECK(pushed.pass(1) == 22);
    static_cast<void>(pushed.end());
  }
}

TEST_CASE("A loop that takes any input keeps its operators") {
  Pushed pushed("mode: resident, ready: any");
  CHECK(pushed.pass(1) == 22);
  CHECK_THAT(refused_swap(pushed.app, "gxr::test::Urgent"),
             ContainsSubstring("takes changes only when it waits for all its inputs"));
  CHECK(pushed.pass(1) == 22);
  static_cast<void>(pushed.end());
}

}  // namespace gxr::test
