// Types that a program brings itself.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/message_data.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

namespace types_test {

class Counting final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Numbers");
    interface.parameter(step_, "step", "From one to the next").default_value(1).range(1, 10);
  }
  void tick() override {
    Message message = context().new_message();
    message.add<std::int64_t>({}, execution_count() * *step_);
    out_.publish(std::move(message));
  }

 private:
  Output<std::int64_t> out_;
  Parameter<std::int64_t> step_;
};

/// Adds numbers up in a variable of the program.
class Adding final : public Codelet {
 public:
  Adding() = default;
  explicit Adding(std::atomic<std::int64_t>& sum) : sum_(&sum) {}
  void declare(Interface& interface) override { interface.input(in_, "in", "Numbers"); }
  void tick() override { sum_->fetch_add(in_.receive().get<std::int64_t>()); }

 private:
  Input<std::int64_t> in_;
  std::atomic<std::int64_t>* sum_ = nullptr;
};

/// Takes what nobody here sends.
class Drawing final : public Codelet {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Texts"); }
  void tick() override { in_.receive(); }

 private:
  Input<double> in_;
};

}  // namespace types_test

namespace {

using Catch::Matchers::ContainsSubstring;
using types_test::Adding;
using types_test::Counting;

/// Adding has what it needs from the program, so no extension could make it.
TypeProvider arithmetic(std::atomic<std::int64_t>& sum) {
  TypeProvider provider = provide_types("arithmetic of the program", [](Extension& extension) {
    extension.add<Counting>("Counts");
    extension.add<Adding>("Adds up");
    extension.add<types_test::Drawing>("Draws");
  });
  provider.types[1].create = [&sum] { return std::make_unique<Adding>(sum); };
  return provider;
}

std::string counting(const std::string& step, const std::string& sink = "gxr::types_test::Adding",
                     const std::string& source = "gxr::types_test::Counting") {
  return R"(
name: count
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: count, type: )" +
         source + ", parameters: {out: out, step: " + step + R"(}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 4}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: )" +
         sink + R"(, parameters: {in: in}}
---
components:
- {type: gxr::Connection, parameters: {source: count/out, target: add/in}}
---
name: sched
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";
}

/// What is wrong with an application that may use the program's types.
std::string problems_of(const std::string& text) {
  std::atomic<std::int64_t> sum{0};
  Application app;
  app.load_text(text).types(arithmetic(sum));
  static_cast<void>(app.validate());
  return app.problems_text();
}

TEST_CASE("an application has components of the program's own types") {
  for (const std::string executor : {"greedy", "threads", "events"}) {
    std::atomic<std::int64_t> sum{0};
    Application app;
    app.load_text(counting("2")).types(arithmetic(sum)).executor(executor).set("count/step=3");
    REQUIRE(app.validate());
    CHECK(app.problems().empty());
    CHECK_THAT(app.plan(), ContainsSubstring("add: gxr::types_test::Adding"));
    CHECK(app.run().reason == EndReason::Completed);
    CHECK(sum.load() == 30);
  }
}

TEST_CASE("components of the program's own types are checked like others") {
  CHECK(problems_of(counting("2")).empty());
  CHECK_THAT(problems_of(counting("11")), ContainsSubstring("parameter-range"));
  CHECK_THAT(problems_of(counting("many")), ContainsSubstring("error"));
  CHECK_THAT(problems_of(counting("1, stepp: 2")), ContainsSubstring("did you mean 'step'?"));
  CHECK_THAT(problems_of(counting("1", "gxr::types_test::Ading")),
             ContainsSubstring("did you mean 'gxr::types_test::Adding'?"));
  const std::string ports = problems_of(counting("1", "gxr::types_test::Drawing"));
  CHECK_THAT(ports, ContainsSubstring("'add/gxr::types_test::Drawing' needs double on 'in', and "
                                      "'count/count' sends int64_t on 'out'"));
}

TEST_CASE("a type that the program and an extension bring is an error that names both") {
  std::atomic<std::int64_t> sum{0};
  Application app;
  app.load_text(counting("1"))
      .types(arithmetic(sum))
      .types(provide_types("more arithmetic",
                           [](Extension& extension) { extension.add<Counting>("Counts"); }));
  CHECK_FALSE(app.validate());
  const auto& problems = app.problems();
  const auto conflict = std::ranges::find(problems, "type-in-two-extensions", &Problem::code);
  REQUIRE(conflict != problems.end());
  CHECK(conflict->text ==
        "type 'gxr::types_test::Counting' is in two extensions: arithmetic of the program and more "
        "arithmetic");
  CHECK(conflict->hint == "the program gives one of them itself; give the type only once");
}

TEST_CASE("types of a program that cannot be used are refused at once") {
  Application app;
  TypeProvider nameless;
  CHECK_THROWS_WITH(app.types(nameless), ContainsSubstring("has no name"));
  app.load_text(counting("1"));
  TypeProvider idle =
      provide_types("idle", [](Extension& extension) { extension.add<Counting>("Counts"); });
  idle.types.front().create = [] { return std::unique_ptr<Component>(); };
  app.types(idle);
  std::atomic<std::int64_t> sum{0};
  TypeProvider rest = arithmetic(sum);
  rest.types.erase(rest.types.begin());
  app.types(rest);
  REQUIRE(app.validate());
  const Report report = app.run();
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures.front().entity == "count");
  CHECK(report.failures.front().method == "constructor");
  CHECK(report.failures.front().text == "the type's provider made no component");
}

TEST_CASE("each component is made once, also when a plan needs it before the run") {
  const std::string graph = R"(---
name: make
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: operator, type: live::Operator, parameters: {out: out}}
---
components:
- {name: graph, type: gxr::cuda::GraphExecutor, parameters: {entities: [make]}}
)";
  for (const bool with_graph : {false, true}) {
    for (const bool plan_first : {false, true}) {
      std::atomic<std::int64_t> sum{0};
      int made = 0;
      TypeProvider provider = arithmetic(sum);
      provider.types[1].create = [&] {
        ++made;
        return std::make_unique<Adding>(sum);
      };
      Application app;
      app.load_text(counting("1") + (with_graph ? graph : ""))
          .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/live.so")
          .types(provider);
      if (plan_first) {
        static_cast<void>(app.plan());
        CHECK(made == (with_graph ? 1 : 0));
      }
      const Report report = app.run();
      CHECK(made == 1);
      // There is no GPU here.
      CHECK(report.reason == (with_graph ? EndReason::Failed : EndReason::Completed));
    }
  }
}

}  // namespace
}  // namespace gxr
