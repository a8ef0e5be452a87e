// Lists of an Every that a loop launches as graphs of their own.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "gxr/cuda/check.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
using cuda::RuntimeLoop;

__global__ void count_up(std::int64_t* number) { ++*number; }

/// Takes a while.
__global__ void add_slowly(std::int64_t* to, const std::int64_t* what, std::uint64_t nanoseconds) {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  const std::uint64_t end = now + nanoseconds;
  while (now < end) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  }
  *to = *what;
}

/// Keeps, of each iteration, two numbers.
__global__ void keep(const std::int64_t* one, const std::int64_t* two, std::int64_t* kept) {
  kept[2 * (*one - 1)] = *one;
  kept[2 * (*one - 1) + 1] = *two;
}

DeviceLoopOptions launches_itself() {
  DeviceLoopOptions options;
  options.loop = GraphLoop::TailLaunch;
  return options;
}

DeviceBranch every(std::uint64_t count, std::uint64_t first, BranchLaunch launch) {
  DeviceBranch branch;
  branch.kind = BranchKind::Every;
  branch.count = count;
  branch.first = first;
  branch.launch = launch;
  return branch;
}

void run(RuntimeLoop& loop, std::uint64_t limit) {
  loop.launch(limit);
  while (loop.is_running()) {
    std::this_thread::sleep_for(100us);
  }
}

/// A loop that counts its iterations, and an Every that copies the count, which each iteration
/// reads as it was when it began.
struct CopyingLoop {
  explicit CopyingLoop(const DeviceBranch& branch, std::uint64_t iterations,
                       std::uint64_t nanoseconds = 0)
      : kept(2 * iterations),
        loop(launches_itself()),
        is_sibling(branch.launch == BranchLaunch::Sibling) {
    Numbers ends;
    const auto add = [&](const Work& work, const Numbers& after, const DeviceList& list,
                         std::size_t crosses = DeviceList::kNoBranch) {
      DeviceLoopPiece piece;
      piece.after = after;
      piece.list = list;
      piece.crosses = crosses;
      return loop.add(work, piece);
    };
    const auto copy = [](std::int64_t* to, const std::int64_t* from) {
      return [=](cudaStream_t stream) {
        cuda::check(cudaMemcpyAsync(to, from, sizeof *to, cudaMemcpyDeviceToDevice, stream),
                    "cudaMemcpyAsync");
      };
    };
    const std::size_t counts =
        add([this](cudaStream_t stream) { count_up<<<1, 1, 0, stream>>>(count.get()); }, {}, {});
    const std::size_t keeps = add(
        [this](cudaStream_t stream) {
          keep<<<1, 1, 0, stream>>>(count.get(), result.get(), kept.get());
        },
        {counts}, {});
    const std::size_t number = loop.add_branch(branch, {keeps}, {});
    const std::int64_t* const from = is_sibling ? in.get() : count.get();
    const std::size_t slow = add(
        [this, from, nanoseconds](cudaStream_t stream) {
          add_slowly<<<1, 1, 0, stream>>>(out.get(), from, nanoseconds);
        },
        {}, {number, 0});
    add(copy(result.get(), out.get()), {slow}, {number, 0},
        is_sibling ? number : DeviceList::kNoBranch);
    if (is_sibling) {
      add(copy(in.get(), count.get()), {counts, number}, {}, number);
    }
    loop.instantiate();
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
  void clear() const {
    for (const auto* array : {&count, &in, &out, &result, &kept}) {
      array->clear();
    }
  }

  DeviceArray<std::int64_t> count{1};
  DeviceArray<std::int64_t> in{1};
  DeviceArray<std::int64_t> out{1};
  DeviceArray<std::int64_t> result{1};
  DeviceArray<std::int64_t> kept;
  RuntimeLoop loop;
  bool is_sibling;
};

}  // namespace

TEST_CASE("An Every that is fired and forgotten has ended before the next iteration begins",
          "[sides]") {
  constexpr std::uint64_t kIterations = 50;
  CopyingLoop copies(every(7, 3, BranchLaunch::FireAndForget), kIterations);
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
    CHECK(copies.loop.finished() == kIterations);
    CHECK(copies.loop.report().left_out == 0);
  }
}

TEST_CASE("One that is fired in the last iteration still runs", "[sides]") {
  CopyingLoop copies(every(1, 0, BranchLaunch::FireAndForget), 5);
  run(copies.loop, 5);
  CHECK(copies.result.read().front() == 5);
}

TEST_CASE("A sibling reads what was written before its turn, and iterations go on meanwhile",
          "[sides]") {
  constexpr std::uint64_t kIterations = 20'000;
  constexpr std::int64_t kCount = 100;
  CopyingLoop copies(every(kCount, 0, BranchLaunch::Sibling), kIterations, 20'000);
  run(copies.loop, kIterations);
  const std::vector<std::int64_t> results = copies.results();
  std::int64_t last = 0;
  std::size_t changes = 0;
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
  // The first reads zeros; a few may have come late, and the last may not have been taken.
  const std::uint64_t left_out = copies.loop.report().left_out;
  CHECK(changes + left_out + 2 >= kIterations / kCount - 1);
  CHECK(changes > 0);
}

TEST_CASE("More siblings than CUDA takes in one launch", "[sides]") {
  constexpr std::uint64_t kIterations = 3'000;
  CopyingLoop copies(every(1, 0, BranchLaunch::Sibling), kIterations);
  for (int launch = 0; launch < 2; ++launch) {
    copies.clear();
    run(copies.loop, kIterations);
    const std::vector<std::int64_t> results = copies.results();
    CHECK(std::is_sorted(results.begin(), results.end()));
    const std::uint64_t left_out = copies.loop.report().left_out;
    CHECK(left_out < kIterations);
    CHECK(kIterations - left_out > 300);  // so many ran
    CHECK(results.back() > 0);
  }
}

TEST_CASE("A turn at which a sibling still runs is left out, and the loop ends behind it",
          "[sides]") {
  constexpr std::uint64_t kIterations = 100;
  CopyingLoop copies(every(1, 0, BranchLaunch::Sibling), kIterations, 50'000'000);
  run(copies.loop, kIterations);
  CHECK(copies.loop.report().left_out >= kIterations - 3);
  for (const std::int64_t result : copies.results()) {
    CHECK(result == 0);
  }
}

TEST_CASE("A loop with a sibling goes on when a piece was captured again", "[sides]") {
  constexpr std::uint64_t kIterations = 400;
  CopyingLoop copies(every(10, 5, BranchLaunch::Sibling), kIterations);
  run(copies.loop, kIterations / 2);
  copies.loop.replace(
      0, [&](cudaStream_t stream) { count_up<<<1, 1, 0, stream>>>(copies.count.get()); });
  copies.loop.instantiate();
  copies.loop.launch_from(kIterations / 2, kIterations);
  while (copies.loop.is_running()) {
    std::this_thread::sleep_for(100us);
  }
  const std::vector<std::int64_t> results = copies.results();
  CHECK(std::is_sorted(results.begin(), results.end()));
  CHECK(results.back() > static_cast<std::int64_t>(kIterations / 2));
}

}  // namespace gxr::test
