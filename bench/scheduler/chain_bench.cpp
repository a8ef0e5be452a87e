#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "allocation_count.hpp"
#include "chain.hpp"
#include "peers.hpp"

namespace gxr::bench {
namespace {

constexpr std::int64_t kMessages = 1'000'000;
constexpr int kRepetitions = 5;
constexpr std::int64_t kTracedTicks = 2'000'000;  // fewer than a trace has room for

/// Best of the runs: noise only adds.
struct Best {
  double gxr = 1e9;
  double gxr_measured = 1e9;
  double gxr_traced = 1e9;
  double ring = 1e9;
  double tbb = 1e9;
  double allocations_per_message = 0;
};

double ns_per_hop(double seconds, int forwards) {
  return seconds * 1e9 / (static_cast<double>(kMessages) * (forwards + 1));
}

/// Heap allocations that twice the messages cost beyond those of once: the steady state.
double steady_allocations(int forwards) {
  const auto count = [forwards](std::int64_t messages) {
    const Application chain(chain_yaml({forwards, messages, 0}));
    const std::uint64_t before = allocation_count();
    static_cast<void>(chain.run());
    return allocation_count() - before;
  };
  count(1000);  // loads the extensions
  const auto once = count(100'000);
  const auto twice = count(200'000);
  return (static_cast<double>(twice) - static_cast<double>(once)) / 100'000.0;
}

Best measure(int forwards) {
  Best best;
  const Application chain(chain_yaml({forwards, kMessages, 0}));
  const std::int64_t traced_messages = kTracedTicks / (forwards + 2);
  const Application traced(chain_yaml({forwards, traced_messages, 0}));
  const double longer = static_cast<double>(kMessages) / static_cast<double>(traced_messages);
  for (int i = 0; i < kRepetitions; ++i) {
    best.gxr = std::min(best.gxr, chain.seconds());
    best.gxr_measured = std::min(best.gxr_measured, chain.seconds(true));
    best.gxr_traced = std::min(best.gxr_traced, longer * traced.seconds(false, true));
    best.ring = std::min(best.ring, ring_floor_seconds(forwards, kMessages));
    best.tbb = std::min(best.tbb, tbb_chain_seconds(forwards, kMessages));
  }
  best.allocations_per_message = steady_allocations(forwards);
  return best;
}

void chain(benchmark::State& state) {
  const int forwards = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const Best best = measure(forwards);
    state.SetIterationTime(best.gxr);
    state.counters["gxr_ns"] = ns_per_hop(best.gxr, forwards);
    state.counters["stats_ns"] = ns_per_hop(best.gxr_measured, forwards);
    state.counters["trace_ns"] = ns_per_hop(best.gxr_traced, forwards);
    state.counters["trace/gxr"] = best.gxr_traced / best.gxr;
    state.counters["ring_ns"] = ns_per_hop(best.ring, forwards);
    state.counters["gxr/ring"] = best.gxr / best.ring;
    if (best.tbb > 0) {
      state.counters["tbb_ns"] = ns_per_hop(best.tbb, forwards);
      state.counters["gxr/tbb"] = best.gxr / best.tbb;
    }
    state.counters["allocs/msg"] = best.allocations_per_message;
  }
}

BENCHMARK(chain)->Arg(1)->Arg(10)->Arg(100)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace gxr::bench

BENCHMARK_MAIN();
