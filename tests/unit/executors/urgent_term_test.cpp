// Ticks that a term urges while other terms of its entity wait, with each executor.

#include "executors/urgent_term.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

namespace urgent_term_test {

struct Seen {
  std::atomic<bool> urgent{false};
  std::atomic<bool> fails{false};
  std::atomic<int> urgent_ticks{0};
  std::atomic<int> other_ticks{0};
  std::atomic<int> executions{0};
  std::atomic<std::size_t> taken_in{0};  // by an urgent tick
  const Component* term = nullptr;
};

class Asking final : public UrgentTerm {
 public:
  Asking() = default;
  explicit Asking(Seen& seen) : seen_(&seen) {}
  void initialize() override { seen_->term = this; }
  [[nodiscard]] bool is_urgent() override { return seen_->urgent; }
  Condition check(std::int64_t /*now*/) override { return {ConditionType::Ready, 0}; }
  void on_execute(std::int64_t /*now*/) override { ++seen_->executions; }
  void events(TermEvents& events) override { events.notification(); }

 private:
  Seen* seen_ = nullptr;
};

class Acting final : public Codelet {
 public:
  Acting() = default;
  explicit Acting(Seen& seen) : seen_(&seen) {}
  void declare(Interface& interface) override { interface.parameter(in_, "in", "Messages"); }
  void tick() override {
    if (!seen_->urgent.exchange(false)) {
      ++seen_->other_ticks;
      return;
    }
    ++seen_->urgent_ticks;
    seen_->taken_in += in_->size();
    if (seen_->fails) {
      throw Error(ErrorCode::Device, "it hangs");
    }
  }

 private:
  Seen* seen_ = nullptr;
  Parameter<Handle<Receiver>> in_;
};

class Urging final : public Codelet {
 public:
  Urging() = default;
  explicit Urging(Seen& seen) : seen_(&seen) {}
  void declare(Interface& interface) override { interface.parameter(out_, "out", "Messages"); }
  void tick() override {
    out_->publish(context().new_message());
    seen_->urgent = true;
    context().notify(*seen_->term);
  }

 private:
  Seen* seen_ = nullptr;
  Parameter<Handle<Transmitter>> out_;
};

}  // namespace urgent_term_test

namespace {

using namespace urgent_term_test;

/// Two messages are needed for a tick, and one comes.
const std::string kApplication = R"(
name: urge
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::urgent_term_test::Urging, parameters: {out: out}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}
---
name: act
components:
- {name: in, type: gxr::DoubleBufferReceiver, parameters: {capacity: 2}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 2}}
- {type: gxr::urgent_term_test::Asking}
- {name: acting, type: gxr::urgent_term_test::Acting, parameters: {in: in}}
---
components:
- {type: gxr::Connection, parameters: {source: urge/out, target: act/in}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

TypeProvider types_with(Seen& seen) {
  TypeProvider provider = provide_types("urgent types", [](Extension& extension) {
    extension.add<Asking>("Asks for ticks");
    extension.add<Acting>("Ticks");
    extension.add<Urging>("Makes the term urgent");
  });
  provider.types[0].create = [&seen] { return std::make_unique<Asking>(seen); };
  provider.types[1].create = [&seen] { return std::make_unique<Acting>(seen); };
  provider.types[2].create = [&seen] { return std::make_unique<Urging>(seen); };
  return provider;
}

Report run_with(Seen& seen, const std::string& executor) {
  Application app;
  app.load_text(kApplication).types(types_with(seen)).executor(executor);
  return app.run();
}

}  // namespace

TEST_CASE("An urgent term has its codelet tick while another term waits", "[urgent_term]") {
  for (const std::string executor : {"greedy", "threads", "events"}) {
    INFO(executor);
    Seen seen;
    const Report report = run_with(seen, executor);
    CHECK(report.failures.empty());
    CHECK(report.reason == EndReason::Deadlock);  // the message is left
    CHECK(seen.urgent_ticks == 1);
    CHECK(seen.other_ticks == 0);
    CHECK(seen.taken_in == 0);
    CHECK(seen.executions == 0);
    const auto found = std::ranges::find(report.entities, "act", &EntityStatistics::entity);
    REQUIRE(found != report.entities.end());
    CHECK(found->ticks == 0);
  }
}

TEST_CASE("What an urgent tick throws fails the run", "[urgent_term]") {
  for (const std::string executor : {"greedy", "threads", "events"}) {
    INFO(executor);
    Seen seen;
    seen.fails = true;
    const Report report = run_with(seen, executor);
    CHECK(report.reason == EndReason::Failed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures.front().entity == "act");
    CHECK(report.failures.front().component == "acting");
    CHECK(report.failures.front().method == "tick");
    CHECK(report.failures.front().text == "it hangs");
  }
}

}  // namespace gxr
