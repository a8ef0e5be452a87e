// When work of a stream counts as hanging, by a clock of the test's own, without a GPU.

#include "schedulers/launch_watch.hpp"

#include <chrono>
#include <cstdint>

#include "catch.hpp"

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
    if (number <= ended_) {
      set_done(ended_);
    }
    return is_known_done(number);
  }
  void wait_on_host(std::uint64_t) override {}
  void end(std::uint64_t number) { ended_ = number; }

 private:
  std::uint64_t ended_ = 0;
};

struct WatchRig {
  SlowStream stream;
  LaunchProgress progress{100ms};
  LaunchProgress::Clock::time_point now{};

  void launch() { progress.launched(stream.mark()); }
  /// The number of what hangs after this time; 0: nothing does.
  std::uint64_t after(std::chrono::milliseconds time) {
    now += time;
    return progress.look(now).number;
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

}  // namespace
