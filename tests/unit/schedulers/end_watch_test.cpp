// When work on a GPU counts as hanging while a run ends, without a GPU: by a clock of the test's
// own, and by the thread that looks.

#include "schedulers/end_watch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

class SomeStream final : public DeviceStream {
 public:
  SomeStream() : DeviceStream(nullptr, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t number) override { return is_known_done(number); }
  void wait_on_host(std::uint64_t) override {}
};

struct ProgressRig {
  SomeStream one;
  SomeStream other;
  EndProgress progress{100ms};
  EndProgress::Clock::time_point now{};

  bool after(std::chrono::milliseconds time, const std::vector<DeviceWork>& unfinished) {
    now += time;
    return progress.hangs(unfinished, now);
  }
};

/// A GPU whose work is what the test says, and what was given up there.
class Gpu {
 public:
  explicit Gpu(std::vector<DeviceWork> unfinished) : unfinished_(std::move(unfinished)) {}

  EndWatch::Actions actions(const std::string& users) {
    return {[this] {
              const std::lock_guard lock(mutex_);
              ++looks_;
              return unfinished_;
            },
            [users] { return users; },
            [this](const DeviceWork& work, const std::string& why) {
              const std::lock_guard lock(mutex_);
              given_up_.emplace_back(work.number, why);
            }};
  }
  void set_unfinished(std::vector<DeviceWork> unfinished) {
    const std::lock_guard lock(mutex_);
    unfinished_ = std::move(unfinished);
  }
  int looks() {
    const std::lock_guard lock(mutex_);
    return looks_;
  }
  std::vector<std::pair<std::uint64_t, std::string>> given_up() {
    const std::lock_guard lock(mutex_);
    return given_up_;
  }
  /// Returns when `happened()`, or after a long time.
  static void wait_until(const auto& happened) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!happened() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<DeviceWork> unfinished_;
  std::vector<std::pair<std::uint64_t, std::string>> given_up_;
  int looks_ = 0;
};

TEST_CASE("Work hangs when none of it ends for too long", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(1s, {}));
  CHECK_FALSE(rig.after(1s, {}));
  CHECK_FALSE(rig.after(1s, {{&rig.one, 4}}));  // its time begins when it is seen
  CHECK_FALSE(rig.after(99ms, {{&rig.one, 4}}));
  CHECK(rig.after(1ms, {{&rig.one, 4}}));
  CHECK(rig.after(1ms, {{&rig.one, 4}}));
}

TEST_CASE("While work of any stream ends, that of others may wait for it", "[end_watch]") {
  ProgressRig rig;
  for (std::uint64_t number = 1; number < 20; ++number) {
    CHECK_FALSE(rig.after(90ms, {{&rig.one, number}, {&rig.other, 7}}));
  }
  CHECK_FALSE(rig.after(90ms, {{&rig.other, 7}}));
  CHECK_FALSE(rig.after(90ms, {{&rig.other, 7}}));
  CHECK(rig.after(10ms, {{&rig.other, 7}}));
}

TEST_CASE("Other work with the same number is other work", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(0ms, {{&rig.one, 1}}));
  CHECK_FALSE(rig.after(100ms, {{&rig.other, 1}}));
  CHECK_FALSE(rig.after(100ms, {{&rig.one, 1}}));
}

TEST_CASE("All that hangs is given up once, with whose work it is", "[end_watch]") {
  SomeStream one;
  SomeStream other;
  Gpu gpu({{&one, 3}, {&other, 5}});
  EndWatch watch(1s);
  watch.begin(gpu.actions("'a/add' or 'b/add'"));
  watch.begin({});  // does not count
  Gpu::wait_until([&] { return gpu.given_up().size() == 2; });
  std::this_thread::sleep_for(120ms);  // it would look again
  const std::string why =
      "the run is to end, but work on a GPU does not: none has ended for 1 s; most likely that of "
      "'a/add' or 'b/add'";
  CHECK(gpu.given_up() == std::vector<std::pair<std::uint64_t, std::string>>{{3, why}, {5, why}});
  CHECK(watch.hang() == why);
  watch.end();
  CHECK(watch.hang() == why);
}

TEST_CASE("Nobody looks behind the end, or without a limit", "[end_watch]") {
  SomeStream stream;
  Gpu gpu({{&stream, 1}});
  EndWatch watch(60s);
  watch.begin(gpu.actions(""));
  Gpu::wait_until([&] { return gpu.looks() > 1; });
  watch.end();
  const int looks = gpu.looks();
  CHECK(looks > 1);
  EndWatch ended(60s);
  ended.end();
  ended.begin(gpu.actions(""));
  EndWatch unlimited(0s);
  unlimited.begin(gpu.actions(""));
  std::this_thread::sleep_for(200ms);
  CHECK(gpu.looks() == looks);
  CHECK(gpu.given_up().empty());
  CHECK(watch.hang().empty());
}

TEST_CASE("Whoever settles waits for all work, or for a hang", "[end_watch]") {
  SomeStream stream;
  Gpu gpu({{&stream, 1}});
  EndWatch(60s).settle();  // it has not begun
  EndWatch goes_on(60s);
  goes_on.begin(gpu.actions(""));
  std::thread worker([&] {
    Gpu::wait_until([&] { return gpu.looks() > 3; });
    gpu.set_unfinished({});
  });
  goes_on.settle();
  worker.join();
  CHECK(gpu.looks() > 3);
  CHECK(goes_on.hang().empty());
  goes_on.end();
  gpu.set_unfinished({{&stream, 2}});
  EndWatch hangs(200ms);
  hangs.begin(gpu.actions(""));
  hangs.settle();
  CHECK_FALSE(hangs.hang().empty());
}

TEST_CASE("A device that has failed is left to those who wait for it", "[end_watch]") {
  std::atomic<int> looks{0};
  EndWatch watch(1s);
  watch.begin({[&]() -> std::vector<DeviceWork> {
                 ++looks;
                 throw Error(ErrorCode::Device, "failed");
               },
               [] { return std::string(); }, [](const DeviceWork&, const std::string&) {}});
  Gpu::wait_until([&] { return looks > 0; });
  watch.end();
  CHECK(looks == 1);
  CHECK(watch.hang().empty());
}

}  // namespace
