// Rounds of iterations that are taken only while iterations are short and few nodes.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/cuda_nodes.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "launched.hpp"

namespace gxr::test {
namespace {

using cuda::RuntimeLoop;

__global__ void count_up(std::uint64_t* number) { ++*number; }

DeviceLoopOptions rounds_of(std::uint32_t iterations) {
  DeviceLoopOptions options;
  options.unroll = iterations;
  return options;
}

std::size_t count_nodes(const RuntimeLoop& loop, cudaGraphNodeType type) {
  std::size_t found = 0;
  for (cudaGraph_t const graph : loop.graphs()) {
    const std::vector<cudaGraphNode_t> nodes = cuda::nodes_of(graph);
    found += static_cast<std::size_t>(std::ranges::count_if(
        nodes, [&](cudaGraphNode_t node) { return cuda::type_of(node) == type; }));
  }
  return found;
}

CapturedWork counts(const DeviceArray<std::uint64_t>& number, std::size_t times) {
  return [&number, times](cudaStream_t stream) {
    for (std::size_t i = 0; i < times; ++i) {
      count_up<<<1, 1, 0, stream>>>(number.get());
    }
  };
}

}  // namespace

TEST_CASE("A round follows iterations that were short", "[rounds]") {
  struct Expected {
    std::chrono::nanoseconds longest;
    std::uint64_t last_trip;  // at which so many could begin
  };
  constexpr std::uint64_t kIterations = 1 + 10 * 8 + 4;
  for (const auto& [longest, last_trip] :
       {Expected{std::chrono::hours(1), 73}, Expected{std::chrono::nanoseconds(1), 77}}) {
    CAPTURE(longest.count());
    const DeviceArray<std::uint64_t> number(1);
    DeviceLoopOptions options = rounds_of(8);
    options.iteration_of_round = longest;
    RuntimeLoop loop(options);
    loop.add(counts(number, 1), {});
    loop.instantiate();
    for (int launch = 1; launch <= 2; ++launch) {
      loop.launch(kIterations);
      REQUIRE(soon([&] { return !loop.is_running(); }));
      CHECK(loop.report().iterations == kIterations);
      CHECK(loop.end_state().trip_from == last_trip);
      CHECK(number.read().front() == launch * kIterations);
    }
  }
}

TEST_CASE("A round has no more nodes than it may", "[rounds]") {
  const DeviceArray<std::uint64_t> number(1);
  DeviceLoopOptions options = rounds_of(8);
  options.nodes_of_round = 64;
  RuntimeLoop loop(options);
  const std::size_t piece = loop.add(counts(number, 10), {});
  std::uint64_t expected = 0;
  const auto run = [&](std::size_t kernels) {
    loop.launch(100);
    REQUIRE(soon([&] { return !loop.is_running(); }));
    expected += 100 * kernels;
    CHECK(number.read().front() == expected);
  };
  loop.instantiate();
  CHECK(count_nodes(loop, cudaGraphNodeTypeConditional) == 3);
  CHECK(count_nodes(loop, cudaGraphNodeTypeKernel) == 1 + (6 + 1) * (10 + 1));
  run(10);
  loop.replace(piece, counts(number, 40));
  loop.instantiate();
  CHECK(count_nodes(loop, cudaGraphNodeTypeConditional) == 1);
  CHECK(count_nodes(loop, cudaGraphNodeTypeKernel) == 1 + 40 + 1);
  run(40);
  loop.replace(piece, counts(number, 1));
  loop.instantiate();
  CHECK(count_nodes(loop, cudaGraphNodeTypeConditional) == 3);
  CHECK(count_nodes(loop, cudaGraphNodeTypeKernel) == 1 + (8 + 1) * (1 + 1));
  run(1);
}

}  // namespace gxr::test
