// When work of a stream counts as hanging, without a GPU: by a clock of the test's own, and by the
// poller's thread.

#include "executors/cuda_graph/launch_watch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/scheduling_term.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

/// A stream whose work ends when the test says so.
class SlowStream final : public DeviceStream {
 public:
  SlowStream() : DeviceStream(nullptr, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t number) override {
    if (const std::uint64_t ended = ended_; number <= ended) {
      set_done(ended);
    }
    return is_known_done(number);
  }
  void wait_on_host(std::uint64_t) override {}
  void end(std::uint64_t number) { ended_ = number; }

 private:
  std::atomic<std::uint64_t> ended_{0};
};

struct WatchRig {
  SlowStream stream;
  LaunchProgress progress{100ms};
  LaunchProgress::Clock::time_point now{};

  void launch() { progress.launched(stream.mark()); }
  /// The number of what hangs after this time; 0: nothing does.
  std::uint64_t after(std::chrono::milliseconds time) {
    now += time;
    return progress.poll(now).number;
  }
};

TEST_CASE("Nothing hangs while nothing is launched, or all is done", "[launch_watch]") {
  WatchRig rig;
  CHECK(rig.after(1s) == 0);
  rig.launch();
  CHECK(rig.after(1ms) == 0);
  rig.stream.end(1);
  CHECK(rig.after(1s) == 0);
  CHECK(rig.after(1s) == 0);
  rig.launch();  // long after the last: its time begins when it is seen first
  CHECK(rig.after(1s) == 0);
  CHECK(rig.after(99ms) == 0);
  CHECK(rig.after(1ms) == 2);
}

TEST_CASE("Work that ends one after the other does not hang, however much there is",
          "[launch_watch]") {
  WatchRig rig;
  for (int i = 0; i < 50; ++i) {
    rig.launch();
  }
  for (std::uint64_t ended = 0; ended < 49; ++ended) {
    CHECK(rig.after(90ms) == 0);
    rig.stream.end(ended + 1);
  }
  CHECK(rig.after(90ms) == 0);  // the 49th
  CHECK(rig.after(90ms) == 0);
  CHECK(rig.after(100ms) == 50);
}

TEST_CASE("What others found out to be done is progress, too", "[launch_watch]") {
  WatchRig rig;
  rig.launch();
  rig.launch();
  CHECK(rig.after(10ms) == 0);
  rig.stream.end(1);
  CHECK(rig.stream.is_done(1));
  CHECK(rig.after(95ms) == 0);
  CHECK(rig.after(99ms) == 0);
  CHECK(rig.after(1ms) == 2);
}

TEST_CASE("The oldest work that does not end is told, and its end is the end of it",
          "[launch_watch]") {
  WatchRig rig;
  rig.launch();
  rig.launch();
  rig.launch();
  CHECK(rig.after(1ms) == 0);
  CHECK(rig.after(100ms) == 1);
  rig.stream.end(3);
  CHECK(rig.after(1ms) == 0);
}

TEST_CASE("The poller's thread tells of a hang once, and notifies", "[launch_watch]") {
  harness::Harness harness;
  auto& component = harness.add<BooleanSchedulingTerm>("e/term");
  harness.initialize();
  SlowStream hangs;
  SlowStream goes_on;
  std::atomic<int> told{0};
  std::uint64_t number = 0;
  {
    Poller poller;
    LaunchWatch healthy(poller, component, 10s,
                        {[&] { told += 100; }, [&](const DeviceWork&) { told += 100; }});
    LaunchWatch watch(poller, component, 20ms,
                      {[&] { told += watch.has_tripped() ? 100 : 1; },
                       [&](const DeviceWork& work) {
                         number = work.number;
                         told += watch.has_tripped() ? 1 : 100;
                       }});
    goes_on.end(goes_on.mark().number);
    healthy.launched(goes_on.mark());
    watch.launched(hangs.mark());
    watch.launched(hangs.mark());
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!watch.has_tripped() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
    std::this_thread::sleep_for(120ms);  // it looks again
    watch.stop_polling();
    CHECK(watch.has_tripped());
    CHECK_FALSE(healthy.has_tripped());
  }
  CHECK(told == 2);
  CHECK(number == 1);
  CHECK(harness.notified() == std::vector<const Component*>{&component});
}

}  // namespace
