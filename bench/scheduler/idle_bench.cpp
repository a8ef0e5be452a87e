#include <algorithm>
#include <vector>

#include <benchmark/benchmark.h>

#include "chain.hpp"

namespace gxr::bench {
namespace {

constexpr std::int64_t kMessages = 1'000'000;
constexpr int kForwards = 10;
constexpr int kRepetitions = 9;

/// A chain with some number of idle entities beside it.
class Chain {
 public:
  explicit Chain(int idle)
      : once_(chain_yaml({kForwards, kMessages, idle})),
        twice_(chain_yaml({kForwards, 2 * kMessages, idle})) {}

  /// Seconds that kMessages further messages cost: the start is the same in both runs and drops
  /// out.
  [[nodiscard]] double steady_seconds() const {
    const double once = once_.seconds();
    return twice_.seconds() - once;
  }

 private:
  Application once_;
  Application twice_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double ns_per_hop(double seconds) {
  return seconds * 1e9 / (static_cast<double>(kMessages) * (kForwards + 1));
}

void idle_entities(benchmark::State& state) {
  const int idle = static_cast<int>(state.range(0));
  const Chain lonely(0);
  const Chain crowded(idle);
  for (auto _ : state) {
    // In turn, so that what else the machine does meets both; of ratios the one in the middle, so
    // that what meets one only does not count.
    std::vector<double> alone;
    std::vector<double> beside;
    std::vector<double> ratios;
    for (int i = 0; i < kRepetitions; ++i) {
      alone.push_back(lonely.steady_seconds());
      beside.push_back(crowded.steady_seconds());
      ratios.push_back(beside.back() / alone.back());
    }
    state.SetIterationTime(median(beside));
    state.counters["alone_ns"] = ns_per_hop(median(alone));
    state.counters["beside_ns"] = ns_per_hop(median(beside));
    state.counters["ratio"] = median(ratios);
    state.counters["least"] = *std::min_element(ratios.begin(), ratios.end());
    state.counters["greatest"] = *std::max_element(ratios.begin(), ratios.end());
  }
}

BENCHMARK(idle_entities)
    ->Arg(100'000)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gxr::bench
