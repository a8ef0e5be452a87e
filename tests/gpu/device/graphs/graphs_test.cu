// The nodes of graphs and loops on the GPU, with their attributes and edges, read back from CUDA.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
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
#include "kernels.cuh"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
using cuda::check;
using cuda::runtime;
using cuda::RuntimeGraph;
using cuda::RuntimeLoop;

constexpr unsigned kClusterSize = 2;
constexpr std::size_t kBytes = 1 << 20;

/// May be launched early: waits for what it follows.
__global__ void add_one(std::uint32_t* value) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  ++*value;
}

__global__ void note_cluster_size(std::uint32_t* out) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t size = 0;
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
  *out = size;
#endif
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

bool has_clusters() { return attribute(cudaDevAttrComputeCapabilityMajor) >= 9; }

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) {
    check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  }
  return nodes;
}

/// Those of child graphs, too.
std::vector<cudaGraphNode_t> kernels_of(cudaGraph_t graph) {
  std::vector<cudaGraphNode_t> kernels;
  for (const cudaGraphNode_t node : nodes_of(graph)) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    if (type == cudaGraphNodeTypeKernel) {
      kernels.push_back(node);
    } else if (type == cudaGraphNodeTypeGraph) {
      cudaGraph_t child = nullptr;
      check(cudaGraphChildGraphNodeGetGraph(node, &child), "cudaGraphChildGraphNodeGetGraph");
      const std::vector<cudaGraphNode_t> inner = kernels_of(child);
      kernels.insert(kernels.end(), inner.begin(), inner.end());
    }
  }
  return kernels;
}

std::vector<cudaGraphNode_t> kernels_of(const std::vector<cudaGraph_t>& graphs) {
  std::vector<cudaGraphNode_t> kernels;
  for (const cudaGraph_t graph : graphs) {
    const std::vector<cudaGraphNode_t> more = kernels_of(graph);
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  return kernels;
}

cudaLaunchAttributeValue attribute_of(cudaGraphNode_t kernel, cudaLaunchAttributeID which) {
  cudaLaunchAttributeValue value{};
  check(cudaGraphKernelNodeGetAttribute(kernel, which, &value), "cudaGraphKernelNodeGetAttribute");
  return value;
}

/// How often a kernel has this value.
template <class Has>
std::size_t count_kernels(const std::vector<cudaGraphNode_t>& kernels, Has has) {
  return static_cast<std::size_t>(std::count_if(kernels.begin(), kernels.end(), has));
}

int most_urgent_priority() {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  return greatest;
}

auto has_priority(int priority) {
  return [priority](cudaGraphNode_t kernel) {
    return attribute_of(kernel, cudaLaunchAttributePriority).priority == priority;
  };
}

bool is_remote(cudaGraphNode_t kernel) {
  return attribute_of(kernel, cudaLaunchAttributeMemSyncDomain).memSyncDomain ==
         cudaLaunchMemSyncDomainRemote;
}

auto has_cluster(unsigned size) {
  return [size](cudaGraphNode_t kernel) {
    return attribute_of(kernel, cudaLaunchAttributeClusterDimension).clusterDim.x == size;
  };
}

auto has_window(const void* begin) {
  return [begin](cudaGraphNode_t kernel) {
    const cudaAccessPolicyWindow window =
        attribute_of(kernel, cudaLaunchAttributeAccessPolicyWindow).accessPolicyWindow;
    return window.num_bytes > 0 && window.base_ptr == begin &&
           window.hitProp == cudaAccessPropertyPersisting;
  };
}

struct EdgeCounts {
  std::size_t all = 0;
  std::size_t programmatic = 0;
};

EdgeCounts count_edges(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), "cudaGraphGetEdges");
  std::vector<cudaGraphNode_t> from(count);
  std::vector<cudaGraphNode_t> to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count > 0) {
    check(cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count),
          "cudaGraphGetEdges");
  }
  EdgeCounts counts{count, 0};
  for (const cudaGraphEdgeData& edge : data) {
    counts.programmatic += edge.type == cudaGraphDependencyTypeProgrammatic ? 1 : 0;
  }
  return counts;
}

template <class... Parameters, class... Arguments>
void launch_with(const cudaLaunchAttribute& attribute, unsigned blocks, cudaStream_t stream,
                 void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attributes[] = {attribute};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(1);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "cudaLaunchKernelEx");
}

void launch_cluster(std::uint32_t* out, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kClusterSize, 1, 1};
  launch_with(attribute, 2 * kClusterSize, stream, note_cluster_size, out);
}

std::function<void(cudaStream_t)> one_kernel(std::uint32_t* value) {
  return [value](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(value); };
}

DeviceNode loop_node(const GraphTraits& traits, const std::vector<std::size_t>& after = {}) {
  DeviceNode node;
  node.after = after;
  node.traits = traits;
  return node;
}

DeviceLoopOptions loop_options(GraphLoop loop) {
  DeviceLoopOptions options;
  options.loop = loop;
  return options;
}

/// Runs until its limit.
void run(RuntimeLoop& loop, std::uint64_t iterations) {
  loop.launch(iterations);
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (loop.is_running()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(100us);
  }
  REQUIRE(loop.control().finished() == iterations);
}

void run(RuntimeGraph& graph, const StreamOptions& options = {}) {
  DeviceStream& stream = runtime().acquire_stream(options);
  graph.launch(stream.handle());
  stream.wait_on_host(stream.mark().number);
  runtime().release_stream(stream);
}

}  // namespace

TEST_CASE("Cluster dimensions of a launch are those of the copied kernel", "[graphs]") {
  if (!has_clusters()) {
    return;
  }
  const DeviceArray<std::uint32_t> size(1);
  const auto work = [&](cudaStream_t stream) { launch_cluster(size.get(), stream); };
  SECTION("in a graph") {
    RuntimeGraph graph({});
    graph.add(work, {});
    CHECK(count_kernels(kernels_of(graph.get()), has_cluster(kClusterSize)) == 1);
    graph.instantiate();
    run(graph);
  }
  SECTION("in a graph whose nodes got new parameters") {
    const DeviceArray<std::uint32_t> before(1);
    RuntimeGraph graph({});
    const std::size_t piece =
        graph.add([&](cudaStream_t stream) { launch_cluster(before.get(), stream); }, {});
    graph.instantiate();
    DeviceStream& stream = runtime().acquire_stream({});
    graph.replace(piece, work);
    graph.update(stream.mark());
    runtime().release_stream(stream);
    CHECK(graph.updates().nodes == 1);
    run(graph);
    CHECK(before.read().front() == 0);
  }
  SECTION("in a loop") {
    RuntimeLoop loop(loop_options(GraphLoop::ControlAtEnd));
    loop.add(work, {});
    loop.instantiate();
    CHECK(count_kernels(kernels_of(loop.graphs()), has_cluster(kClusterSize)) == 1);
    run(loop, 2);
  }
  CHECK(size.read().front() == kClusterSize);
}

TEST_CASE("An operator's priority is that of its kernels", "[graphs]") {
  const int most_urgent = most_urgent_priority();
  REQUIRE(most_urgent < 0);
  GraphTraits urgent;
  urgent.priority = most_urgent;
  const DeviceArray<std::uint32_t> value(1);
  SECTION("in a graph") {
    RuntimeGraph graph({});
    const std::size_t first = graph.add(one_kernel(value.get()), {.traits = urgent});
    graph.add(one_kernel(value.get()), {.after = {first}});
    const std::vector<cudaGraphNode_t> kernels = kernels_of(graph.get());
    CHECK(kernels.size() == 2);
    CHECK(count_kernels(kernels, has_priority(most_urgent)) == 1);
    graph.instantiate();
    run(graph);
    CHECK(value.read().front() == 2);
  }
  SECTION("in a loop") {
    RuntimeLoop loop(loop_options(GraphLoop::ControlAtEnd));
    loop.add(one_kernel(value.get()), loop_node(urgent));
    loop.add(one_kernel(value.get()), loop_node({}, {0}));
    loop.instantiate();
    CHECK(count_kernels(kernels_of(loop.graphs()), has_priority(most_urgent)) == 1);
  }
}

TEST_CASE("A kernel in the place of a node without work has the priority of its loop", "[graphs]") {
  const int most_urgent = most_urgent_priority();
  DeviceLoopOptions options = loop_options(GraphLoop::TailLaunch);
  options.priority = most_urgent;
  const DeviceArray<std::uint32_t> value(1);
  RuntimeLoop loop(options);
  loop.add(one_kernel(value.get()), loop_node({}));
  loop.add(one_kernel(value.get()), loop_node({}, {0}));
  loop.replace_by_copy(1, {});
  loop.instantiate();
  const std::vector<cudaGraphNode_t> kernels = kernels_of(loop.graphs());
  CHECK(count_kernels(kernels, has_priority(most_urgent)) == kernels.size());
  run(loop, 2);
  CHECK(value.read().front() == 2);
}

TEST_CASE("The L2 cache is asked to keep an operator's memory", "[graphs]") {
  const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMaxPersistingL2CacheSize));
  const auto set_aside = [] {
    std::size_t bytes = 0;
    check(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize), "cudaDeviceGetLimit");
    return bytes;
  };
  const std::size_t before = set_aside();
  const DeviceArray<std::byte> kept(kBytes);
  const DeviceArray<std::byte> other(kBytes);
  const DeviceArray<std::uint32_t> value(1);
  const std::size_t windows = most > 0 ? 1 : 0;
  SECTION("in a graph, but what a launch asks for itself stays") {
    RuntimeGraph graph({});
    graph.add(one_kernel(value.get()), {}, kept.range());
    graph.add(
        [&](cudaStream_t stream) {
          cudaLaunchAttribute own{};
          own.id = cudaLaunchAttributeAccessPolicyWindow;
          own.val.accessPolicyWindow = {other.get(), 4096, 1.0F, cudaAccessPropertyPersisting,
                                        cudaAccessPropertyStreaming};
          launch_with(own, 1, stream, add_one, value.get());
        },
        {}, kept.range());
    graph.add(one_kernel(value.get()), {});
    const std::vector<cudaGraphNode_t> kernels = kernels_of(graph.get());
    CHECK(count_kernels(kernels, has_window(kept.get())) == windows);
    CHECK(count_kernels(kernels, has_window(other.get())) == 1);
    if (most >= 2 * kBytes) {
      CHECK(set_aside() >= 2 * kBytes);
    }
  }
  SECTION("in each copy of a loop's body") {
    DeviceLoopOptions options = loop_options(GraphLoop::ControlAtEnd);
    options.unroll = 3;
    RuntimeLoop loop(options);
    loop.add(one_kernel(value.get()), {}, kept.range());
    loop.instantiate();
    const std::size_t copies = options.unroll + 1;  // one for what is left over
    CHECK(count_kernels(kernels_of(loop.graphs()), has_window(kept.get())) == windows * copies);
    if (most >= kBytes) {
      CHECK(set_aside() >= kBytes);
    }
    run(loop, 5);
    CHECK(value.read().front() == 5);
  }
  CHECK(set_aside() == before);
}

TEST_CASE("Edges between operators that may be launched early are programmatic", "[graphs]") {
  const bool can = attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  CHECK(cuda::has_programmatic_edges(0) == can);
  GraphTraits early;
  early.dependent_launch = true;
  const DeviceArray<std::uint32_t> value(1);
  SECTION("in a graph") {
    RuntimeGraph graph({});
    const std::size_t first = graph.add(one_kernel(value.get()), {.traits = early});
    const std::size_t second =
        graph.add(one_kernel(value.get()), {.after = {first}, .traits = early});
    graph.add(one_kernel(value.get()), {.after = {second}});
    const EdgeCounts edges = count_edges(graph.get());
    CHECK(edges.all == 2);
    CHECK(edges.programmatic == (can ? 1 : 0));
    graph.instantiate();
    run(graph);
    CHECK(value.read().front() == 3);
  }
  SECTION("in the body of a loop") {
    // Head and tail, or a control kernel at the end, may be launched early, too.
    for (const auto& [shape, programmatic] :
         {std::pair{GraphLoop::HeadTail, 2}, std::pair{GraphLoop::ControlAtEnd, 1}}) {
      RuntimeLoop loop(loop_options(shape));
      loop.add(one_kernel(value.get()), loop_node(early));
      loop.add(one_kernel(value.get()), loop_node(early, {0}));
      loop.add(one_kernel(value.get()), loop_node({}, {1}));
      loop.instantiate();
      REQUIRE(loop.graphs().size() == 2);
      CHECK(count_edges(loop.graphs()[1]).programmatic ==
            static_cast<std::size_t>(can ? programmatic : 0));
      run(loop, 4);
    }
  }
  SECTION("but not on a GPU that cannot launch early") {
    cudaGraph_t from = nullptr;
    cudaGraph_t to = nullptr;
    check(cudaGraphCreate(&from, 0), "cudaGraphCreate");
    check(cudaGraphCreate(&to, 0), "cudaGraphCreate");
    const cuda::GraphHandle owners[] = {cuda::GraphHandle(from), cuda::GraphHandle(to)};
    std::uint32_t* argument = value.get();
    void* arguments[] = {&argument};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(add_one);
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddKernelNode(&node, from, nullptr, 0, &params), "cudaGraphAddKernelNode");
    cuda::PieceOptions options;
    options.traits = early;
    options.programmatic_edges = false;
    const cuda::GraphPiece first = cuda::copy_piece(from, to, options);
    const cuda::GraphPiece second = cuda::copy_piece(from, to, options);
    cuda::join_pieces(to, first, second);
    CHECK(count_edges(to).all == 1);
    CHECK(count_edges(to).programmatic == 0);
  }
}

TEST_CASE("All kernels of a region are in its memory-sync domain", "[graphs]") {
  const DeviceArray<std::uint32_t> value(1);
  const DeviceArray<std::byte> large(kBytes);
  for (const MemorySyncDomain domain : {MemorySyncDomain::Default, MemorySyncDomain::Remote}) {
    const bool remote = domain == MemorySyncDomain::Remote;
    DeviceGraphOptions options;
    options.memory_sync_domain = domain;
    RuntimeGraph graph(options);
    graph.add(one_kernel(value.get()), {});
    graph.add(one_kernel(value.get()), {.after = {0}});
    CHECK(count_kernels(kernels_of(graph.get()), is_remote) == (remote ? 2 : 0));
    graph.instantiate();
    run(graph);
    for (const GraphLoop shape : {GraphLoop::HeadTail, GraphLoop::ControlAtEnd}) {
      DeviceLoopOptions wanted = loop_options(shape);
      wanted.memory_sync_domain = domain;
      wanted.inputs = {{large.get(), kBytes}};
      RuntimeLoop loop(wanted);
      DeviceNode piece;
      piece.inputs = {0};
      loop.add(one_kernel(value.get()), piece);
      loop.instantiate();
      const std::vector<cudaGraphNode_t> kernels = kernels_of(loop.graphs());
      CHECK(kernels.size() == 4);  // the operator's, two that control, one that copies
      CHECK(count_kernels(kernels, is_remote) == (remote ? kernels.size() : 0));
    }
  }
}

TEST_CASE("A graph and a loop run on the SMs of their partition", "[graphs]") {
  constexpr unsigned kBlocks = 512;
  const auto parts = runtime().split_device(0, {8}, 2, 0);
  DevicePartition& part = *parts.front();
  const DeviceArray<std::uint32_t> sms(kBlocks);
  const auto work = [&](cudaStream_t stream) { note_sms(sms.get(), kBlocks, stream); };
  const auto used = [&] {
    const std::vector<std::uint32_t> all = sms.read();
    return std::set<std::uint32_t>(all.begin(), all.end()).size();
  };
  SECTION("a graph") {
    for (DevicePartition* partition : {static_cast<DevicePartition*>(nullptr), &part}) {
      DeviceGraphOptions options;
      options.partition = partition;
      RuntimeGraph graph(options);
      graph.add(work, {});
      graph.instantiate();
      StreamOptions where;
      where.partition = partition;
      run(graph, where);
      CHECK((used() <= part.sm_count()) == (partition != nullptr));
    }
  }
  SECTION("a loop") {
    for (DevicePartition* partition : {static_cast<DevicePartition*>(nullptr), &part}) {
      DeviceLoopOptions options = loop_options(GraphLoop::ControlAtEnd);
      options.partition = partition;
      RuntimeLoop loop(options);
      loop.add(work, {});
      loop.instantiate();
      run(loop, 3);
      CHECK((used() <= part.sm_count()) == (partition != nullptr));
    }
  }
}

TEST_CASE("A partition of another GPU is refused", "[graphs]") {
  class Elsewhere final : public DevicePartition {
   public:
    [[nodiscard]] int device() const noexcept override { return 1; }
    [[nodiscard]] unsigned sm_count() const noexcept override { return 8; }
  };
  Elsewhere elsewhere;
  DeviceGraphOptions graph;
  graph.partition = &elsewhere;
  CHECK_THROWS_WITH(RuntimeGraph(graph), "a graph of GPU 0 cannot run in a partition of GPU 1");
  DeviceLoopOptions loop;
  loop.partition = &elsewhere;
  CHECK_THROWS_WITH(RuntimeLoop(loop), "a graph of GPU 0 cannot run in a partition of GPU 1");
}

TEST_CASE("A loop tells its device memory", "[graphs]") {
  const DeviceArray<std::byte> large(kBytes);
  DeviceLoopOptions options = loop_options(GraphLoop::ControlAtEnd);
  options.slots = 3;
  const std::uint64_t without = RuntimeLoop(options).memory_bytes();
  CHECK(without > 0);
  CHECK(without < kBytes);
  options.inputs = {{large.get(), kBytes}};
  const std::uint64_t with = RuntimeLoop(options).memory_bytes();
  CHECK(with >= without + 3 * kBytes);
  CHECK(with < without + 4 * kBytes);
}

TEST_CASE("Memory of graphs that allocate it is told and given back", "[graphs]") {
  DeviceStream& stream = runtime().acquire_stream({});
  runtime().memory().trim_graph_memory(0);
  const std::uint64_t before = runtime().memory().graph_memory(0).reserved_bytes;
  check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, kBytes, stream.handle()), "cudaMallocAsync");
  check(cudaMemsetAsync(memory, 0, kBytes, stream.handle()), "cudaMemsetAsync");
  check(cudaFreeAsync(memory, stream.handle()), "cudaFreeAsync");
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream.handle(), &graph), "cudaStreamEndCapture");
  {
    const cuda::GraphHandle owner(graph);
    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    const cuda::GraphExecHandle exec_owner(exec);
    check(cudaGraphLaunch(exec, stream.handle()), "cudaGraphLaunch");
    stream.wait_on_host(stream.mark().number);
    CHECK(runtime().memory().graph_memory(0).reserved_bytes >= before + kBytes);
  }
  runtime().memory().trim_graph_memory(0);
  CHECK(runtime().memory().graph_memory(0).reserved_bytes == before);
  runtime().release_stream(stream);
}

}  // namespace gxr::test
