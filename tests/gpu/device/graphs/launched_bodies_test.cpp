// Launched bodies: branch bodies of an Every that a loop launches as graphs of their own.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "gxr/cuda/check.hpp"
#include "launched_kernels.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
using cuda::RuntimeLoop;

DeviceLoopOptions launches_itself() {
  DeviceLoopOptions options;
  options.loop = GraphLoop::TailLaunch;
  return options;
}

DeviceBranch every(std::uint64_t count, std::uint64_t first, BranchLaunch launch) {
  return {.kind = BranchKind::Every, .count = count, .first = first, .launch = launch};
}

DeviceNode node_of(const DeviceBranch& branch, const Numbers& after = {}) {
  return {.kind = DeviceNode::Kind::Branch, .after = after, .branch = branch};
}

void await_end(RuntimeLoop& loop) {
  while (loop.is_running()) {
    std::this_thread::sleep_for(100us);
  }
}

void run(RuntimeLoop& loop, std::uint64_t limit) {
  loop.launch(limit);
  await_end(loop);
}

Work copying(std::int64_t* to, const std::int64_t* from) {
  return [=](cudaStream_t stream) {
    cuda::check(cudaMemcpyAsync(to, from, sizeof *to, cudaMemcpyDeviceToDevice, stream),
                "cudaMemcpyAsync");
  };
}

/// An Every that copies a count.
struct CopyingBranch {
  DeviceBranch branch;
  std::uint64_t nanoseconds = 0;  ///< how long that takes
};

std::vector<CopyingBranch> copying_every(std::uint64_t count, std::uint64_t first,
                                         BranchLaunch launch, std::uint64_t nanoseconds = 0) {
  std::vector<CopyingBranch> branches(1);
  branches.front().branch = every(count, first, launch);
  branches.front().nanoseconds = nanoseconds;
  return branches;
}

/// A loop that counts its iterations, and such branches. What the first of them has copied, each
/// iteration reads as it was when it began.
class CopyingLoop {
 public:
  CopyingLoop(const std::vector<CopyingBranch>& branches, std::uint64_t iterations)
      : kept(2 * iterations), loop(launches_itself()), iterations_(iterations) {
    const std::size_t counts =
        add([this](cudaStream_t stream) { count_up(count.get(), stream); }, {});
    const std::size_t keeps =
        add([this](cudaStream_t stream) { keep(count.get(), result.get(), kept.get(), stream); },
            {counts});
    for (const CopyingBranch& each : branches) {
      add_branch(each, counts, keeps);
    }
    loop.instantiate();
    clear();
  }

  /// What iterations read, from the first on.
  [[nodiscard]] std::vector<std::int64_t> results() const {
    const std::vector<std::int64_t> all = kept.read();
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < all.size(); i += 2) {
      CHECK(all[i] == static_cast<std::int64_t>(i / 2 + 1));  // each ran, once, in its turn
      found.push_back(all[i + 1]);
    }
    return found;
  }
  /// How often a branch ran, each time with the number of its turn: for that it has copied what was
  /// there when iteration `turn` began, or, if it is no sibling, had ended.
  [[nodiscard]] std::uint64_t turns(std::size_t branch = 0) const {
    const std::vector<std::int64_t> copied = copies_[branch]->of_turns.read();
    const std::int64_t more = copies_[branch]->is_sibling ? 0 : 1;
    std::uint64_t ran = 0;
    for (std::size_t n = 0; n < copied.size(); ++n) {
      if (copied[n] != kNothing) {
        ++ran;
        CHECK(copied[n] == static_cast<std::int64_t>(n) + more);
      }
    }
    return ran;
  }
  /// Before a launch from the first iteration on.
  void clear() const {
    for (const auto* array : {&count, &result, &kept}) {
      array->clear();
    }
    for (const auto& copy : copies_) {
      copy->in.clear();
      copy->out.clear();
      copy->of_turns.fill(0xff);  // kNothing
    }
  }
  [[nodiscard]] const DeviceArray<std::int64_t>& out(std::size_t branch = 0) const {
    return copies_[branch]->out;
  }

  DeviceArray<std::int64_t> count{1};
  DeviceArray<std::int64_t> result{1};
  DeviceArray<std::int64_t> kept;
  RuntimeLoop loop;

 private:
  struct Copy {
    Copy(bool sibling, std::uint64_t iterations)
        : is_sibling(sibling), of_turns(iterations), in(1), out(1) {}
    bool is_sibling;
    DeviceArray<std::int64_t> of_turns;
    DeviceArray<std::int64_t> in;  // of a sibling: what it reads
    DeviceArray<std::int64_t> out;
  };

  std::size_t add(const Work& work, const Numbers& after, const DeviceBody& body = {},
                  std::size_t crosses = kNoNode) {
    return loop.add(work, {.body = body, .after = after, .crosses = crosses});
  }
  void add_branch(const CopyingBranch& added, std::size_t counts, std::size_t keeps) {
    const bool is_sibling = added.branch.launch == BranchLaunch::Sibling;
    const Copy& copy = *copies_.emplace_back(std::make_unique<Copy>(is_sibling, iterations_ + 1));
    const std::size_t number = loop.add_branch({}, node_of(added.branch, {keeps}));
    const std::int64_t* const from = is_sibling ? copy.in.get() : count.get();
    const std::uint64_t* const turn = loop.iteration_in(number);
    const std::size_t slow = add(
        [&copy, from, turn, added](cudaStream_t stream) {
          copy_slowly(copy.out.get(), from, added.nanoseconds, turn, copy.of_turns.get(), stream);
        },
        {}, {number, 0});
    if (copies_.size() == 1) {
      add(copying(result.get(), copy.out.get()), {slow}, {number, 0},
          is_sibling ? number : kNoNode);
    }
    if (is_sibling) {
      add(copying(copy.in.get(), count.get()), {counts, number}, {}, number);
    }
  }

  std::vector<std::unique_ptr<Copy>> copies_;
  std::uint64_t iterations_;
};

}  // namespace

TEST_CASE("An Every that is fired and forgotten has ended before the next iteration begins",
          "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 50;
  CopyingLoop copies(copying_every(7, 3, BranchLaunch::FireAndForget), kIterations);
  for (int launch = 0; launch < 2; ++launch) {
    copies.clear();
    run(copies.loop, kIterations);
    std::vector<std::int64_t> wanted;
    std::int64_t last = 0;
    for (std::uint64_t n = 0; n < kIterations; ++n) {
      wanted.push_back(last);
      last = n >= 3 && (n - 3) % 7 == 0 ? static_cast<std::int64_t>(n + 1) : last;
    }
    CHECK(copies.results() == wanted);
    CHECK(copies.turns() == 7);
    CHECK(copies.loop.control().finished() == kIterations);
    CHECK(copies.loop.report().left_out == 0);
  }
}

TEST_CASE("One that is fired in the last iteration still runs", "[launched_bodies]") {
  CopyingLoop copies(copying_every(1, 0, BranchLaunch::FireAndForget), 5);
  run(copies.loop, 5);
  CHECK(copies.result.read().front() == 5);
  CHECK(copies.turns() == 5);
}

TEST_CASE("A loop that begins later has those turns that are left", "[launched_bodies]") {
  CopyingLoop copies(copying_every(6, 4, BranchLaunch::FireAndForget), 20);
  copies.loop.launch_from(5, 20);
  await_end(copies.loop);
  // Iterations 10 and 16, which are the sixth and the twelfth.
  CHECK(copies.count.read().front() == 15);
  CHECK(copies.result.read().front() == 12);
}

TEST_CASE("A sibling reads what was written before its turn", "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 20'000;
  constexpr std::int64_t kCount = 100;
  CopyingLoop copies(copying_every(kCount, 0, BranchLaunch::Sibling, 20'000), kIterations);
  run(copies.loop, kIterations);
  const std::vector<std::int64_t> results = copies.results();
  std::int64_t last = 0;
  std::uint64_t changes = 0;
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (results[n] != last) {
      ++changes;
      CHECK(results[n] > last);
      CHECK(results[n] % kCount == 0);
      // It was copied when it was due, in the iteration of that number, and ran beside others.
      CHECK(static_cast<std::size_t>(results[n]) < n);
      last = results[n];
    }
  }
  const std::uint64_t ran = copies.turns();
  CHECK(ran + copies.loop.report().left_out == kIterations / kCount);
  // The first one reads zeros, and the last may not have ended before the loop.
  CHECK(changes + 2 >= ran);
  CHECK(changes > 0);
}

TEST_CASE("More siblings than CUDA takes in one launch", "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 3'000;
  CopyingLoop copies(copying_every(1, 0, BranchLaunch::Sibling), kIterations);
  for (int launch = 0; launch < 2; ++launch) {
    copies.clear();
    run(copies.loop, kIterations);
    const std::vector<std::int64_t> results = copies.results();
    CHECK(std::is_sorted(results.begin(), results.end()));
    const std::uint64_t ran = copies.turns();
    CHECK(ran > 300);
    CHECK(ran + copies.loop.report().left_out == kIterations);
    CHECK(results.back() > 0);
  }
}

TEST_CASE(
    "Iterations go on while a sibling runs, whose turns are left out, and the loop ends "
    "behind it",
    "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 100;
  CopyingLoop copies(copying_every(1, 0, BranchLaunch::Sibling, 50'000'000), kIterations);
  constexpr std::int64_t kBefore = 7;
  cuda::check(cudaMemcpy(copies.out().get(), &kBefore, sizeof kBefore, cudaMemcpyHostToDevice),
              "cudaMemcpy");
  copies.loop.launch(kIterations);
  bool went_on = false;
  while (copies.loop.is_running()) {
    went_on = went_on || copies.loop.waits_for_siblings();
    std::this_thread::sleep_for(100us);
  }
  CHECK(went_on);
  CHECK_FALSE(copies.loop.waits_for_siblings());
  CHECK(copies.out().read().front() == 0);  // the count at the begin
  CHECK(copies.turns() == 1);
  CHECK(copies.loop.report().left_out == kIterations - 1);
  for (const std::int64_t result : copies.results()) {
    CHECK(result == 0);
  }
}

TEST_CASE("A long sibling does not hold the loop up when there are many of another",
          "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 8'000;
  constexpr std::uint64_t kTurns = kIterations / 8;
  std::vector<CopyingBranch> branches = copying_every(8, 0, BranchLaunch::Sibling);
  branches.push_back(copying_every(1'000'000, 0, BranchLaunch::Sibling, 1'000'000'000).front());
  branches.push_back(copying_every(8, 4, BranchLaunch::FireAndForget).front());
  CopyingLoop copies(branches, kIterations);
  copies.loop.launch(kIterations);
  bool waited = false;
  while (copies.loop.is_running()) {
    waited = waited || copies.loop.waits_for_siblings();
    std::this_thread::sleep_for(1ms);
  }
  CHECK(waited);  // all iterations were done before the long one
  CHECK(copies.turns(1) == 1);
  CHECK(copies.turns(2) == kTurns);
  const std::uint64_t ran = copies.turns();
  CHECK(ran >= 80);
  CHECK(ran <= 120);
  CHECK(ran + copies.loop.report().left_out == kTurns);
}

TEST_CASE("A loop with siblings goes on when a node was captured again", "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 400;
  for (const std::uint64_t nanoseconds : {0U, 300'000U}) {
    CAPTURE(nanoseconds);
    std::vector<CopyingBranch> branches = copying_every(1, 0, BranchLaunch::Sibling, nanoseconds);
    branches.push_back(copying_every(10, 0, BranchLaunch::FireAndForget).front());
    CopyingLoop copies(branches, kIterations);
    run(copies.loop, kIterations / 2);
    copies.loop.replace(0, [&](cudaStream_t stream) { count_up(copies.count.get(), stream); });
    copies.loop.instantiate();
    copies.loop.launch_from(kIterations / 2, kIterations);
    await_end(copies.loop);
    const std::vector<std::int64_t> results = copies.results();
    CHECK(std::is_sorted(results.begin(), results.end()));
    CHECK(results.back() > 0);
    CHECK(copies.turns(1) == kIterations / 10);
    CHECK(copies.turns() + copies.loop.report().left_out == kIterations);
  }
}

// CUDA takes no nodes without work in a graph that the GPU launches.
TEST_CASE(
    "An operator of a loop that launches itself, and one in a launched body, are switched off",
    "[launched_bodies]") {
  constexpr std::uint64_t kIterations = 100;
  constexpr std::size_t kKeeps = 1;
  constexpr std::size_t kSlow = 3;
  for (const BranchLaunch launch : {BranchLaunch::FireAndForget, BranchLaunch::Sibling}) {
    CAPTURE(static_cast<int>(launch));
    CopyingLoop copies(copying_every(1, 0, launch), kIterations);
    copies.loop.replace_by_copy(kKeeps, {});
    copies.loop.replace_by_copy(kSlow, {});
    copies.loop.instantiate();
    run(copies.loop, kIterations);
    CHECK(copies.count.read().front() == static_cast<std::int64_t>(kIterations));
    CHECK(copies.turns() == 0);
    CHECK(copies.kept.read() == std::vector<std::int64_t>(2 * kIterations));
  }
}

TEST_CASE("More branches than a loop launches are refused", "[launched_bodies]") {
  RuntimeLoop loop(launches_itself());
  for (int i = 0; i < 20; ++i) {
    loop.add_branch({}, node_of(every(1, 0, BranchLaunch::Sibling)));
  }
  CHECK_THROWS_WITH(loop.add_branch({}, node_of(every(1, 0, BranchLaunch::Sibling))),
                    "more than 20 branches that a loop launches as graphs of their own");
}

}  // namespace gxr::test
