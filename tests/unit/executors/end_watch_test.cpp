// When work on a GPU counts as hanging while a run ends, without a GPU: by a clock of the test's
// own, and by the threads that ask and judge.

#include "executors/end_watch.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
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
using Of = UnfinishedWork::Of;
constexpr auto kScope = UnfinishedWork::Scope::Streams;

class SomeStream final : public DeviceStream {
 public:
  SomeStream() : DeviceStream(nullptr, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t number) override { return is_known_done(number); }
  void wait_on_host(std::uint64_t) override {}
  using DeviceStream::set_done;
};

UnfinishedWork of(SomeStream& stream, std::uint64_t number) {
  return {Of::Stream, 0, {&stream, number}, 0};
}
UnfinishedWork loop(std::uint64_t progress) { return {Of::Loop, 0, {}, progress}; }
UnfinishedWork device(std::uint64_t mark) { return {Of::Device, 0, {}, mark}; }

struct ProgressRig {
  SomeStream one;
  SomeStream other;
  EndProgress progress{100ms};
  EndProgress::Clock::time_point now{};

  bool after(std::chrono::milliseconds time, const std::vector<UnfinishedWork>& unfinished) {
    now += time;
    return progress.hangs(unfinished, now);
  }
};

/// Returns when `happened()`, or after a long time.
void wait_until(const auto& happened) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!happened() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(1ms);
  }
}

/// GPUs whose work is what the test says, and what was given up there. Threads of the watch may
/// outlive the test.
class SomeGpus {
 public:
  explicit SomeGpus(std::vector<UnfinishedWork> unfinished) {
    state_->unfinished = std::move(unfinished);
  }

  [[nodiscard]] EndWatch::Gpus functions(const std::string& users = "") const {
    return {[state = state_](UnfinishedWork::Scope scope) {
              ++state->questions;
              state->asks_devices = scope == UnfinishedWork::Scope::Devices;
              const auto lock = state->lock_when_open();
              return state->unfinished;
            },
            [users] { return users; },
            [state = state_](const UnfinishedWork& work, const std::string& why) {
              const std::lock_guard lock(state->mutex);
              state->given_up.emplace_back(work.work.number, why);
            },
            [state = state_] { ++state->holds; },
            [state = state_] {
              const auto lock = state->lock_when_open();
              --state->holds;
            }};
  }
  void set_unfinished(std::vector<UnfinishedWork> unfinished) {
    const std::lock_guard lock(state_->mutex);
    state_->unfinished = std::move(unfinished);
  }
  /// While it is, no question is answered, and nothing is freed.
  void set_blocked(bool blocked) {
    const std::lock_guard lock(state_->mutex);
    state_->blocked = blocked;
    state_->changed.notify_all();
  }
  [[nodiscard]] int questions() const { return state_->questions.load(); }
  [[nodiscard]] int holds() const { return state_->holds.load(); }
  [[nodiscard]] bool asks_devices() const { return state_->asks_devices.load(); }
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>> given_up() const {
    const std::lock_guard lock(state_->mutex);
    return state_->given_up;
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool blocked = false;
    std::vector<UnfinishedWork> unfinished;
    std::vector<std::pair<std::uint64_t, std::string>> given_up;
    std::atomic<int> questions{0};
    std::atomic<int> holds{0};
    std::atomic<bool> asks_devices{false};

    std::unique_lock<std::mutex> lock_when_open() {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return !blocked; });
      return lock;
    }
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

TEST_CASE("Work hangs when none of it ends for too long", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(1s, {}));
  CHECK_FALSE(rig.after(1s, {}));
  CHECK_FALSE(rig.after(1s, {of(rig.one, 4)}));  // its time begins when it is seen
  CHECK_FALSE(rig.after(99ms, {of(rig.one, 4)}));
  CHECK(rig.after(1ms, {of(rig.one, 4)}));
  CHECK(rig.after(1ms, {of(rig.one, 4)}));
}

TEST_CASE("While work of any stream ends, that of others may wait for it", "[end_watch]") {
  ProgressRig rig;
  for (std::uint64_t number = 1; number < 20; ++number) {
    CHECK_FALSE(rig.after(90ms, {of(rig.one, number), of(rig.other, 7)}));
  }
  CHECK_FALSE(rig.after(90ms, {of(rig.other, 7)}));
  CHECK_FALSE(rig.after(90ms, {of(rig.other, 7)}));
  CHECK(rig.after(10ms, {of(rig.other, 7)}));
}

TEST_CASE("Other work with the same number is other work", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(0ms, {of(rig.one, 1)}));
  CHECK_FALSE(rig.after(100ms, {of(rig.other, 1)}));
  CHECK_FALSE(rig.after(100ms, {of(rig.one, 1)}));
}

TEST_CASE("The progress of a loop counts, but a loop alone does not hang", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(0ms, {loop(3)}));
  CHECK_FALSE(rig.after(1s, {loop(3)}));
  for (std::uint64_t iterations = 4; iterations < 9; ++iterations) {
    CHECK_FALSE(rig.after(90ms, {of(rig.one, 1), loop(iterations)}));
  }
  CHECK_FALSE(rig.after(99ms, {of(rig.one, 1), loop(8)}));
  CHECK(rig.after(1ms, {of(rig.one, 1), loop(8)}));
}

TEST_CASE("Work on streams of others hangs when no mark is passed", "[end_watch]") {
  ProgressRig rig;
  CHECK_FALSE(rig.after(0ms, {device(1)}));
  CHECK_FALSE(rig.after(90ms, {device(2)}));
  CHECK_FALSE(rig.after(90ms, {device(2)}));
  CHECK(rig.after(10ms, {device(2)}));
}

TEST_CASE("All that hangs is given up once, with whose work it is", "[end_watch]") {
  SomeStream one;
  SomeStream other;
  SomeGpus gpus({of(one, 3), of(other, 5), loop(1)});
  EndWatch watch(1s);
  watch.begin(gpus.functions("'a/add' or 'b/add'"));
  watch.begin({});  // does not count
  wait_until([&] { return !watch.hang().empty(); });
  CHECK(gpus.holds() == 1);
  std::this_thread::sleep_for(60ms);  // it would judge again
  const std::string why =
      "the run is to end, but work on a GPU does not end: none has made progress for 1 s; most "
      "likely that of 'a/add' or 'b/add'";
  CHECK(gpus.given_up() == std::vector<std::pair<std::uint64_t, std::string>>{{3, why}, {5, why}});
  CHECK(watch.hang() == why);
  watch.end();
  CHECK(watch.hang() == why);
  wait_until([&] { return gpus.holds() == 0; });
  CHECK(gpus.holds() == 0);
}

TEST_CASE("Nobody asks behind the end, or without a limit", "[end_watch]") {
  SomeStream stream;
  SomeGpus gpus({of(stream, 1)});
  EndWatch watch(60s);
  watch.begin(gpus.functions());
  wait_until([&] { return gpus.questions() > 1; });
  watch.end();
  const int questions = gpus.questions();
  CHECK(questions > 1);
  EndWatch ended(60s);
  ended.end();
  ended.begin(gpus.functions());
  EndWatch unlimited(0s);
  unlimited.begin(gpus.functions());
  unlimited.settle(kScope);
  std::this_thread::sleep_for(60ms);
  CHECK(gpus.questions() == questions);
  CHECK(gpus.holds() == 0);
  CHECK(gpus.given_up().empty());
  CHECK(watch.hang().empty());
}

TEST_CASE("The end waits for all work that is there, or for a hang", "[end_watch]") {
  SomeStream stream;
  SomeGpus gpus({of(stream, 1)});
  EndWatch(60s).settle(kScope);  // it has not begun
  EndWatch goes_on(60s);
  goes_on.begin(gpus.functions());
  std::atomic<bool> is_done{false};
  std::thread worker([&] {
    const int before = gpus.questions();
    wait_until([&] { return gpus.questions() > before + 3; });
    is_done = true;
    gpus.set_unfinished({});
  });
  goes_on.settle(kScope);
  CHECK(is_done);
  worker.join();
  CHECK(goes_on.hang().empty());
  goes_on.end();
  gpus.set_unfinished({of(stream, 2)});
  EndWatch hangs(200ms);
  hangs.begin(gpus.functions());
  hangs.settle(kScope);
  CHECK_FALSE(hangs.hang().empty());
}

TEST_CASE("The end does not wait for later work of other applications", "[end_watch]") {
  SomeStream stream;
  static_cast<void>(stream.mark());
  SomeGpus gpus({of(stream, 1), device(4), loop(2)});
  EndWatch watch(60s);
  watch.begin(gpus.functions());
  std::thread other([&] {
    const int before = gpus.questions();
    wait_until([&] { return gpus.questions() > before + 4; });
    stream.set_done(stream.mark().number - 1);  // what was given before, and more is given
    gpus.set_unfinished({of(stream, stream.mark().number), device(7), loop(2)});
  });
  watch.settle(kScope);
  other.join();
  CHECK(watch.hang().empty());
}

TEST_CASE("A GPU that does not answer hangs, and nobody waits for the answer", "[end_watch]") {
  SomeStream stream;
  SomeGpus gpus({of(stream, 1)});
  gpus.set_blocked(true);
  {
    EndWatch watch(600ms);
    watch.begin(gpus.functions());
    watch.settle(kScope);
    CHECK(watch.hang() ==
          "the run is to end, but work on a GPU does not end: CUDA has not answered for 600 ms");
  }  // the end asks for nothing that may not return
  CHECK(gpus.holds() == 1);
  gpus.set_blocked(false);
  wait_until([&] { return gpus.holds() == 0; });
  CHECK(gpus.holds() == 0);
  const int questions = gpus.questions();
  std::this_thread::sleep_for(60ms);  // the thread has left
  CHECK(gpus.questions() == questions);
}

TEST_CASE("A short limit does not take a late answer for a hang", "[end_watch]") {
  SomeGpus gpus({});
  EndWatch watch(1ns);
  watch.begin(gpus.functions());
  wait_until([&] { return gpus.questions() > 5; });
  watch.settle(kScope);
  CHECK(watch.hang().empty());
}

TEST_CASE("Streams of others are asked for only at the very end", "[end_watch]") {
  SomeGpus gpus({});
  EndWatch watch(60s);
  watch.begin(gpus.functions());
  wait_until([&] { return gpus.questions() > 2; });
  CHECK_FALSE(gpus.asks_devices());
  watch.settle(UnfinishedWork::Scope::Devices);
  CHECK(gpus.asks_devices());
}

TEST_CASE("A run that stays although its work was given up is abandoned", "[end_watch]") {
  SomeStream stream;
  SomeGpus gpus({of(stream, 1)});
  std::atomic<int> abandoned{0};
  EndWatch stays(50ms);
  stays.set_abandon([&](const std::string& why) { abandoned += why.empty() ? 0 : 1; }, 20ms);
  stays.begin(gpus.functions());
  wait_until([&] { return abandoned > 0; });
  CHECK(abandoned == 1);
  EndWatch ends(50ms);
  ends.set_abandon([&](const std::string&) { ++abandoned; }, 60s);
  ends.begin(gpus.functions());
  ends.settle(kScope);
  ends.end();
  CHECK(abandoned == 1);
}

TEST_CASE("A device that has failed is left to those who wait for it", "[end_watch]") {
  std::atomic<int> questions{0};
  SomeStream stream;
  SomeGpus gpus({});
  EndWatch::Gpus functions = gpus.functions();
  functions.unfinished = [&](UnfinishedWork::Scope) -> std::vector<UnfinishedWork> {
    if (++questions == 1) {
      return {of(stream, 1)};
    }
    throw Error(ErrorCode::Device, "failed");
  };
  EndWatch watch(60s);
  watch.begin(functions);
  watch.settle(kScope);
  CHECK(questions > 10);  // one failure may be that of a call
  watch.end();
  CHECK(watch.hang().empty());
  CHECK(gpus.given_up().empty());
}

}  // namespace
