// Changes of graphs that were instantiated.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/graph.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "extensions/cuda/runtime/runtime.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/error.hpp"
#include "launched.hpp"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using cuda::check;
using cuda::runtime;
using cuda::RuntimeGraph;

using Work = std::function<void(cudaStream_t)>;

__global__ void put(std::uint32_t* out, std::uint32_t value) { *out = value; }

/// Takes a millisecond.
__global__ void put_at(std::uint32_t* out, const std::uint64_t* index, std::uint32_t value) {
  const std::int64_t begin = clock64();
  while (clock64() - begin < 1'000'000) {
  }
  out[*index] = value;
}

Work puts(std::uint32_t* out, std::uint32_t value) {
  return [=](cudaStream_t stream) { put<<<1, 1, 0, stream>>>(out, value); };
}

Work in_child_graph(Work work) {
  return [work = std::move(work)](cudaStream_t stream) {
    cudaStream_t inner = nullptr;
    cudaGraph_t child = nullptr;
    check(cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaStreamBeginCapture(inner, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    work(inner);
    check(cudaStreamEndCapture(inner, &child), "cudaStreamEndCapture");
    const cuda::GraphHandle owner(child);
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* before = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count),
          "cudaStreamGetCaptureInfo");
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddChildGraphNode(&node, graph, before, count, child),
          "cudaGraphAddChildGraphNode");
    check(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                              cudaStreamSetCaptureDependencies),
          "cudaStreamUpdateCaptureDependencies");
    check(cudaStreamDestroy(inner), "cudaStreamDestroy");
  };
}

}  // namespace

TEST_CASE("New parameters of nodes are set in the graph that is there", "[changes]") {
  const DeviceArray<std::uint32_t> out(4);
  std::uint32_t* const to = out.get();
  const auto all = [to](std::uint32_t value) {
    return [=](cudaStream_t stream) {
      put<<<1, 1, 0, stream>>>(to, value);
      check(cudaMemsetAsync(to + 1, static_cast<int>(value), 1, stream), "cudaMemsetAsync");
      check(cudaMemcpyAsync(to + 2, to, sizeof *to, cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
    };
  };
  Launched on;
  const std::size_t first = on.graph.add(all(1), {});
  const std::size_t second = on.graph.add(puts(to + 3, 1), {.after = {first}});
  on.graph.instantiate();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 1, 1, 1});
  on.graph.replace(first, all(2));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 2, 2, 1});
  on.graph.replace(first, all(3));
  on.graph.replace(second, puts(to + 3, 4));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{3, 3, 3, 4});
  CHECK(is(on.graph.updates(), 2, 0, 0));
}

TEST_CASE("Pieces with child graphs are changed by an update of the whole graph", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  Launched on;
  const std::size_t first = on.graph.add(in_child_graph(puts(out.get(), 1)), {});
  const std::size_t second = on.graph.add(puts(out.get() + 1, 1), {.after = {first}});
  on.graph.instantiate();
  on.run();
  on.graph.replace(first, in_child_graph(puts(out.get(), 2)));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 1});
  CHECK(is(on.graph.updates(), 0, 1, 0));
  // The nodes of the other piece are still known.
  on.graph.replace(second, puts(out.get() + 1, 3));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 3});
  CHECK(is(on.graph.updates(), 1, 1, 0));
}

TEST_CASE("Pieces with other nodes need another instantiation", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  std::uint32_t* const to = out.get();
  Launched on;
  const std::size_t piece = on.graph.add(puts(to, 1), {});
  on.graph.add(puts(to + 1, 1), {.after = {piece}});
  on.graph.instantiate();
  on.run();
  on.graph.replace(piece, [to](cudaStream_t stream) {
    put<<<1, 1, 0, stream>>>(to, 1);
    put<<<1, 1, 0, stream>>>(to, 2);
  });
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 1});
  CHECK(on.graph.nodes() == 3);
  CHECK(is(on.graph.updates(), 0, 0, 1));
  // From then on nodes are those of the new graph.
  on.graph.replace(piece, [to](cudaStream_t stream) {
    put<<<1, 1, 0, stream>>>(to, 1);
    put<<<1, 1, 0, stream>>>(to, 5);
  });
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{5, 1});
  CHECK(is(on.graph.updates(), 1, 0, 1));
}

TEST_CASE("A capture that fails leaves the graph as it was", "[changes]") {
  const DeviceArray<std::uint32_t> out(1);
  Launched on;
  const std::size_t piece = on.graph.add(puts(out.get(), 1), {});
  on.graph.instantiate();
  CHECK_THROWS_WITH(on.graph.replace(piece, [](cudaStream_t) {}),
                    ContainsSubstring("nothing was put on"));
  CHECK_THROWS_WITH(
      on.graph.replace(
          piece, [](cudaStream_t) { throw Error(ErrorCode::InvalidData, "the table is broken"); }),
      ContainsSubstring("the table is broken"));
  on.run();
  CHECK(out.read().front() == 1);
}

TEST_CASE("Launches are numbered, and those on the stream keep their parameters", "[changes]") {
  constexpr std::uint32_t kEach = 5;
  const DeviceArray<std::uint32_t> out(4 * kEach);
  const DeviceArray<std::uint32_t> other(4 * kEach);
  const DeviceArray<std::uint64_t> number(1);
  const auto puts_at = [&](const DeviceArray<std::uint32_t>& array, std::uint32_t value) {
    return [to = array.get(), index = number.get(), value](cudaStream_t stream) {
      put_at<<<1, 1, 0, stream>>>(to, index, value);
    };
  };
  Launched on;
  // Both begin at once, and both behind what writes the number.
  const std::size_t piece = on.graph.add(puts_at(out, 1), {});
  on.graph.add(puts_at(other, 7), {});
  on.graph.count_launches(number.get(), 0);
  on.graph.instantiate();
  CHECK(on.graph.nodes() == 2);
  const auto launch_some = [&] {
    for (std::uint32_t i = 0; i < kEach; ++i) {
      on.launch();
    }
  };
  launch_some();
  on.graph.replace(piece, puts_at(out, 2));
  on.update();
  launch_some();
  on.graph.replace(piece, [&](cudaStream_t stream) {
    puts_at(out, 0)(stream);
    puts_at(out, 3)(stream);
  });
  on.update();
  launch_some();
  on.graph.enable(piece, false);
  launch_some();
  on.wait();
  std::vector<std::uint32_t> wanted;
  for (const std::uint32_t value : {1U, 2U, 3U, 0U}) {
    wanted.insert(wanted.end(), kEach, value);
  }
  CHECK(out.read() == wanted);
  CHECK(other.read() == std::vector<std::uint32_t>(4 * kEach, 7));
  CHECK(is(on.graph.updates(), 1, 0, 1));
}

TEST_CASE("Launches can be counted from some time on", "[changes]") {
  const DeviceArray<std::uint64_t> number(1);
  const DeviceArray<std::uint32_t> out(1);
  Launched on;
  on.graph.add(puts(out.get(), 1), {});
  on.graph.instantiate();
  on.run();
  CHECK(number.read().front() == 0);
  on.graph.count_launches(number.get(), 41);
  on.update();
  on.run();
  CHECK(number.read().front() == 41);
  on.run();
  CHECK(number.read().front() == 42);
  CHECK(is(on.graph.updates(), 0, 0, 1));
}

TEST_CASE("A piece is switched off and on", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  std::uint32_t* const to = out.get();
  Launched on;
  const std::size_t first = on.graph.add(puts(to, 1), {});
  const std::size_t second = on.graph.add(puts(to + 1, 1), {.after = {first}});
  on.graph.instantiate();
  on.graph.enable(second, false);
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 0});
  SECTION("and gets new parameters meanwhile") {
    on.graph.replace(second, puts(to + 1, 2));
    on.update();
    on.run();
    CHECK(out.read() == std::vector<std::uint32_t>{1, 0});
    on.graph.enable(second, true);
    on.run();
    CHECK(out.read() == std::vector<std::uint32_t>{1, 2});
    CHECK(is(on.graph.updates(), 1, 0, 0));
  }
  SECTION("and stays so when the graph is instantiated anew") {
    on.graph.replace(first, [to](cudaStream_t stream) {
      put<<<1, 1, 0, stream>>>(to, 1);
      put<<<1, 1, 0, stream>>>(to, 3);
    });
    on.update();
    on.run();
    CHECK(out.read() == std::vector<std::uint32_t>{3, 0});
    on.graph.enable(second, true);
    on.run();
    CHECK(out.read() == std::vector<std::uint32_t>{3, 1});
    CHECK(is(on.graph.updates(), 0, 0, 1));
  }
}

TEST_CASE("What follows a piece in whose place nothing is done follows what is in front of it",
          "[changes]") {
  const DeviceArray<std::uint32_t> out(3);
  const DeviceArray<std::uint64_t> index(1);
  std::uint32_t* const to = out.get();
  const auto slow = [to, at = index.get()](std::uint32_t value) {
    return [=](cudaStream_t stream) { put_at<<<1, 1, 0, stream>>>(to, at, value); };
  };
  const auto copies = [to](std::size_t target, std::size_t source) {
    return [=](cudaStream_t stream) {
      check(cudaMemcpyAsync(to + target, to + source, sizeof *to, cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
    };
  };
  Launched on;
  const std::size_t first = on.graph.add(slow(1), {});
  const std::size_t second = on.graph.add(copies(1, 0), {.after = {first}});
  on.graph.add(copies(2, 0), {.after = {second}});
  on.graph.instantiate();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 1, 1});
  on.graph.replace_by_copy(second, {});
  on.graph.replace(first, slow(2));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 1, 2});
  on.graph.replace(first, slow(3));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{3, 1, 3});
  on.graph.replace(second, copies(1, 0));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{3, 3, 3});
  CHECK(is(on.graph.updates(), 1, 0, 2));
}

TEST_CASE("A copy takes the place of a piece", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  std::uint32_t* const to = out.get();
  Launched on;
  const std::size_t first = on.graph.add(puts(to, 1), {});
  const std::size_t second = on.graph.add(puts(to + 1, 5), {.after = {first}});
  on.graph.instantiate();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 5});
  on.graph.replace_by_copy(second, {to + 1, to, sizeof *to});
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 1});
  on.graph.replace(second, puts(to + 1, 6));
  on.update();
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{1, 6});
  CHECK(is(on.graph.updates(), 0, 0, 2));
}

TEST_CASE("Pieces of a loop are replaced between two launches", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  std::uint32_t* const to = out.get();
  cuda::RuntimeLoop loop(DeviceLoopOptions{});
  DeviceNode place;
  const std::size_t first = loop.add(puts(to, 1), place);
  place.after = {first};
  const std::size_t second = loop.add(puts(to + 1, 5), place);
  const auto run_to = [&](std::uint64_t done, std::uint64_t limit) {
    loop.instantiate();
    loop.launch_from(done, limit);
    REQUIRE(soon([&] { return !loop.is_running(); }));
    CHECK(loop.control().finished() == limit);
  };
  run_to(0, 2);
  CHECK(out.read() == std::vector<std::uint32_t>{1, 5});
  loop.replace(first, puts(to, 2));
  loop.replace_by_copy(second, {});
  run_to(2, 3);
  CHECK(out.read() == std::vector<std::uint32_t>{2, 5});
  loop.replace_by_copy(second, {to + 1, to, sizeof *to});
  run_to(3, 5);
  CHECK(out.read() == std::vector<std::uint32_t>{2, 2});
  loop.replace_by_copy(first, {});
  loop.replace(second, puts(to + 1, 7));
  run_to(5, 6);
  CHECK(out.read() == std::vector<std::uint32_t>{2, 7});
}

TEST_CASE("A piece with a child graph is not switched off", "[changes]") {
  const DeviceArray<std::uint32_t> out(1);
  Launched on;
  const std::size_t piece = on.graph.add(in_child_graph(puts(out.get(), 1)), {});
  on.graph.instantiate();
  CHECK_THROWS_WITH(on.graph.enable(piece, false), ContainsSubstring("child graph"));
  CHECK_NOTHROW(on.graph.enable(piece, true));  // as it is
  on.run();
  CHECK(out.read().front() == 1);
}

TEST_CASE("What a piece keeps is let go when no launch needs it any more", "[changes]") {
  const DeviceArray<std::uint32_t> out(2);
  const auto make_kept = [] {
    return std::shared_ptr<std::uint32_t>(
        [] {
          std::uint32_t* memory = nullptr;
          check(cudaMalloc(&memory, sizeof *memory), "cudaMalloc");
          return memory;
        }(),
        [](std::uint32_t* memory) { cudaFree(memory); });
  };
  std::weak_ptr<std::uint32_t> old_one;
  std::weak_ptr<std::uint32_t> new_one;
  {
    Launched on;
    const auto keeps = [&](std::uint32_t value, std::weak_ptr<std::uint32_t>& one) {
      auto kept = make_kept();  // while no stream is captured
      one = kept;
      return [&, value, kept = std::move(kept)](cudaStream_t stream) mutable {
        puts(out.get(), value)(stream);
        on.graph.keep(std::move(kept));
      };
    };
    const std::size_t piece = on.graph.add(keeps(1, old_one), {});
    on.graph.instantiate();
    on.run();
    CHECK_FALSE(old_one.expired());
    on.graph.replace(piece, keeps(2, new_one));
    CHECK_FALSE(old_one.expired());
    on.update();
    on.run();
    on.run();  // looks whether all is done that was launched before the update
    CHECK(soon([&] { return old_one.expired(); }));
    CHECK_FALSE(new_one.expired());
    CHECK(is(on.graph.updates(), 1, 0, 0));
    // It stays while nothing is done in the place of the piece.
    on.graph.replace_by_copy(piece, {});
    on.update();
    on.run();
    on.graph.replace_by_copy(piece, {out.get(), out.get() + 1, sizeof(std::uint32_t)});
    on.update();
    on.run();
    on.run();
    CHECK_FALSE(new_one.expired());
    on.graph.replace(piece, puts(out.get(), 3));
    on.update();
    on.run();
    on.run();
    CHECK(soon([&] { return new_one.expired(); }));
  }
  CHECK(soon([&] { return new_one.expired(); }));
}

}  // namespace gxr::test
