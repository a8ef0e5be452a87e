#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Kernels that control a loop, and what they share with the host. See loop.hpp.

/// In device memory.
struct LoopState {
  std::uint64_t done;   ///< iterations; while one runs, its number
  std::uint64_t limit;  ///< the loop ends when so many are done; written by the host
  std::uint64_t sleep_interval_ns;
  std::uint64_t began_ns;  ///< of the GPU's global timer
  std::uint64_t ended_ns;
  std::uint64_t leaves;  ///< the head saw that the loop ends: the tail publishes nothing
};

/// Iteration n may begin when word + ahead > n.
struct LoopGate {
  const std::uint64_t* word;  ///< in device memory, or in page-locked memory of the host
  std::uint64_t ahead;
};

/// A port whose slots are in page-locked memory: the control kernels copy them.
struct LoopCopy {
  std::byte* slots;
  std::byte* tensor;
  std::uint64_t bytes;
  std::uint64_t stride;  ///< from slot to slot
};

/// A parameter of the control kernels; the arrays are in device memory.
struct LoopTable {
  LoopState* state;
  std::uint64_t* finished;  ///< in page-locked memory
  const LoopGate* gates;    ///< the first is the limit
  std::uint64_t* seen;      ///< the last that was seen of each gate's word
  const LoopCopy* inputs;
  const LoopCopy* outputs;
  std::uint32_t gate_count;
  std::uint32_t input_count;
  std::uint32_t output_count;
  std::uint32_t slots;
  std::uint32_t unroll;
  std::uint32_t publishes;  ///< the host waits for what was written
};

/// The conditions that the control kernels set: of the loop, and, when it is unrolled, of the loops
/// in it that run many iterations in a round, and one.
struct LoopHandles {
  cudaGraphConditionalHandle all;
  cudaGraphConditionalHandle many;
  cudaGraphConditionalHandle one;
};

/// Where in the loop a control kernel stands.
enum class LoopRole : std::uint8_t {
  First,  ///< before the loop: waits until the first iteration may begin
  Head,   ///< begins an iteration: waits until it may
  Tail,   ///< ends one
  Next,   ///< ends one and begins another, of which is known that it may
  End,    ///< ends one and waits until another may begin
};

/// The kernel: (LoopTable, LoopHandles), one block.
const void* control_kernel(LoopRole role);

/// Copies between a tensor and the slot of the running iteration, all in device memory.
struct LoopMove {
  const LoopState* state;
  std::byte* slots;
  std::byte* tensor;
  std::uint64_t bytes;
  std::uint64_t stride;
  std::uint32_t slot_count;
};
/// The kernel: (LoopMove), any grid of any size.
const void* move_kernel(bool into_tensor);

}  // namespace gxr::cuda
