// What it costs a loop on the GPU, and a graph that the host launches again and again, to choose
// one of four lists of kernels, by hand, in each way that CUDA has; and graphs that a graph
// launches beside itself.
//
//   choice_bench [KERNELS,...]
//
// One JSON object per line: of each way the period in microseconds, the best of three launches, for
// lists of so many kernels. Every result is checked: how often each list has run.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

#include "bridge/cuda_objects.cuh"
#include "bridge/options.hpp"

namespace {

using by_hand::check;
using by_hand::DeviceMemory;
using Nodes = std::vector<cudaGraphNode_t>;

constexpr unsigned kLists = 4;
constexpr unsigned kMostKernels = 64;
constexpr std::uint64_t kIterations = 20'000;
constexpr int kLaunches = 3;
constexpr std::uint64_t kMostSiblings = 100;

/// In device memory.
struct State {
  std::uint64_t done;
  std::uint64_t last;  // list that is switched on, from 1; 0: all are
  std::uint64_t ran[kLists];
  std::uint64_t side;      // graphs that ran beside the loop
  std::uint64_t launched;  // of those
  std::uint64_t error;     // the first, of a call on the device
};

__device__ void keep_error(State* state, cudaError_t error) {
  if (error != cudaSuccess && state->error == 0) {
    state->error = error;
  }
}

/// One kernel of a list: the last of them counts.
__global__ void work(State* state, unsigned list, bool counts) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  if (counts && threadIdx.x == 0 && blockIdx.x == 0) {
    ++state->ran[list];
  }
}

/// Writes the number of the list: the same in `same` iterations that follow each other.
__global__ void select(State* state, std::uint64_t* number, std::uint64_t same) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  *number = state->done / same % kLists;
}

__global__ void choose(const std::uint64_t* number, cudaGraphConditionalHandle handle) {
  cudaGridDependencySynchronize();
  cudaGraphSetConditional(handle, static_cast<unsigned>(*number));
}

/// Both in one.
__global__ void select_and_choose(State* state, std::uint64_t same,
                                  cudaGraphConditionalHandle handle) {
  cudaGridDependencySynchronize();
  cudaGraphSetConditional(handle, static_cast<unsigned>(state->done / same % kLists));
}

struct Handles {
  cudaGraphConditionalHandle of[kLists];
};

/// Opens one of four loops, which closes itself.
__global__ void open_one(const std::uint64_t* number, Handles handles) {
  cudaGridDependencySynchronize();
  cudaGraphSetConditional(handles.of[*number], 1);
}

__global__ void close_one(cudaGraphConditionalHandle handle) {
  cudaGridDependencySynchronize();
  cudaGraphSetConditional(handle, 0);
}

/// Switches the kernels of the list on, and the others off, when it is another one than before.
__global__ void switch_nodes(State* state, const std::uint64_t* number,
                             const cudaGraphDeviceNode_t* nodes, unsigned kernels) {
  cudaGridDependencySynchronize();
  const std::uint64_t chosen = *number + 1;
  const std::uint64_t last = state->last;
  __syncthreads();
  if (chosen == last) {
    return;
  }
  for (unsigned i = threadIdx.x; i < kLists * kernels; i += blockDim.x) {
    const std::uint64_t list = i / kernels + 1;
    if (last == 0 || list == last || list == chosen) {
      keep_error(state, cudaGraphKernelNodeSetEnabled(nodes[i], list == chosen));
    }
  }
  if (threadIdx.x == 0) {
    state->last = chosen;
  }
}

__global__ void end(State* state, cudaGraphConditionalHandle handle, std::uint64_t iterations) {
  cudaGridDependencySynchronize();
  if (++state->done >= iterations) {
    cudaGraphSetConditional(handle, 0);
  }
}

__global__ void count_iteration(State* state) {
  cudaGridDependencySynchronize();
  ++state->done;
}

/// Launches a graph beside every `every`th iteration, and this one again.
__global__ void end_and_launch(State* state, cudaGraphExec_t side, std::uint64_t every,
                               bool as_sibling, std::uint64_t iterations) {
  cudaGridDependencySynchronize();
  const std::uint64_t n = state->done++;
  if (every != 0 && n % every == 0) {
    const cudaError_t result = cudaGraphLaunch(
        side, as_sibling ? cudaStreamGraphFireAndForgetAsSibling : cudaStreamGraphFireAndForget);
    keep_error(state, result);
    state->launched += result == cudaSuccess ? 1 : 0;
  }
  if (n + 1 < iterations) {
    keep_error(state, cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
  }
}

__global__ void run_beside(State* state) { ++state->side; }

/// Ends behind kMostSiblings graphs that were launched beside it, of which CUDA lets a graph and
/// all that it launches behind itself have 120.
__global__ void end_and_launch_few(State* state, cudaGraphExec_t side, std::uint64_t every,
                                   std::uint64_t iterations) {
  cudaGridDependencySynchronize();
  const std::uint64_t n = state->done++;
  if (n % every == 0) {
    const cudaError_t result = cudaGraphLaunch(side, cudaStreamGraphFireAndForgetAsSibling);
    keep_error(state, result);
    state->launched += result == cudaSuccess ? 1 : 0;
    if (state->launched % kMostSiblings == 0) {
      return;
    }
  }
  if (n + 1 < iterations) {
    keep_error(state, cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
  }
}

/// Launches what launches `body` behind itself, and this graph behind all of that.
__global__ void begin_again(State* state, cudaGraphExec_t first, std::uint64_t iterations) {
  if (state->done < iterations) {
    ++state->last;
    keep_error(state, cudaGraphLaunch(first, cudaStreamGraphFireAndForget));
    keep_error(state, cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
  }
}

__global__ void launch_behind(State* state, cudaGraphExec_t body) {
  keep_error(state, cudaGraphLaunch(body, cudaStreamGraphTailLaunch));
}

template <class... Arguments>
cudaGraphNode_t add(cudaGraph_t graph, const Nodes& before, bool dependent,
                    void (*kernel)(Arguments...), unsigned threads,
                    std::type_identity_t<Arguments>... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = dim3(1);
  params.blockDim = dim3(threads);
  params.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), "cudaGraphAddKernelNode");
  for (const cudaGraphNode_t from : before) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(from, &type), "cudaGraphNodeGetType");
    cudaGraphEdgeData edge{};
    if (dependent && type == cudaGraphNodeTypeKernel) {
      edge.from_port = cudaGraphKernelNodePortProgrammatic;
      edge.type = cudaGraphDependencyTypeProgrammatic;
    }
    check(cudaGraphAddDependencies(graph, &from, &node, &edge, 1), "cudaGraphAddDependencies");
  }
  return node;
}

struct Conditional {
  cudaGraphNode_t node;
  std::vector<cudaGraph_t> bodies;
};

Conditional add_conditional(cudaGraph_t graph, const Nodes& before,
                            cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                            unsigned size) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  Conditional added{};
  check(cudaGraphAddNode(&added.node, graph, before.data(), nullptr, before.size(), &params),
        "cudaGraphAddNode");
  added.bodies.assign(params.conditional.phGraph_out, params.conditional.phGraph_out + size);
  return added;
}

enum class By { Loop, Host };  // that iterations follow each other

class Iterations {
 public:
  Iterations(By by, unsigned kernels, std::uint64_t same)
      : by_(by), kernels_(kernels), same_(same) {
    check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    body_ = graph_;
    if (by_ == By::Loop) {
      handle_ = handle(1);
      body_ = add_conditional(graph_, {}, handle_, cudaGraphCondTypeWhile, 1).bodies.front();
    }
  }
  Iterations(const Iterations&) = delete;
  Iterations& operator=(const Iterations&) = delete;
  ~Iterations() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }

  [[nodiscard]] cudaGraphConditionalHandle handle(unsigned initial) const {
    cudaGraphConditionalHandle made{};
    check(cudaGraphConditionalHandleCreate(&made, graph_, initial, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    return made;
  }
  [[nodiscard]] cudaGraph_t body() const { return body_; }
  [[nodiscard]] State* state() const { return state_.data(); }
  [[nodiscard]] std::uint64_t* number() const { return number_.data(); }
  [[nodiscard]] unsigned kernels() const { return kernels_; }

  cudaGraphNode_t add_select() const {
    return add(body_, {}, true, &select, 1, state(), number(), same_);
  }
  [[nodiscard]] cudaGraphNode_t add_select_and_choose(cudaGraphConditionalHandle to) const {
    return add(body_, {}, true, &select_and_choose, 1, state(), same_, to);
  }
  /// All kernels of a list; `dependent`: the first of them, too.
  Nodes add_list(cudaGraph_t graph, unsigned list, Nodes before, bool dependent) const {
    Nodes all;
    for (unsigned i = 0; i < kernels_; ++i) {
      before = {
          add(graph, before, dependent || i > 0, &work, 32, state(), list, i + 1 == kernels_)};
      all.push_back(before.front());
    }
    return all;
  }
  void add_end(const Nodes& before) const {
    static_cast<void>(by_ == By::Loop
                          ? add(body_, before, true, &end, 1, state(), handle_, kIterations)
                          : add(body_, before, true, &count_iteration, 1, state()));
  }

  /// Microseconds an iteration. `lists`: of which each must have run as often.
  double run(unsigned lists) {
    check(cudaGraphInstantiate(&exec_, graph_, 0), "cudaGraphInstantiate");
    check(cudaGraphUpload(exec_, stream_.get()), "cudaGraphUpload");
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < kLaunches; ++i) {
      best = std::min(best, run_once(lists));
    }
    return best;
  }

 private:
  double run_once(unsigned lists) const {
    State clear{};
    State before{};
    check(cudaMemcpy(&before, state(), sizeof before, cudaMemcpyDeviceToHost), "cudaMemcpy");
    clear.last = before.last;  // the nodes stay as they are
    check(cudaMemcpy(state(), &clear, sizeof clear, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const double us = by_hand::microseconds(stream_, [&] {
      for (std::uint64_t i = 0; i < (by_ == By::Loop ? 1 : kIterations); ++i) {
        check(cudaGraphLaunch(exec_, stream_.get()), "cudaGraphLaunch");
      }
    });
    State found{};
    check(cudaMemcpy(&found, state(), sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (unsigned list = 0; list < kLists; ++list) {
      const std::uint64_t wanted = list < lists ? kIterations / lists : 0;
      if (found.ran[list] != wanted || found.error != 0) {
        throw std::runtime_error("list " + std::to_string(list) + " ran " +
                                 std::to_string(found.ran[list]) + " times, not " +
                                 std::to_string(wanted) + "; error " + std::to_string(found.error));
      }
    }
    return us / static_cast<double>(kIterations);
  }

  By by_;
  unsigned kernels_;
  std::uint64_t same_;
  by_hand::Stream stream_;
  DeviceMemory<State> state_{1};
  DeviceMemory<std::uint64_t> number_{1};
  cudaGraph_t graph_ = nullptr;
  cudaGraph_t body_ = nullptr;
  cudaGraphConditionalHandle handle_{};
  cudaGraphExec_t exec_ = nullptr;
};

void lay_list_alone(Iterations& iterations) {
  iterations.add_end({iterations.add_list(iterations.body(), 0, {}, true).back()});
}

void lay_list_behind_selector(Iterations& iterations) {
  iterations.add_end(
      {iterations.add_list(iterations.body(), 0, {iterations.add_select()}, true).back()});
}

void lay_lists_in(Iterations& iterations, const Conditional& chosen) {
  for (unsigned list = 0; list < chosen.bodies.size(); ++list) {
    static_cast<void>(iterations.add_list(chosen.bodies[list], list, {}, true));
  }
  iterations.add_end({chosen.node});
}

void lay_switch(Iterations& iterations) {
  const cudaGraphConditionalHandle handle = iterations.handle(0);
  const cudaGraphNode_t chooses = add(iterations.body(), {iterations.add_select()}, true, &choose,
                                      1, iterations.number(), handle);
  lay_lists_in(iterations, add_conditional(iterations.body(), {chooses}, handle,
                                           cudaGraphCondTypeSwitch, kLists));
}

void lay_switch_by_selector(Iterations& iterations) {
  const cudaGraphConditionalHandle handle = iterations.handle(0);
  const cudaGraphNode_t chooses = iterations.add_select_and_choose(handle);
  lay_lists_in(iterations, add_conditional(iterations.body(), {chooses}, handle,
                                           cudaGraphCondTypeSwitch, kLists));
}

/// Four loops beside each other, of which one runs once.
void lay_loops(Iterations& iterations) {
  Handles handles{};
  for (cudaGraphConditionalHandle& handle : handles.of) {
    handle = iterations.handle(0);
  }
  const cudaGraphNode_t opens = add(iterations.body(), {iterations.add_select()}, true, &open_one,
                                    1, iterations.number(), handles);
  Nodes ends;
  for (unsigned list = 0; list < kLists; ++list) {
    const Conditional inner =
        add_conditional(iterations.body(), {opens}, handles.of[list], cudaGraphCondTypeWhile, 1);
    const Nodes all = iterations.add_list(inner.bodies.front(), list, {}, true);
    static_cast<void>(
        add(inner.bodies.front(), {all.back()}, true, &close_one, 1, handles.of[list]));
    ends.push_back(inner.node);
  }
  iterations.add_end(ends);
}

/// Kernels of all lists, of which those of one are switched on.
void lay_nodes(Iterations& iterations, DeviceMemory<cudaGraphDeviceNode_t>& device_nodes) {
  const cudaGraphNode_t switches =
      add(iterations.body(), {iterations.add_select()}, true, &switch_nodes, 32, iterations.state(),
          iterations.number(), device_nodes.data(), iterations.kernels());
  Nodes ends;
  std::vector<cudaGraphDeviceNode_t> nodes;
  for (unsigned list = 0; list < kLists; ++list) {
    const Nodes all = iterations.add_list(iterations.body(), list, {switches}, false);
    ends.push_back(all.back());
    for (const cudaGraphNode_t node : all) {
      cudaLaunchAttributeValue value{};
      value.deviceUpdatableKernelNode.deviceUpdatable = 1;
      check(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode,
                                            &value),
            "cudaGraphKernelNodeSetAttribute");
      nodes.push_back(value.deviceUpdatableKernelNode.devNode);
    }
  }
  iterations.add_end(ends);
  check(cudaMemcpy(device_nodes.data(), nodes.data(), nodes.size() * sizeof nodes[0],
                   cudaMemcpyHostToDevice),
        "cudaMemcpy");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void print(By by, const char* way, unsigned kernels, std::uint64_t same,
           const std::function<double()>& measure) {
  const char* const by_name = by == By::Loop ? "loop" : "host";
  try {
    const double us = measure();
    std::printf(
        "{\"measure\": \"choice\", \"by\": \"%s\", \"way\": \"%s\", \"kernels\": %u, "
        "\"same\": %llu, \"us\": %.3f}\n",
        by_name, way, kernels, static_cast<unsigned long long>(same), us);
  } catch (const std::exception& error) {
    static_cast<void>(cudaGetLastError());
    std::printf(
        "{\"measure\": \"choice\", \"by\": \"%s\", \"way\": \"%s\", \"kernels\": %u, "
        "\"same\": %llu, \"error\": \"%s\"}\n",
        by_name, way, kernels, static_cast<unsigned long long>(same), error.what());
  }
  std::fflush(stdout);
}

void measure_choices(By launched_by, unsigned kernels) {
  const auto by = [&](const char* way, std::uint64_t same, unsigned lists,
                      const std::function<void(Iterations&)>& lay) {
    print(launched_by, way, kernels, same, [&] {
      Iterations iterations(launched_by, kernels, same);
      lay(iterations);
      return iterations.run(lists);
    });
  };
  by("the list alone", 1, 1, lay_list_alone);
  by("the list behind the selector", 1, 1, lay_list_behind_selector);
  for (const std::uint64_t same : {std::uint64_t{1}, std::uint64_t{100}}) {
    by("switch", same, kLists, lay_switch);
    by("switch, set by the selector", same, kLists, lay_switch_by_selector);
    by("a loop for each list", same, kLists, lay_loops);
    DeviceMemory<cudaGraphDeviceNode_t> nodes(kLists * kMostKernels);
    by("nodes switched on and off", same, kLists,
       [&](Iterations& iterations) { lay_nodes(iterations, nodes); });
  }
}

/// A graph of one kernel that the device launches.
class LaunchedGraph {
 public:
  template <class... Arguments>
  LaunchedGraph(const by_hand::Stream& stream, void (*kernel)(Arguments...),
                std::type_identity_t<Arguments>... arguments) {
    check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    static_cast<void>(add(graph_, {}, false, kernel, 1, arguments...));
    check(cudaGraphInstantiate(&exec_, graph_, cudaGraphInstantiateFlagDeviceLaunch),
          "cudaGraphInstantiate");
    check(cudaGraphUpload(exec_, stream.get()), "cudaGraphUpload");
  }
  LaunchedGraph(const LaunchedGraph&) = delete;
  LaunchedGraph& operator=(const LaunchedGraph&) = delete;
  ~LaunchedGraph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }
  [[nodiscard]] cudaGraphExec_t exec() const { return exec_; }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

void print_beside(const char* kind, std::uint64_t every,
                  const std::function<void(const by_hand::Stream&, State*)>& run) {
  try {
    const by_hand::Stream stream;
    const DeviceMemory<State> state(1);
    run(stream, state.data());
    State found{};
    check(cudaMemcpy(&found, state.data(), sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::printf(
        "{\"measure\": \"beside\", \"kind\": \"%s\", \"every\": %llu, \"iterations\": %llu, "
        "\"launched\": %llu, \"ran\": %llu, \"begun\": %llu, \"error\": %llu}\n",
        kind, static_cast<unsigned long long>(every), static_cast<unsigned long long>(found.done),
        static_cast<unsigned long long>(found.launched),
        static_cast<unsigned long long>(found.side), static_cast<unsigned long long>(found.last),
        static_cast<unsigned long long>(found.error));
  } catch (const std::exception& error) {
    static_cast<void>(cudaGetLastError());
    std::printf("{\"measure\": \"beside\", \"kind\": \"%s\", \"every\": %llu, \"error\": \"%s\"}\n",
                kind, static_cast<unsigned long long>(every), error.what());
  }
  std::fflush(stdout);
}

void launch_and_wait(const LaunchedGraph& graph, const by_hand::Stream& stream) {
  check(cudaGraphLaunch(graph.exec(), stream.get()), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
}

/// A graph that launches itself, and every `every`th time another one.
void measure_beside(bool as_sibling, std::uint64_t every) {
  const char* const kind = every == 0 ? "none" : as_sibling ? "sibling" : "fire and forget";
  print_beside(kind, every, [&](const by_hand::Stream& stream, State* state) {
    const LaunchedGraph side(stream, &run_beside, state);
    const LaunchedGraph loop(stream, &end_and_launch, state, side.exec(), every, as_sibling,
                             kIterations);
    launch_and_wait(loop, stream);
  });
}

/// The same in a graph around it, which begins it again when enough graphs are beside it.
void measure_many_siblings(std::uint64_t every) {
  print_beside("siblings, begun again", every, [&](const by_hand::Stream& stream, State* state) {
    const LaunchedGraph side(stream, &run_beside, state);
    const LaunchedGraph loop(stream, &end_and_launch_few, state, side.exec(), every, kIterations);
    const LaunchedGraph first(stream, &launch_behind, state, loop.exec());
    const LaunchedGraph root(stream, &begin_again, state, first.exec(), kIterations);
    launch_and_wait(root, stream);
  });
}

}  // namespace

int main(int count, char** arguments) {
  try {
    for (const std::int64_t kernels : by_hand::numbers(count > 1 ? arguments[1] : "1,4,16")) {
      if (kernels < 1 || kernels > kMostKernels) {
        throw std::runtime_error("lists have 1 to 64 kernels");
      }
      measure_choices(By::Loop, static_cast<unsigned>(kernels));
      measure_choices(By::Host, static_cast<unsigned>(kernels));
    }
    measure_beside(false, 0);
    for (const bool as_sibling : {false, true}) {
      for (const std::uint64_t every : {1, 100}) {
        measure_beside(as_sibling, every);
      }
    }
    measure_many_siblings(1);
    measure_many_siblings(100);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
