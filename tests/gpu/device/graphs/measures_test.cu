// Launches of graphs that are measured, part by part.

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "gxr/cuda/check.hpp"
#include "launched.hpp"

namespace gxr::test {
namespace {

using cuda::check;

using Work = std::function<void(cudaStream_t)>;

__global__ void put_value(std::uint32_t* out, std::uint32_t value) { *out = value; }

__global__ void put_value_at(std::uint32_t* out, const std::uint64_t* index, std::uint32_t value) {
  out[*index] = value;
}

__global__ void add_one_at(std::uint32_t* out, const std::uint64_t* index) { ++out[*index]; }

__global__ void pass_time(std::uint64_t ns) {
  std::uint64_t begin = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}

Work puts_value(std::uint32_t* out, std::uint32_t value) {
  return [=](cudaStream_t stream) { put_value<<<1, 1, 0, stream>>>(out, value); };
}

Work takes(std::chrono::nanoseconds time) {
  return [=](cudaStream_t stream) {
    pass_time<<<1, 1, 0, stream>>>(static_cast<std::uint64_t>(time.count()));
  };
}

/// Through memory that is there for one launch.
Work puts_through_memory(std::uint32_t* out, std::uint32_t value) {
  return [=](cudaStream_t stream) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, sizeof *out, stream), "cudaMallocAsync");
    put_value<<<1, 1, 0, stream>>>(static_cast<std::uint32_t*>(memory), value);
    check(cudaMemcpyAsync(out, memory, sizeof *out, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  };
}

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

TEST_CASE("Launches are measured on the time line of the host", "[measures]") {
  using namespace std::chrono_literals;
  Launched on(DeviceGraphOptions{.instrument_every = 3});
  const std::size_t first = on.graph.add(takes(2ms), {});
  const std::size_t beside = on.graph.add(takes(4ms), {});
  static_cast<void>(on.graph.add(takes(1ms), {.after = {first, beside}}));
  on.graph.instantiate();
  const std::int64_t begin = steady_ns();
  for (int i = 0; i < 7; ++i) {
    on.launch();
  }
  on.wait();
  const std::int64_t end = steady_ns();
  const std::vector<MeasuredIteration> found = on.graph.measured();
  REQUIRE(found.size() == 3);
  const std::int64_t slack = 1'000'000;  // ns: the clocks are not the same
  for (std::size_t i = 0; i < found.size(); ++i) {
    const MeasuredIteration& iteration = found[i];
    CHECK(iteration.number == 3 * i);
    CHECK(iteration.begin_ns >= begin - slack);
    CHECK(iteration.end_ns() <= end + slack);
    REQUIRE(iteration.parts.size() == 3);
    CHECK(iteration.parts[0].begin_ns == iteration.begin_ns);
    CHECK(iteration.parts[1].begin_ns == iteration.begin_ns);
    CHECK(iteration.parts[0].end_ns - iteration.parts[0].begin_ns >= 1'980'000);
    CHECK(iteration.parts[0].end_ns < iteration.parts[1].end_ns);
    CHECK(iteration.parts[2].begin_ns == iteration.parts[1].end_ns);
    CHECK(iteration.parts[2].end_ns - iteration.parts[2].begin_ns >= 990'000);
    CHECK(iteration.parts[2].end_ns == iteration.end_ns());
  }
}

TEST_CASE("A loop measures the first iteration of a launch, and every n-th", "[measures]") {
  struct Case {
    std::uint32_t unroll;
    std::uint32_t every;
    std::vector<std::uint64_t> numbers;
  };
  const std::vector<Case> cases = {
      {1, 7, {3, 7, 14, 21}},
      {4, 7, {3, 7, 14, 21}},
      {2, 2, {3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}},
      {4, 1000, {3}},
      {1, 1, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}}};
  for (const auto& [unroll, every, numbers] : cases) {
    CAPTURE(unroll, every);
    const DeviceArray<std::uint32_t> out(32);
    DeviceLoopOptions options;
    options.loop = GraphLoop::ControlAtEnd;
    options.unroll = unroll;
    options.slots = 8;
    options.instrument_every = every;
    cuda::RuntimeLoop loop(options);
    loop.add(
        [&](cudaStream_t stream) { add_one_at<<<1, 1, 0, stream>>>(out.get(), loop.iteration()); },
        {});
    for (int launch = 1; launch <= 2; ++launch) {
      loop.instantiate();  // again, as behind a change
      loop.launch_from(3, 24);
      REQUIRE(soon([&] { return !loop.is_running(); }));
      CHECK(loop.report().iterations == 24);
      std::vector<std::uint64_t> found;
      for (const MeasuredIteration& iteration : loop.measured()) {
        found.push_back(iteration.number);
        REQUIRE(iteration.parts.size() == 1);
        CHECK(iteration.parts[0].end_ns > iteration.parts[0].begin_ns);
      }
      CHECK(found == numbers);
      const std::vector<std::uint32_t> ran = out.read();
      for (std::size_t i = 0; i < ran.size(); ++i) {
        CHECK(ran[i] == (i >= 3 && i < 24 ? static_cast<std::uint32_t>(launch) : 0U));
      }
    }
  }
}

TEST_CASE("Launches that are measured do what the others do", "[measures]") {
  const DeviceArray<std::uint32_t> out(16);
  const DeviceArray<std::uint64_t> counter(1);
  std::uint32_t* const to = out.get();
  const auto at_its_place = [&](std::uint32_t value) {
    return [=, index = counter.get()](cudaStream_t stream) {
      put_value_at<<<1, 1, 0, stream>>>(to + 2, index, value);
    };
  };
  Launched on(DeviceGraphOptions{.instrument_every = 2});
  const std::size_t numbered = on.graph.add(at_its_place(1), {});
  static_cast<void>(on.graph.add(puts_through_memory(to, 5), {.after = {numbered}}));
  const std::size_t plain = on.graph.add(puts_value(to + 1, 1), {});
  on.graph.count_launches(counter.get(), 0);
  on.graph.instantiate();
  const auto run_two = [&] {  // the first is measured
    on.run();
    on.run();
  };
  run_two();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  on.graph.replace(numbered, at_its_place(2));
  on.graph.replace(plain, puts_value(to + 1, 2));
  on.update();
  run_two();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 2, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  on.graph.enable(plain, false);
  check(cudaMemset(to, 0, 2 * sizeof *to), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  run_two();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 0, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0});
  // Still off in a graph that is made anew.
  on.graph.replace(numbered, at_its_place(3));
  on.update();
  run_two();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 0, 1, 1, 2, 2, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0});
  on.graph.enable(plain, true);
  run_two();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0});
  const std::vector<MeasuredIteration> found = on.graph.measured();
  REQUIRE(found.size() == 5);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].number == 2 * i);
  }
}

}  // namespace gxr::test
