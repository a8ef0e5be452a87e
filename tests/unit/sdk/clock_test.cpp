#include "gxr/clock.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "sdk/clock_listener.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using gxr::harness::Harness;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

std::int64_t real_time_of(const std::function<void()>& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("A realtime clock starts at 0 and follows real time", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>("e/clock");
  harness.initialize();

  const std::int64_t begin = clock.timestamp();
  CHECK(begin >= 0);
  CHECK(begin < 1000 * kMillisecond);
  std::int64_t clock_time = 0;
  const std::int64_t real = real_time_of([&] {
    const std::int64_t before = clock.timestamp();
    std::this_thread::sleep_for(20ms);
    clock_time = clock.timestamp() - before;
  });
  CHECK(clock_time >= 20 * kMillisecond);
  CHECK(clock_time <= real);
  CHECK(std::abs(clock.time() - static_cast<double>(clock.timestamp()) * 1e-9) < 0.5);
}

TEST_CASE("Offset and scale shape the time of a realtime clock", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>(
      "e/clock", {{"initial_time_offset", "100.5"}, {"initial_time_scale", "10"}});
  harness.initialize();

  const std::int64_t begin = clock.timestamp();
  CHECK(begin >= 100'500 * kMillisecond);
  const std::int64_t real = real_time_of([] { std::this_thread::sleep_for(20ms); });
  const std::int64_t elapsed = clock.timestamp() - begin;
  CHECK(elapsed >= 10 * real);
  CHECK(elapsed >= 200 * kMillisecond);
}

TEST_CASE("A realtime clock can begin at the time since the epoch", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>(
      "e/clock", {{"use_time_since_epoch", "true"}, {"initial_time_offset", "1.0"}});
  harness.initialize();

  const auto system = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t ahead = clock.timestamp() - std::chrono::nanoseconds(system).count();
  CHECK(ahead > 0);
  CHECK(ahead < 2000 * kMillisecond);
}

TEST_CASE("A realtime clock changes its speed without a jump", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>("e/clock");
  harness.initialize();

  const std::int64_t before = clock.timestamp();
  clock.set_time_scale(1000.0);
  CHECK(clock.timestamp() >= before);
  CHECK(real_time_of([&] { clock.sleep_for(2'000 * kMillisecond); }) < 1'000 * kMillisecond);
  CHECK(clock.timestamp() - before >= 2'000 * kMillisecond);
  CHECK_THROWS_AS(clock.set_time_scale(0.0), Error);
  CHECK_THROWS_AS(clock.set_time_scale(-1.0), Error);
  CHECK_THROWS_AS(clock.set_time_scale(std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST_CASE("Readers see no torn pace while the speed changes", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>("e/clock");
  harness.initialize();

  std::atomic<bool> done{false};
  std::thread changer([&] {
    for (int i = 0; i < 20'000; ++i) {
      clock.set_time_scale(i % 2 == 0 ? 2.0 : 0.5);
    }
    done = true;
  });
  std::int64_t last = 0;
  bool monotonic = true;
  while (!done) {
    const std::int64_t now = clock.timestamp();
    // At a change of speed the clock may repeat what passed between two readings, not more.
    monotonic = monotonic && now >= last - 50 * kMillisecond;
    last = now;
  }
  changer.join();
  CHECK(monotonic);
  CHECK(last < 3'600'000 * kMillisecond);
}

TEST_CASE("A realtime clock sleeps until its target", "[clock]") {
  Harness harness;
  auto& clock = harness.add<RealtimeClock>("e/clock");
  harness.initialize();

  const std::int64_t target = clock.timestamp() + 15 * kMillisecond;
  clock.sleep_until(target);
  CHECK(clock.timestamp() >= target);
  CHECK(real_time_of([&] { clock.sleep_until(target); }) < 10 * kMillisecond);
  CHECK_THROWS_AS(clock.sleep_for(-1), Error);
}

TEST_CASE("Sleeps that are cut end, each of them, and those that begin later are short",
          "[clock]") {
  Harness harness;
  auto& realtime = harness.add<RealtimeClock>("e/realtime");
  auto& synthetic = harness.add<SyntheticClock>("e/synthetic");
  harness.initialize();

  for (Clock* clock : {static_cast<Clock*>(&realtime), static_cast<Clock*>(&synthetic)}) {
    std::vector<std::thread> sleepers;
    for (int i = 0; i < 3; ++i) {
      sleepers.emplace_back([&] { clock->sleep_until(std::numeric_limits<std::int64_t>::max()); });
    }
    std::this_thread::sleep_for(20ms);
    clock->cut_sleeps(true);
    for (std::thread& sleeper : sleepers) {
      sleeper.join();
    }
    for (int i = 0; i < 3; ++i) {
      const std::int64_t real = real_time_of([&] { clock->sleep_for(10'000 * kMillisecond); });
      CHECK(real >= 9 * kMillisecond);
      CHECK(real < 5'000 * kMillisecond);
    }
    clock->cut_sleeps(false);
  }
  CHECK(real_time_of([&] { realtime.sleep_for(30 * kMillisecond); }) >= 30 * kMillisecond);
}

TEST_CASE("A clock tells its listener of jumps and of changes of its speed", "[clock]") {
  struct Listener final : ClockListener {
    void clock_changed() noexcept override { ++changes; }
    int changes = 0;
  } listener;
  Harness harness;
  auto& realtime = harness.add<RealtimeClock>("e/realtime");
  auto& synthetic = harness.add<SyntheticClock>("e/synthetic");
  harness.initialize();

  EngineAccess::set_listener(realtime, &listener);
  realtime.set_time_scale(2.0);
  CHECK(listener.changes == 1);
  EngineAccess::set_listener(realtime, nullptr);
  realtime.set_time_scale(1.0);
  CHECK(listener.changes == 1);
  EngineAccess::set_listener(synthetic, &listener);
  synthetic.advance_by(5);
  synthetic.advance_to(3);
  CHECK(listener.changes == 3);
  CHECK(synthetic.real_time_until(3) == 0);
  CHECK(synthetic.real_time_until(4) > 0);
  EngineAccess::set_listener(synthetic, nullptr);
}

TEST_CASE("A manual clock moves only by sleeping, and never back", "[clock]") {
  Harness harness;
  auto& clock = harness.add<ManualClock>("e/clock", {{"initial_timestamp", "1000"}});
  harness.initialize();

  CHECK(clock.timestamp() == 1000);
  clock.sleep_until(5000);
  CHECK(clock.timestamp() == 5000);
  clock.sleep_until(10);
  CHECK(clock.timestamp() == 5000);
  clock.sleep_for(7);
  CHECK(clock.timestamp() == 5007);
  clock.cut_sleeps(true);
  clock.sleep_for(3);
  CHECK(clock.timestamp() == 5010);
  CHECK_THROWS_AS(clock.sleep_for(-1), Error);
  clock.sleep_for(std::numeric_limits<std::int64_t>::max());
  CHECK(clock.timestamp() == std::numeric_limits<std::int64_t>::max());
}
