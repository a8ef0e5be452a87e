// The longest gap between two messages at the end of a chain that passes 100,000 messages a second,
// while an operator in the middle is exchanged again and again, and without that; and the same with
// the operator in a CUDA graph and in a loop on a GPU, at 5,000 messages a second.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "gxr/application.hpp"
#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"

namespace bench {

using gxr::Codelet;
using gxr::Input;
using gxr::Interface;
using gxr::Message;
using gxr::Output;

/// Counts of the chain's end. Only its thread uses them until the run has ended.
struct Seen {
  std::int64_t messages = 0;
  std::int64_t wrong = 0;  ///< that did not follow the one before
  std::vector<std::int64_t> gaps;
};
Seen seen;

class Numbers final : public Codelet {
 public:
  void declare(Interface& interface) override { interface.output(out_, "out", "Numbers"); }
  void tick() override {
    Message message = context().new_message();
    message.add<std::int64_t>("number", ++number_);
    out_.publish(std::move(message));
  }

 private:
  Output<> out_;
  std::int64_t number_ = 0;
};

class Pass : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same");
  }
  void tick() override { out_.publish(in_.receive()); }

 private:
  Input<> in_;
  Output<> out_;
};

class Other final : public Pass {};

class End final : public Codelet {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Numbers"); }
  void tick() override {
    const gxr::Message message = in_.receive();
    const auto* const counted = message.find<std::int64_t>("number");
    const std::int64_t number = counted != nullptr ? *counted : number_of(message);
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    seen.wrong += number == seen.messages + 1 ? 0 : 1;
    seen.messages = number;
    if (before_ != 0) {
      seen.gaps.push_back(now - before_);
    }
    before_ = now;
  }

 private:
  /// Of a tensor of gxr::arithmetic::Numbers to which 1 was added.
  static std::int64_t number_of(const Message& message) {
    const gxr::HostView view(message.get<gxr::Tensor>());
    return *reinterpret_cast<const std::int32_t*>(view.pointer()) - 1;
  }

  Input<> in_;
  std::int64_t before_ = 0;
};

}  // namespace bench

namespace gxr::bench {
namespace {

using ::bench::seen;

constexpr int kSwaps = 1000;
constexpr int kGraphSwaps = 100;

constexpr const char* kApplication = R"(
name: source
operator: bench::Numbers
period: 10us
---
name: middle
operator: bench::Pass
inputs: {in: source}
---
name: sink
operator: bench::End
inputs: {in: middle}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

constexpr const char* kGraph = R"(
name: source
operator: gxr::arithmetic::Numbers
parameters: {size: 64}
period: 200us
---
name: middle
operator: gxr::arithmetic::Add
inputs: {in: source}
---
name: sink
operator: bench::End
inputs: {in: middle}
---
name: graph
components:
- {name: executor, type: gxr::cuda::GraphExecutor, parameters: {entities: [middle]}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

/// `mode`: of a CUDA graph; empty: there is none.
void run(const std::string& executor, bool swaps, const std::string& mode = {}) {
  seen = {};
  seen.gaps.reserve(20'000'000);
  Application application;
  application.types(provide_types("bench", [](Extension& extension) {
    extension.add<::bench::Numbers>("Publishes numbers");
    extension.add<::bench::Pass>("Passes messages on");
    extension.add<::bench::Other>("Passes messages on");
    extension.add<::bench::End>("Looks at numbers");
  }));
  application.load_text(mode.empty() ? kApplication : kGraph);
  if (mode.empty()) {
    application.executor(executor);
  } else {
    application.set("graph/executor/mode=" + mode);
  }
  application.run_async();
  if (!mode.empty()) {
    std::this_thread::sleep_for(std::chrono::seconds(1));  // CUDA starts
  }
  for (int i = 0; i < (mode.empty() ? kSwaps : kGraphSwaps); ++i) {
    if (swaps) {
      const std::string type = i % 2 == 0 ? "bench::Other" : "bench::Pass";
      application.swap("middle", mode.empty() ? type : "gxr::arithmetic::Add");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  application.interrupt();
  if (const Report report = application.wait(); report.reason == EndReason::Failed) {
    throw std::runtime_error(describe(report.failures.front()));
  } else if (report.graphs.empty() != mode.empty()) {
    throw std::runtime_error("it did not run on the GPU");
  }
}

double percentile(std::vector<std::int64_t> gaps, double part) {
  if (gaps.empty()) {
    throw std::runtime_error("no messages came");
  }
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(gaps.size() - 1));
  std::nth_element(gaps.begin(), gaps.begin() + at, gaps.end());
  return static_cast<double>(gaps[static_cast<std::size_t>(at)]) * 1e-3;
}

void swap_gaps(benchmark::State& state, const std::string& executor, bool swaps,
               const std::string& mode = {}) {
  for (auto _ : state) {
    try {
      run(executor, swaps, mode);
    } catch (const std::exception& error) {
      return state.SkipWithError(error.what());
    }
    state.SetIterationTime(percentile(seen.gaps, 1.0) * 1e-6);
  }
  state.counters["messages"] = static_cast<double>(seen.messages);
  state.counters["wrong"] = static_cast<double>(seen.wrong);
  state.counters["p99_us"] = percentile(seen.gaps, 0.99);
  state.counters["p9999_us"] = percentile(seen.gaps, 0.9999);
  state.counters["longest_us"] = percentile(seen.gaps, 1.0);
}

BENCHMARK_CAPTURE(swap_gaps, greedy_alone, std::string("greedy"), false)
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(swap_gaps, greedy_swaps, std::string("greedy"), true)
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(swap_gaps, events_alone, std::string("events"), false)
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(swap_gaps, events_swaps, std::string("events"), true)
    ->UseManualTime()
    ->Iterations(1);

#define GXR_GRAPH_GAPS(name, mode, swaps)                                             \
  BENCHMARK_CAPTURE(swap_gaps, name, std::string("greedy"), swaps, std::string(mode)) \
      ->UseManualTime()                                                               \
      ->Iterations(1)
GXR_GRAPH_GAPS(graph_alone, "graph", false);
GXR_GRAPH_GAPS(graph_swaps, "graph", true);
GXR_GRAPH_GAPS(loop_alone, "resident", false);
GXR_GRAPH_GAPS(loop_swaps, "resident", true);

}  // namespace
}  // namespace gxr::bench

BENCHMARK_MAIN();
