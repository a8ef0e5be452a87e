// Nodes that only a graph has that the host launches: events of an operator's own, and memory.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/cuda_nodes.hpp"
#include "extensions/cuda/runtime/graph.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "extensions/cuda/runtime/runtime.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/error.hpp"
#include "kernels.cuh"
#include "launched.hpp"
#include "tests/extensions/gpu/kernels.cuh"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using cuda::check;
using cuda::runtime;
using cuda::RuntimeGraph;
using cuda::RuntimeLoop;

using Work = std::function<void(cudaStream_t)>;

constexpr std::size_t kBytes = 4 << 20;
constexpr std::uint32_t kLaunches = 1000;

__global__ void put(std::uint32_t* out, std::uint32_t value) { *out = value; }

__global__ void accumulate(std::uint32_t* sum, const std::uint32_t* value) { *sum += *value; }

__global__ void put_at(std::uint32_t* out, const std::uint64_t* index, std::uint32_t value) {
  out[*index] = value;
}

/// Notes what is in `word` when it has run for some milliseconds.
__global__ void note_late(const volatile std::int32_t* word, std::int32_t* seen,
                          std::int32_t* count) {
  gpu::spend(5'000'000);
  seen[*count] = *word;
  ++*count;
}

Work puts(std::uint32_t* out, std::uint32_t value) {
  return [=](cudaStream_t stream) { put<<<1, 1, 0, stream>>>(out, value); };
}

std::uint32_t* allocate(cudaStream_t stream, std::size_t bytes = kBytes) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, stream), "cudaMallocAsync");
  return static_cast<std::uint32_t*>(memory);
}

/// Adds `value` to `*sum` by way of memory at both ends of an allocation.
Work adds(std::uint32_t* sum, std::uint32_t value, bool frees = true) {
  return [=](cudaStream_t stream) {
    std::uint32_t* const memory = allocate(stream);
    std::uint32_t* const end = memory + kBytes / sizeof *memory - 1;
    put<<<1, 1, 0, stream>>>(memory, value - 1);
    put<<<1, 1, 0, stream>>>(end, 1);
    accumulate<<<1, 1, 0, stream>>>(sum, memory);
    accumulate<<<1, 1, 0, stream>>>(sum, end);
    if (frees) {
      check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
    }
  };
}

std::ptrdiff_t count_nodes(const RuntimeGraph& graph, cudaGraphNodeType type) {
  const std::vector<cudaGraphNode_t> nodes = cuda::nodes_of(graph.get());
  return std::count_if(nodes.begin(), nodes.end(),
                       [&](cudaGraphNode_t node) { return cuda::type_of(node) == type; });
}

std::uint64_t graph_memory() { return runtime().memory().graph_memory(0).reserved_bytes; }

/// A word of device memory, written by a stream outside of the graph that the graph waits for, and
/// that waits for the graph.
class WrittenOutside {
 public:
  explicit WrittenOutside(std::int32_t rounds) : seen_(static_cast<std::size_t>(rounds)) {}
  WrittenOutside(const WrittenOutside&) = delete;
  WrittenOutside& operator=(const WrittenOutside&) = delete;
  ~WrittenOutside() { runtime().release_stream(stream_); }

  void write(std::int32_t value) {
    check(cudaStreamWaitEvent(stream_.handle(), read_.get()), "cudaStreamWaitEvent");
    fill(word_.get(), 1, value, 2'000'000, stream_);
    check(cudaEventRecord(written_.get(), stream_.handle()), "cudaEventRecord");
  }
  [[nodiscard]] Work notes() const {
    return [this](cudaStream_t stream) {
      check(cudaStreamWaitEvent(stream, written_.get(), cudaEventWaitExternal),
            "cudaStreamWaitEvent");
      note_late<<<1, 1, 0, stream>>>(word_.get(), seen_.get(), count_.get());
      check(cudaEventRecordWithFlags(read_.get(), stream, cudaEventRecordExternal),
            "cudaEventRecordWithFlags");
    };
  }
  [[nodiscard]] std::vector<std::int32_t> seen() const { return seen_.read(); }

 private:
  DeviceArray<std::int32_t> word_{1};
  DeviceArray<std::int32_t> seen_;
  DeviceArray<std::int32_t> count_{1};
  cuda::Event written_ = cuda::make_event();
  cuda::Event read_ = cuda::make_event();
  DeviceStream& stream_ = runtime().acquire_stream({});
};

std::vector<std::int32_t> one_to(std::int32_t last) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST_CASE("A graph waits for events, and records some, that others know", "[nodes]") {
  constexpr std::int32_t kRounds = 10;
  const DeviceArray<std::uint32_t> out(1);
  WrittenOutside outside(kRounds);
  WrittenOutside other(kRounds);
  Launched on;
  const std::size_t piece = on.graph.add(outside.notes(), {});
  const std::size_t next = on.graph.add(puts(out.get(), 1), {.after = {piece}});
  on.graph.instantiate();
  CHECK(count_nodes(on.graph, cudaGraphNodeTypeWaitEvent) == 1);
  CHECK(count_nodes(on.graph, cudaGraphNodeTypeEventRecord) == 1);
  const auto go_round = [&](WrittenOutside& writer) {
    // Nobody waits in between.
    for (std::int32_t i = 1; i <= kRounds; ++i) {
      writer.write(i);
      on.launch();
    }
    on.wait();
    CHECK(writer.seen() == one_to(kRounds));
  };
  SECTION("of the graph that was added") { go_round(outside); }
  SECTION("other ones, when nodes got new parameters") {
    on.graph.replace(piece, other.notes());
    on.update();
    CHECK(is(on.graph.updates(), 1, 0, 0));
    go_round(other);
    CHECK(outside.seen() == std::vector<std::int32_t>(kRounds));
  }
  SECTION("when the graph is put together again") {
    on.graph.replace(next, [&](cudaStream_t stream) {
      puts(out.get(), 1)(stream);
      puts(out.get(), 2)(stream);
    });
    on.update();
    CHECK(is(on.graph.updates(), 0, 0, 1));
    go_round(outside);
    CHECK(out.read().front() == 2);
  }
}

TEST_CASE("A host node calls its function in each launch", "[nodes]") {
  std::atomic<int> calls = 0;
  const DeviceArray<std::uint32_t> out(1);
  Launched on;
  on.graph.add(
      [&](cudaStream_t stream) {
        puts(out.get(), 3)(stream);
        const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
        check(cudaLaunchHostFunc(stream, count, &calls), "cudaLaunchHostFunc");
      },
      {});
  on.graph.instantiate();
  CHECK(count_nodes(on.graph, cudaGraphNodeTypeHost) == 1);
  for (int i = 1; i <= 5; ++i) {
    on.run();
    CHECK(calls == i);
  }
  CHECK(out.read().front() == 3);
}

TEST_CASE("A piece with a fork has its work in order", "[nodes]") {
  DeviceStream& forked = runtime().acquire_stream({});
  const cuda::Event fork = cuda::make_event();
  const cuda::Event join = cuda::make_event();
  const DeviceArray<std::int32_t> values(3);
  std::int32_t* const at = values.get();
  // The first is there before both of the next; the last adds what these have made of it.
  const Work work = [&](cudaStream_t stream) {
    gpu::add<<<1, 1, 0, stream>>>(at, nullptr, at, 1, 1, 20'000);
    check(cudaEventRecord(fork.get(), stream), "cudaEventRecord");
    check(cudaStreamWaitEvent(forked.handle(), fork.get()), "cudaStreamWaitEvent");
    gpu::add<<<1, 1, 0, forked.handle()>>>(at, nullptr, at + 1, 1, 10, 100'000);
    gpu::add<<<1, 1, 0, stream>>>(at, nullptr, at + 2, 1, 100, 0);
    check(cudaEventRecord(join.get(), forked.handle()), "cudaEventRecord");
    check(cudaStreamWaitEvent(stream, join.get()), "cudaStreamWaitEvent");
    gpu::add<<<1, 1, 0, stream>>>(at + 1, nullptr, at, 1, 0, 0);
  };
  Launched on;
  on.graph.add(work, {});
  on.graph.instantiate();
  CHECK(cuda::edges_of(on.graph.get()).from.size() == 4);
  for (int i = 0; i < 3; ++i) {
    on.run();
  }
  // Each time 11 more.
  CHECK(values.read() == std::vector<std::int32_t>{33, 33, 123});
  for (const GraphLoop shape : {GraphLoop::ControlAtEnd, GraphLoop::TailLaunch}) {
    DeviceLoopOptions options;
    options.loop = shape;
    RuntimeLoop loop(options);
    loop.add(work, DeviceNode{});
    loop.instantiate();
    const std::int32_t before = values.read().front();
    loop.launch(20);
    REQUIRE(soon([&] { return !loop.is_running(); }));
    CHECK(values.read() ==
          std::vector<std::int32_t>{before + 220, before + 220, before + 210 + 100});
  }
  runtime().release_stream(forked);
}

TEST_CASE("A piece with events is not switched off", "[nodes]") {
  const WrittenOutside outside(1);
  Launched on;
  const std::size_t piece = on.graph.add(outside.notes(), {});
  on.graph.instantiate();
  CHECK_THROWS_WITH(on.graph.enable(piece, false), ContainsSubstring("cannot be switched off"));
}

TEST_CASE("Pieces allocate memory in each launch", "[nodes]") {
  for (const bool frees : {true, false}) {
    CAPTURE(frees);
    // One in front, two that may run at once, one behind, and one without memory.
    const DeviceArray<std::uint32_t> sums(5);
    std::uint32_t* const to = sums.get();
    int captures = 0;
    Launched on;
    const std::size_t first = on.graph.add(
        [&](cudaStream_t stream) {
          ++captures;
          adds(to, 3, frees)(stream);
        },
        {});
    const std::size_t left = on.graph.add(adds(to + 1, 5, frees), {.after = {first}});
    const std::size_t right = on.graph.add(adds(to + 2, 7, frees), {.after = {first}});
    const std::size_t last = on.graph.add(adds(to + 3, 9, frees), {.after = {left, right}});
    on.graph.add(puts(to + 4, 1), {.after = {last}});
    on.graph.instantiate();
    CHECK(captures == 2);
    CHECK(count_nodes(on.graph, cudaGraphNodeTypeMemAlloc) == 4);
    CHECK(count_nodes(on.graph, cudaGraphNodeTypeMemFree) == 4);
    CHECK(on.graph.nodes() == 4 * 6 + 1);
    for (std::uint32_t i = 0; i < kLaunches; ++i) {
      on.launch();
    }
    on.wait();
    CHECK(sums.read() == std::vector<std::uint32_t>{3 * kLaunches, 5 * kLaunches, 7 * kLaunches,
                                                    9 * kLaunches, 1});
  }
}

TEST_CASE("An allocation behind the end of another one has its address", "[nodes]") {
  const DeviceArray<std::uint32_t> sum(1);
  std::vector<std::uint32_t*> given;
  Launched on;
  on.graph.add(
      [&](cudaStream_t stream) {
        for (std::uint32_t value : {2U, 5U}) {
          given.push_back(allocate(stream));
          puts(given.back(), value)(stream);
          accumulate<<<1, 1, 0, stream>>>(sum.get(), given.back());
          check(cudaFreeAsync(given.back(), stream), "cudaFreeAsync");
        }
      },
      {});
  on.graph.instantiate();
  REQUIRE(given.size() >= 2);
  CHECK(given[given.size() - 2] == given.back());
  for (int i = 0; i < 10; ++i) {
    on.run();
  }
  CHECK(sum.read().front() == 70);
}

TEST_CASE("The edges of a piece with memory are those of any", "[nodes]") {
  const DeviceArray<std::uint32_t> out(1);
  DeviceStream& forked = runtime().acquire_stream({});
  const cuda::Event fork = cuda::make_event();
  const cuda::Event join = cuda::make_event();
  // Begins with an allocation and, beside it, a kernel.
  const Work two_beginnings = [&](cudaStream_t stream) {
    check(cudaEventRecord(fork.get(), stream), "cudaEventRecord");
    check(cudaStreamWaitEvent(forked.handle(), fork.get()), "cudaStreamWaitEvent");
    puts(out.get(), 2)(forked.handle());
    check(cudaEventRecord(join.get(), forked.handle()), "cudaEventRecord");
    std::uint32_t* const memory = allocate(stream);
    check(cudaStreamWaitEvent(stream, join.get()), "cudaStreamWaitEvent");
    check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  };
  Launched on;
  const std::size_t a = on.graph.add(puts(out.get(), 1), {});
  const std::size_t b = on.graph.add(puts(out.get(), 1), {});
  const std::size_t piece = on.graph.add(two_beginnings, {.after = {a, b}});
  on.graph.add(adds(out.get(), 4), {.after = {piece}});
  // 2 x 2 to its beginnings, 2 to the end of it, and 1 + 5 from there on.
  CHECK(cuda::edges_of(on.graph.get()).from.size() == 12);
  on.graph.instantiate();
  on.run();
  CHECK(out.read().front() == 6);
  runtime().release_stream(forked);
}

TEST_CASE("The kernels of a piece with memory have its attributes", "[nodes]") {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  const DeviceArray<std::uint32_t> sum(1);
  GraphTraits traits;
  traits.priority = greatest;
  RuntimeGraph graph({});
  graph.add(adds(sum.get(), 2), {.traits = traits});
  std::size_t kernels = 0;
  for (const cudaGraphNode_t node : cuda::nodes_of(graph.get())) {
    if (cuda::type_of(node) == cudaGraphNodeTypeKernel) {
      cudaLaunchAttributeValue value{};
      check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value),
            "cudaGraphKernelNodeGetAttribute");
      CHECK(value.priority == greatest);
      ++kernels;
    }
  }
  CHECK(kernels == 4);
}

TEST_CASE("Memory that graphs allocate is held until it is trimmed", "[nodes]") {
  for (const bool frees : {true, false}) {
    CAPTURE(frees);
    runtime().memory().trim_graph_memory(0);
    const std::uint64_t before = graph_memory();
    const DeviceArray<std::uint32_t> sum(1);
    {
      Launched on;
      on.graph.add(adds(sum.get(), 2, frees), {});
      on.graph.instantiate();
      on.run();
      CHECK(graph_memory() >= before + kBytes);
      on.run();
    }
    runtime().memory().trim_graph_memory(0);
    CHECK(graph_memory() == before);
    CHECK(sum.read().front() == 4);
  }
}

TEST_CASE("Graphs with memory are changed", "[nodes]") {
  for (const bool frees : {true, false}) {
    CAPTURE(frees);
    const DeviceArray<std::uint32_t> out(2);
    std::uint32_t* const to = out.get();
    Launched on;
    const std::size_t memory = on.graph.add(adds(to, 2, frees), {});
    const std::size_t plain = on.graph.add(puts(to + 1, 1), {.after = {memory}});
    on.graph.instantiate();
    on.launch();
    // The nodes of others get new parameters as ever.
    on.graph.replace(plain, puts(to + 1, 2));
    on.update();
    on.launch();
    on.wait();
    CHECK(is(on.graph.updates(), 1, 0, 0));
    CHECK(out.read() == std::vector<std::uint32_t>{4, 2});
    // The graph is put together again, with what is launched still on the stream.
    on.launch();
    on.graph.replace(plain, [to](cudaStream_t stream) {
      put<<<1, 1, 0, stream>>>(to + 1, 3);
      put<<<1, 1, 0, stream>>>(to + 1, 4);
    });
    on.update();
    on.launch();
    on.wait();
    CHECK(is(on.graph.updates(), 1, 0, 1));
    CHECK(out.read() == std::vector<std::uint32_t>{8, 4});
    // What allocates has other parameters.
    for (std::uint32_t i = 0; i < 50; ++i) {
      on.graph.replace(memory, adds(to, 10, frees));
      on.update();
      on.launch();
    }
    on.wait();
    CHECK(is(on.graph.updates(), 1, 0, 51));
    CHECK(out.read() == std::vector<std::uint32_t>{508, 4});
    // It allocates no more, and again.
    on.graph.replace(memory, puts(to, 1));
    on.update();
    on.run();
    CHECK(out.read() == std::vector<std::uint32_t>{1, 4});
    on.graph.replace(memory, adds(to, 10, frees));
    on.update();
    on.run();
    CHECK(is(on.graph.updates(), 1, 0, 53));
    CHECK(out.read() == std::vector<std::uint32_t>{11, 4});
    // Then nodes of others can be set again.
    on.graph.replace(plain, [to](cudaStream_t stream) {
      put<<<1, 1, 0, stream>>>(to + 1, 5);
      put<<<1, 1, 0, stream>>>(to + 1, 6);
    });
    on.update();
    on.run();
    CHECK(is(on.graph.updates(), 2, 0, 53));
    CHECK(out.read() == std::vector<std::uint32_t>{21, 6});
  }
}

TEST_CASE("A piece with memory that fails when it is captured again leaves the graph", "[nodes]") {
  const DeviceArray<std::uint32_t> out(2);
  bool fails = false;
  Launched on;
  const std::size_t memory = on.graph.add(
      [&](cudaStream_t stream) {
        adds(out.get(), 2)(stream);
        if (fails) {
          throw Error(ErrorCode::InvalidData, "the table is broken");
        }
      },
      {});
  const std::size_t plain = on.graph.add(puts(out.get() + 1, 1), {.after = {memory}});
  on.graph.instantiate();
  fails = true;
  on.graph.replace(plain, [&](cudaStream_t stream) {
    puts(out.get() + 1, 2)(stream);
    puts(out.get() + 1, 3)(stream);
  });
  CHECK_THROWS_WITH(on.update(), ContainsSubstring("the table is broken"));
  on.run();
  CHECK(out.read() == std::vector<std::uint32_t>{2, 1});
}

TEST_CASE("Launches of a graph with memory are numbered", "[nodes]") {
  constexpr std::uint32_t kEach = 10;
  const DeviceArray<std::uint32_t> out(kEach);
  const DeviceArray<std::uint64_t> number(1);
  Launched on;
  on.graph.add(
      [&](cudaStream_t stream) {
        std::uint32_t* const memory = allocate(stream);
        put_at<<<1, 1, 0, stream>>>(out.get(), number.get(), 7);
        check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
      },
      {});
  on.graph.count_launches(number.get(), 0);
  on.graph.instantiate();
  for (std::uint32_t i = 0; i < kEach; ++i) {
    on.launch();
  }
  on.wait();
  CHECK(out.read() == std::vector<std::uint32_t>(kEach, 7));
}

TEST_CASE("A piece with memory is not switched off", "[nodes]") {
  const DeviceArray<std::uint32_t> sum(1);
  Launched on;
  const std::size_t piece = on.graph.add(adds(sum.get(), 2), {});
  on.graph.instantiate();
  CHECK_THROWS_WITH(on.graph.enable(piece, false), ContainsSubstring("cannot be switched off"));
  on.run();
  CHECK(sum.read().front() == 2);
}

TEST_CASE("What a piece with memory keeps is let go when no launch needs it", "[nodes]") {
  const DeviceArray<std::uint32_t> sum(1);
  std::vector<std::weak_ptr<int>> kept;
  const auto left = [&] {
    return std::count_if(kept.begin(), kept.end(),
                         [](const std::weak_ptr<int>& each) { return !each.expired(); });
  };
  {
    Launched on;
    const Work keeps = [&](cudaStream_t stream) {
      adds(sum.get(), 2)(stream);
      auto object = std::make_shared<int>(0);
      kept.emplace_back(object);
      on.graph.keep(std::move(object));
    };
    const std::size_t piece = on.graph.add(keeps, {});
    on.graph.instantiate();
    on.run();
    CHECK(kept.size() == 2);
    CHECK(soon([&] { return left() == 1; }));
    on.graph.replace(piece, keeps);
    on.update();
    on.run();
    on.run();  // looks whether all is done that was launched before the update
    CHECK(kept.size() == 4);
    CHECK(soon([&] { return left() == 1; }));
    CHECK_FALSE(kept.back().expired());
  }
  CHECK(soon([&] { return left() == 0; }));
}

TEST_CASE("A piece frees no memory but its own", "[nodes]") {
  cudaGraph_t elsewhere = nullptr;
  check(cudaGraphCreate(&elsewhere, 0), "cudaGraphCreate");
  const cuda::GraphHandle owner(elsewhere);
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.poolProps.location.id = 0;
  params.bytesize = kBytes;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemAllocNode(&node, elsewhere, nullptr, 0, &params),
        "cudaGraphAddMemAllocNode");
  RuntimeGraph graph({});
  const Work frees = [&](cudaStream_t stream) {
    check(cudaFreeAsync(params.dptr, stream), "cudaFreeAsync");
  };
  CHECK_THROWS_WITH(graph.add(frees, {}),
                    ContainsSubstring("did not allocate in the same capture"));
}

TEST_CASE("A loop cannot have events or memory", "[nodes]") {
  const DeviceArray<std::uint32_t> sum(1);
  const WrittenOutside outside(1);
  DeviceLoopOptions options;
  options.loop = GraphLoop::ControlAtEnd;
  RuntimeLoop loop(options);
  CHECK_THROWS_WITH(loop.add(outside.notes(), {}),
                    ContainsSubstring("records an event of its own or waits for one") &&
                        ContainsSubstring("'mode: graph' can"));
  CHECK_THROWS_WITH(loop.add(adds(sum.get(), 2), {}),
                    ContainsSubstring("allocates or frees memory") &&
                        ContainsSubstring("'mode: graph' can") && ContainsSubstring("infer()"));
}

}  // namespace gxr::test
