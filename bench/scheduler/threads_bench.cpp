#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "chain.hpp"

namespace gxr::bench {
namespace {

constexpr std::int64_t kMessages = 200'000;
constexpr int kRepetitions = 3;

struct Kind {
  const char* name;
  const char* type;
  int workers;  ///< 0: the greedy scheduler has none
};

/// Every scheduler with 1 and 2 workers, and with 8 and 16 where the machine has as many cores.
std::vector<Kind> kinds() {
  std::vector<Kind> all{{"greedy", "nvidia::gxf::GreedyScheduler", 0}};
  for (const int workers : {1, 2, 8, 16}) {
    if (workers <= 2 || static_cast<int>(std::thread::hardware_concurrency()) >= workers) {
      all.push_back({"events", "nvidia::gxf::EventBasedScheduler", workers});
      all.push_back({"threads", "nvidia::gxf::MultiThreadScheduler", workers});
    }
  }
  return all;
}

/// Best of the runs: noise only adds.
double best_seconds(ChainOptions options, const Kind& kind) {
  options.scheduler = kind.type;
  options.workers = kind.workers;
  const Application application(chain_yaml(options));
  double best = 1e9;
  for (int i = 0; i < kRepetitions; ++i) {
    best = std::min(best, application.seconds());
  }
  return best;
}

void hops(benchmark::State& state, const ChainOptions& options, double hops_per_message) {
  for (auto _ : state) {
    double total = 0;
    for (const Kind& kind : kinds()) {
      const double seconds = best_seconds(options, kind);
      const std::string name = kind.workers == 0
                                   ? kind.name
                                   : kind.name + std::string("_") + std::to_string(kind.workers);
      state.counters[name] =
          seconds * 1e9 / (static_cast<double>(options.messages) * hops_per_message);
      total += seconds;
    }
    state.SetIterationTime(total);
  }
}

void chain_on_schedulers(benchmark::State& state) {
  ChainOptions options;
  options.forwards = static_cast<int>(state.range(0));
  options.messages = kMessages * 10 / options.forwards;
  hops(state, options, options.forwards + 1.0);
}

void fan_out_1_to_8(benchmark::State& state) {
  ChainOptions options;
  options.messages = kMessages;
  options.fan_out = 8;
  hops(state, options, 9.0);
}

void fan_in_8_to_1(benchmark::State& state) {
  ChainOptions options;
  options.messages = kMessages / 8;
  options.fan_in = 8;
  hops(state, options, 16.0);  // each of the 8 x messages passes two connections
}

void ping(benchmark::State& state) {
  ChainOptions options;
  options.forwards = 0;
  options.messages = kMessages;
  hops(state, options, 1.0);
}

/// Two chains that share nothing, of 4 codelets with 1 us of work each: what a second worker is
/// good for.
void two_chains_of_work(benchmark::State& state) {
  ChainOptions options;
  options.forwards = 4;
  options.burn_ns = 1000;
  options.chains = 2;
  options.messages = 50'000;
  for (auto _ : state) {
    double total = 0;
    for (const char* type :
         {"nvidia::gxf::EventBasedScheduler", "nvidia::gxf::MultiThreadScheduler"}) {
      const std::string name =
          std::string(type).find("Event") != std::string::npos ? "events" : "threads";
      const double one = best_seconds(options, {"", type, 1});
      const double two = best_seconds(options, {"", type, 2});
      state.counters[name + "_speedup"] = one / two;
      total += one + two;
    }
    state.SetIterationTime(total);
  }
}

BENCHMARK(chain_on_schedulers)
    ->Arg(10)
    ->Arg(100)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ping)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(fan_out_1_to_8)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(fan_in_8_to_1)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(two_chains_of_work)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gxr::bench
