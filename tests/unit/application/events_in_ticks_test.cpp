// Events that come while the entity that waits for them ticks, or just behind its tick.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/codelet.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/interface.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

namespace events_test {

/// Its own tick says that the next one is due.
class Itself final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.parameter(term_, "term", "What lets this tick");
  }
  void tick() override {
    (*term_)->set_event_state(AsynchronousEventState::EventWaiting);
    (*term_)->set_event_state(AsynchronousEventState::EventDone);
  }

 private:
  Parameter<Handle<AsynchronousSchedulingTerm>> term_;
};

/// A thread that each tick wakes says it, before or after the tick has ended.
class FromThread final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.parameter(term_, "term", "What lets this tick");
  }
  void start() override {
    ends_ = false;
    thread_ = std::thread([this] { answer(); });
  }
  void tick() override {
    (*term_)->set_event_state(AsynchronousEventState::EventWaiting);
    const std::lock_guard lock(mutex_);
    asked_ = true;
    changed_.notify_one();
  }
  void stop() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }

 private:
  void answer() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return asked_ || ends_; });
      if (ends_) {
        return;
      }
      asked_ = false;
      lock.unlock();
      (*term_)->set_event_state(AsynchronousEventState::EventDone);
      lock.lock();
    }
  }

  Parameter<Handle<AsynchronousSchedulingTerm>> term_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false;
  bool ends_ = false;
};

}  // namespace events_test

namespace {

std::string entity(const std::string& name, const std::string& type) {
  return "name: " + name + R"(
components:
- {name: event, type: gxr::AsynchronousSchedulingTerm}
- {type: gxr::CountSchedulingTerm, parameters: {count: 3000}}
- {type: "gxr::events_test::)" +
         type + R"(", parameters: {term: event}}
---
)";
}

TEST_CASE("no event is lost that comes in a tick or just behind it") {
  for (const std::string scheduler :
       {"GreedyScheduler, parameters: {clock: clock}}",
        "EventBasedScheduler, parameters: {clock: clock, worker_thread_number: 1}}",
        "EventBasedScheduler, parameters: {clock: clock, worker_thread_number: 3}}",
        "MultiThreadScheduler, parameters: {clock: clock, worker_thread_number: 2}}"}) {
    INFO(scheduler);
    Application app;
    app.load_text(
           entity("itself", "Itself") + entity("one", "FromThread") +
           entity("other", "FromThread") +
           "components:\n- {name: clock, type: gxr::RealtimeClock}\n- {type: gxr::" + scheduler)
        .types(provide_types("events", [](Extension& extension) {
          extension.add<events_test::Itself>("Sets its own event");
          extension.add<events_test::FromThread>("Has a thread set its event");
        }));
    REQUIRE(app.validate());
    const Report report = app.run();
    CHECK(report.reason == EndReason::Completed);
    std::uint64_t ticks = 0;
    for (const EntityStatistics& each : report.entities) {
      ticks += each.ticks;
    }
    CHECK(ticks == 9000);
  }
}

}  // namespace
}  // namespace gxr
