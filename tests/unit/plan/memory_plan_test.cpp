#include "plan/memory_plan.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>

#include "catch.hpp"

using namespace gxr;

namespace {

using Index = std::uint32_t;
using Predecessors = std::vector<std::vector<Index>>;

struct Work {
  Predecessors predecessors;
  std::vector<MemoryRequest> requests;
};

/// Chains, wide graphs and everything between: each step follows up to three earlier ones, the
/// nearer the likelier; its outputs are read by them; some have scratch memory.
Work random_work(std::mt19937& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<Index>(random() % n); };
  Work work;
  const Index steps = 2 + below(59);
  const Index reach = 1 + below(12);
  for (Index step = 0; step < steps; ++step) {
    std::vector<Index> before;
    for (Index i = below(4); i > 0 && step > 0; --i) {
      before.push_back(step - 1 - below(std::min(step, reach)));
    }
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
    work.predecessors.push_back(before);
    const std::uint64_t odd = 1 + below(64);
    const std::uint64_t bytes = odd + (std::uint64_t{1} << below(24));
    work.requests.push_back({bytes, step, {}});
    for (const Index producer : before) {
      for (MemoryRequest& request : work.requests) {
        if (request.producer == producer) {
          request.consumers.push_back(step);
        }
      }
    }
  }
  for (Index step = 0; step < steps; ++step) {
    if (below(4) == 0) {
      work.requests.push_back({1 + below(1U << 22U), step, {}});  // scratch
    }
  }
  return work;
}

/// Is there a path? Straight from the definition, not as the planner does it.
bool leads_to(const Predecessors& predecessors, Index from, Index to) {
  std::vector<Index> open{to};
  std::vector<bool> seen(predecessors.size());
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    for (const Index before : predecessors[at]) {
      if (before == from) {
        return true;
      }
      if (!seen[before]) {
        seen[before] = true;
        open.push_back(before);
      }
    }
  }
  return false;
}

bool ends_before(const Predecessors& predecessors, const MemoryRequest& first,
                 const MemoryRequest& then) {
  const auto precedes = [&](Index user) { return leads_to(predecessors, user, then.producer); };
  return precedes(first.producer) && std::ranges::all_of(first.consumers, precedes);
}

bool overlap(const MemoryPlan& plan, const Work& work, std::size_t a, std::size_t b) {
  return plan.offsets[a] < plan.offsets[b] + work.requests[b].bytes &&
         plan.offsets[b] < plan.offsets[a] + work.requests[a].bytes;
}

/// Pairs of requests that share bytes although both may be in use.
std::size_t count_clashes(const MemoryPlan& plan, const Work& work) {
  std::size_t clashes = 0;
  for (std::size_t a = 0; a < work.requests.size(); ++a) {
    for (std::size_t b = a + 1; b < work.requests.size(); ++b) {
      if (overlap(plan, work, a, b) &&
          !ends_before(work.predecessors, work.requests[a], work.requests[b]) &&
          !ends_before(work.predecessors, work.requests[b], work.requests[a])) {
        ++clashes;
      }
    }
  }
  return clashes;
}

/// The greatest sum of what is in use at once in one run: whenever something ends, some of the
/// steps that may begin do, any number at once; some take long.
class SimulatedRun {
 public:
  SimulatedRun(const Work& work, std::mt19937& random)
      : work_(work), random_(random), state_(work.predecessors.size()) {}

  std::uint64_t greatest_live_sum() {
    std::size_t ended = 0;
    while (ended < state_.size()) {
      begin_some();
      greatest_ = std::max(greatest_, live_sum());
      ended += end_one();
    }
    return greatest_;
  }

 private:
  enum class State : std::uint8_t { Waiting, Running, Ended };

  void begin_some() {
    for (Index step = 0; step < state_.size(); ++step) {
      const bool ready = std::ranges::all_of(
          work_.predecessors[step], [&](Index before) { return state_[before] == State::Ended; });
      if (state_[step] == State::Waiting && ready) {
        state_[step] = State::Running;
        running_.push_back(step);
      }
    }
  }
  std::size_t end_one() {
    std::size_t chosen = random_() % running_.size();
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < running_.size() && random_() % 8 != 0; ++i) {
      state_[running_[i]] = State::Ended;
      if (const std::uint64_t sum = live_sum(); sum > left) {
        left = sum;
        chosen = i;
      }
      state_[running_[i]] = State::Running;
    }
    state_[running_[chosen]] = State::Ended;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return 1;
  }
  [[nodiscard]] std::uint64_t live_sum() const {
    std::uint64_t sum = 0;
    for (const MemoryRequest& request : work_.requests) {
      const bool written = state_[request.producer] != State::Waiting;
      const bool needed = state_[request.producer] == State::Running ||
                          std::ranges::any_of(request.consumers, [&](Index consumer) {
                            return state_[consumer] != State::Ended;
                          });
      sum += written && needed ? (request.bytes + 255) / 256 * 256 : 0;
    }
    return sum;
  }

  const Work& work_;
  std::mt19937& random_;
  std::vector<State> state_;
  std::vector<Index> running_;
  std::uint64_t greatest_ = 0;
};

struct Ratios {
  std::vector<double> values;
  [[nodiscard]] double at(double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  }
};

}  // namespace

TEST_CASE("a chain of equal buffers needs two") {
  Work work;
  for (Index i = 0; i < 10; ++i) {
    work.predecessors.push_back(i == 0 ? std::vector<Index>{} : std::vector<Index>{i - 1});
    work.requests.push_back({1000, i, i == 9 ? std::vector<Index>{} : std::vector<Index>{i + 1}});
  }
  const MemoryPlan plan = plan_memory(work.predecessors, work.requests);
  CHECK(plan.sum == 10240);
  CHECK(plan.bytes == 2048);
  CHECK(plan.lower_bound == 2048);
}

TEST_CASE("parallel branches never share") {
  // 0 -> {1, 2} -> {3, 4} -> 5, two branches: one may be at its end while the other one begins, so
  // only the last buffer finds others gone.
  const Predecessors predecessors{{}, {0}, {0}, {1}, {2}, {3, 4}};
  const std::vector<MemoryRequest> requests{{256, 0, {1, 2}}, {256, 1, {3}}, {256, 2, {4}},
                                            {256, 3, {5}},    {256, 4, {5}}, {256, 5, {}}};
  const MemoryPlan plan = plan_memory(predecessors, requests);
  CHECK(plan.bytes == 1280);
  CHECK(count_clashes(plan, {predecessors, requests}) == 0);
}

TEST_CASE("offsets are multiples of 256, and requests of no bytes are in nobody's way") {
  const MemoryPlan plan =
      plan_memory({{}, {0}, {1}}, {{1, 0, {1}}, {0, 0, {2}}, {300, 1, {2}}, {5, 2, {}}});
  for (const std::uint64_t offset : plan.offsets) {
    CHECK(offset % kMemoryAlignment == 0);
  }
  CHECK(plan.bytes == 768);
  CHECK(plan_memory({}, {}).bytes == 0);
}

TEST_CASE("a large graph is planned, with a bound that is only a bound") {
  Work work;
  for (Index i = 0; i < 2000; ++i) {
    work.predecessors.push_back(i < 4 ? std::vector<Index>{} : std::vector<Index>{i - 4});
    work.requests.push_back(
        {4096, i, i + 4 < 2000 ? std::vector<Index>{i + 4} : std::vector<Index>{}});
  }
  const MemoryPlan plan = plan_memory(work.predecessors, work.requests);
  CHECK(plan.bytes == 4 * 2 * 4096);
  CHECK(plan.lower_bound <= plan.bytes);
}

TEST_CASE("what every step uses shares with nobody, also in a large graph") {
  Work work;
  std::vector<Index> all(3000);
  std::iota(all.begin(), all.end(), Index{0});
  for (Index i = 0; i < 3000; ++i) {
    work.predecessors.push_back(i == 0 ? std::vector<Index>{} : std::vector<Index>{i - 1});
    work.requests.push_back(i % 2 == 0 ? MemoryRequest{256, 0, all}
                                       : MemoryRequest{512, i, {std::min(i + 1, Index{2999})}});
  }
  const MemoryPlan plan = plan_memory(work.predecessors, work.requests);
  CHECK(plan.bytes == 1500 * 256 + 512);
  CHECK(plan.lower_bound == plan.bytes);
}

TEST_CASE("1,000 random graphs: nothing that is in use at once shares memory, and little is lost") {
  std::mt19937 random(20);
  Ratios to_bound;
  Ratios to_live;
  Ratios to_sum;
  std::size_t clashes = 0;
  std::size_t optimal = 0;
  std::size_t broken_bounds = 0;
  for (int i = 0; i < 1000; ++i) {
    const Work work = random_work(random);
    const MemoryPlan plan = plan_memory(work.predecessors, work.requests);
    clashes += count_clashes(plan, work);
    std::uint64_t live = 0;
    for (int run = 0; run < 10; ++run) {
      live = std::max(live, SimulatedRun(work, random).greatest_live_sum());
    }
    broken_bounds += live > plan.lower_bound || plan.lower_bound > plan.bytes ? 1 : 0;
    const auto bytes = static_cast<double>(plan.bytes);
    to_bound.values.push_back(bytes / static_cast<double>(plan.lower_bound));
    to_live.values.push_back(bytes / static_cast<double>(live));
    to_sum.values.push_back(bytes / static_cast<double>(plan.sum));
    optimal += plan.bytes == plan.lower_bound ? 1 : 0;
  }
  CHECK(clashes == 0);
  CHECK(broken_bounds == 0);
  CHECK(to_live.at(0.5) <= 1.15);
  CHECK(to_bound.at(0.5) <= 1.15);
  std::cout << "memory plans of 1,000 random graphs: " << clashes << " overlaps of live buffers; "
            << "arena / greatest live sum of 10 simulated runs: median " << to_live.at(0.5)
            << ", 90 % " << to_live.at(0.9) << ", worst " << to_live.at(1.0)
            << "; arena / lower bound: median " << to_bound.at(0.5) << ", worst "
            << to_bound.at(1.0) << "; " << optimal << " proven optimal; arena / sum: median "
            << to_sum.at(0.5) << "\n";
}
