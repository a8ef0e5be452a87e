#pragma once

// A WHILE loop on the GPU that takes messages from a ring of slots, adds 1, and puts the results
// into another: the words say how far each side is, and nothing is ever cleared.

#include <cstdint>
#include <vector>

#include <cuda/atomic>
#include <cuda_runtime.h>

#include "../tiny/kernels.cuh"
#include "cuda_objects.cuh"

namespace by_hand {

using Word = std::uint64_t;

/// In a doorbell: the loop shall end although messages are missing.
constexpr Word kStop = Word{1} << 63;

enum class LoopEnd : std::uint32_t { AllDone, Stopped, Late };

/// What the loop knows, in device memory.
struct LoopState {
  Word done;               ///< messages worked on
  std::uint64_t deadline;  ///< of %globaltimer, in ns
  LoopEnd end;
};

/// What its kernels need; pointers as the GPU knows them.
struct Bridge {
  Word* fed;        ///< doorbell: number of the newest message, from 1
  Word* published;  ///< number of the newest result, in host memory
  LoopState* state;
  const std::int32_t* in;  ///< `slots` messages, one behind the other
  std::int32_t* out;       ///< likewise
  std::int64_t count;      ///< elements of a message
  Word slots;              ///< a power of two
  Word total;              ///< messages of the run
  std::uint64_t budget_ns;
};

/// Who waits for messages, and who publishes results.
enum class Shape {
  HeadTail,      ///< a kernel in front of the work, and one behind it
  ControlAtEnd,  ///< one kernel behind the work, with programmatic edges
};

namespace device {

inline __device__ std::uint64_t now() {
  std::uint64_t time = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

inline __device__ Word load(Word* word) {
  return cuda::atomic_ref<Word, cuda::thread_scope_system>(*word).load(cuda::memory_order_acquire);
}

/// Returns when message `number` is there; false, and the reason in the state, when it will not
/// come. Always ends.
inline __device__ bool wait_for(const Bridge& bridge, Word number) {
  for (unsigned spins = 0;; ++spins) {
    const Word fed = load(bridge.fed);
    if ((fed & kStop) != 0) {
      bridge.state->end = LoopEnd::Stopped;
      return false;
    }
    if (fed >= number) {
      return true;
    }
    if (spins % 128 == 127 && now() > bridge.state->deadline) {
      bridge.state->end = LoopEnd::Late;
      return false;
    }
  }
}

/// Counts the message and shows its result; false when it was the last one.
inline __device__ bool publish(const Bridge& bridge) {
  const Word number = bridge.state->done + 1;
  bridge.state->done = number;
  cuda::atomic_ref<Word, cuda::thread_scope_system>(*bridge.published)
      .store(number, cuda::memory_order_release);
  return number < bridge.total;
}

}  // namespace device

/// In front of the loop: sets the deadline, and with one control kernel waits for the first
/// message.
static __global__ void begin(Bridge bridge, cudaGraphConditionalHandle loop, bool waits) {
  bridge.state->deadline = device::now() + bridge.budget_ns;
  cudaGraphSetConditional(loop, !waits || device::wait_for(bridge, 1) ? 1 : 0);
}

template <bool Dependent>
static __global__ void work(Bridge bridge) {
  if (Dependent) {
    tiny::depend();
  }
  const Word slot = bridge.state->done & (bridge.slots - 1);
  const std::int32_t* in = bridge.in + static_cast<std::int64_t>(slot) * bridge.count;
  std::int32_t* out = bridge.out + static_cast<std::int64_t>(slot) * bridge.count;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bridge.count; i += threads) {
    out[i] = in[i] + 1;
  }
}

static __global__ void control(Bridge bridge, cudaGraphConditionalHandle loop) {
  tiny::depend();
  if (!device::publish(bridge) || !device::wait_for(bridge, bridge.state->done + 1)) {
    cudaGraphSetConditional(loop, 0);
  }
}

static __global__ void head(Bridge bridge, cudaGraphConditionalHandle loop) {
  if (!device::wait_for(bridge, bridge.state->done + 1)) {
    cudaGraphSetConditional(loop, 0);
  }
}

static __global__ void tail(Bridge bridge, cudaGraphConditionalHandle loop) {
  if (bridge.state->end == LoopEnd::AllDone && !device::publish(bridge)) {
    cudaGraphSetConditional(loop, 0);
  }
}

/// Builds the loop, ready to be launched.
class Loop {
 public:
  Loop(const Bridge& bridge, Shape shape, const Stream& stream)
      : bridge_(bridge), stream_(stream), exec_(build(shape), stream) {}

  void launch() const { exec_.launch(stream_); }

 private:
  const Graph& build(Shape shape) {
    check(cudaGraphConditionalHandleCreate(&loop_, graph_.get(), 0, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    const bool at_end = shape == Shape::ControlAtEnd;
    bool waits = at_end;
    void* begin_with[] = {&bridge_, &loop_, &waits};
    const cudaGraphNode_t first =
        add_kernel(graph_.get(), {}, false, reinterpret_cast<void*>(&begin), 1, 1, begin_with);
    const cudaGraph_t body = add_loop(graph_.get(), {first}, loop_);
    void* all[] = {&bridge_, &loop_};
    const unsigned blocks = tiny::blocks_for(bridge_.count);
    if (at_end) {
      const cudaGraphNode_t working = add_kernel(
          body, {}, false, reinterpret_cast<void*>(&work<true>), blocks, tiny::kThreads, all);
      add_kernel(body, {working}, true, reinterpret_cast<void*>(&control), 1, 1, all);
    } else {
      const cudaGraphNode_t waiting =
          add_kernel(body, {}, false, reinterpret_cast<void*>(&head), 1, 1, all);
      const cudaGraphNode_t working =
          add_kernel(body, {waiting}, false, reinterpret_cast<void*>(&work<false>), blocks,
                     tiny::kThreads, all);
      add_kernel(body, {working}, false, reinterpret_cast<void*>(&tail), 1, 1, all);
    }
    return graph_;
  }

  Bridge bridge_;
  const Stream& stream_;
  Graph graph_;
  cudaGraphConditionalHandle loop_{};
  GraphExec exec_;
};

}  // namespace by_hand
