#include <algorithm>
#include <string>

#include <benchmark/benchmark.h>

#include "chain.hpp"

namespace gxr::bench {
namespace {

constexpr std::int64_t kMessages = 1'000'000;
constexpr int kForwards = 10;
constexpr int kRepetitions = 5;

/// Seconds that kMessages further messages cost, best of several runs: the start is the same in
/// both terms and drops out.
double steady_seconds(int idle) {
  const auto best_of = [idle](std::int64_t messages) {
    const Application application(chain_yaml({kForwards, messages, idle}));
    double best = 1e9;
    for (int i = 0; i < kRepetitions; ++i) {
      best = std::min(best, application.seconds());
    }
    return best;
  };
  return best_of(2 * kMessages) - best_of(kMessages);
}

void idle_entities(benchmark::State& state) {
  const int idle = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const double alone = steady_seconds(0);
    const double beside = steady_seconds(idle);
    state.SetIterationTime(beside);
    state.counters["alone_ns"] = alone * 1e9 / (static_cast<double>(kMessages) * (kForwards + 1));
    state.counters["beside_ns"] = beside * 1e9 / (static_cast<double>(kMessages) * (kForwards + 1));
    state.counters["ratio"] = beside / alone;
  }
}

BENCHMARK(idle_entities)
    ->Arg(100'000)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gxr::bench
