// The cost of changes to a running application: small pictures go through a tone curve as fast as
// they can, while another thread sets the curve's gamma so many times a second.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "gxr/application.hpp"
#include "gxr/report.hpp"

namespace gxr::bench {
namespace {

constexpr int kRepetitions = 5;
constexpr std::chrono::milliseconds kTime{1000};

constexpr const char* kApplication = R"(
name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: more, type: gxr::BooleanSchedulingTerm}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- name: source
  type: gxr::image::Source
  parameters: {out: out, pool: memory/pool, pattern: ColorBars, width: 32, height: 32, count: 0,
               element_type: uint16, boolean_scheduling_term: more}
---
name: tone
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- name: curve
  type: gxr::image::ToneCurve
  parameters: {in: in, out: out, pool: memory/pool, curve: gamma, gamma: 2.2}
---
name: sink
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: rx, type: gxr::sample::PingRx, parameters: {signal: in}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: tone/in}}
- {type: gxr::Connection, parameters: {source: tone/out, target: sink/in}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

std::uint64_t ticks_of(const Report& report, const std::string& entity) {
  const auto found = std::ranges::find(report.entities, entity, &EntityStatistics::entity);
  if (found == report.entities.end()) {
    throw std::runtime_error("the application did not run");
  }
  return found->ticks;
}

struct Load {
  int sets_per_second = 0;
  bool other_values = true;  ///< a new gamma each time, or always the same
};

struct Outcome {
  double pictures = 0;  ///< a second
  double sets = 0;      ///< likewise
};

Outcome run(const Load& load) {
  Application application;
  application.load_text(kApplication);
  application.run_async();
  application.set("tone/gamma=2.2");  // returns when it runs
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + kTime;
  int sets = 0;
  while (load.sets_per_second > 0 && std::chrono::steady_clock::now() < end) {
    const int step = load.other_values ? sets % 1000 : 0;
    application.set("tone/gamma=" + std::to_string(1000 + step) + "e-3");
    ++sets;
    std::this_thread::sleep_until(begin + std::chrono::nanoseconds(std::int64_t{1'000'000'000} *
                                                                   sets / load.sets_per_second));
  }
  std::this_thread::sleep_until(end);
  application.interrupt();
  const Report report = application.wait();
  const double seconds = static_cast<double>(report.duration_ns) * 1e-9;
  return {static_cast<double>(ticks_of(report, "tone")) / seconds, sets / seconds};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void live_changes(benchmark::State& state) {
  const Load load{static_cast<int>(state.range(0)), state.range(1) != 0};
  for (auto _ : state) {
    // In turn, so that what else the machine does meets both.
    std::vector<double> pictures;
    std::vector<double> ratios;
    std::vector<double> sets;
    for (int i = 0; i < kRepetitions; ++i) {
      const double alone = run({}).pictures;
      const Outcome changed = run(load);
      pictures.push_back(changed.pictures);
      sets.push_back(changed.sets);
      ratios.push_back(changed.pictures / alone);
    }
    state.SetIterationTime(1.0 / median(pictures));
    state.counters["pictures_per_s"] = median(pictures);
    state.counters["sets_per_s"] = median(sets);
    state.counters["ratio"] = median(ratios);
  }
}

BENCHMARK(live_changes)
    ->ArgNames({"sets", "other_values"})
    ->Args({1000, 1})
    ->Args({20'000, 0})
    ->Args({20'000, 1})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gxr::bench

BENCHMARK_MAIN();
