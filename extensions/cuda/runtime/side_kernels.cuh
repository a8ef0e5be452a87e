#pragma once

// What the control kernels of a loop that launches itself do for graphs beside it (loop_sides.cpp).
// All functions are called by one thread.

#include "kernel_words.cuh"
#include "loop_kernels.hpp"

namespace gxr::cuda {

/// No iteration is launched any more.
__device__ inline void end_launches(const LoopTable& table) {
  table.state->is_over = 1;
  store_release(table.over, 1);
}

/// CUDA does not launch something, so the loop is over.
__device__ inline void fail_launch(const LoopTable& table, cudaError_t why) {
  table.state->ended_ns = now_ns();
  store_release(table.launch_error, static_cast<std::uint64_t>(why));
  end_launches(table);
}

/// False: it failed.
__device__ inline bool launch_graph(const LoopTable& table, cudaGraphExec_t graph,
                                    cudaStream_t how) {
  const cudaError_t result = cudaGraphLaunch(graph, how);
  if (result != cudaSuccess) {
    fail_launch(table, result);
  }
  return result == cudaSuccess;
}

/// Can no sibling be launched until one that runs has ended, since CUDA takes no more of them
/// before the loop is begun anew, which waits for it?
__device__ inline bool are_siblings_full(const LoopTable& table) {
  if (table.state->siblings < kMostSiblings) {
    return false;
  }
  for (unsigned i = 0; i < table.side_count; ++i) {
    const SideState& state = table.side_states[i];
    if (state.launched != load_acquire(&state.ended)) {
      return true;
    }
  }
  return false;
}

/// Has to do with one that is a sibling: copies what it has written when it has ended, and what it
/// will read when iteration `next` is its turn. True: something was launched, or has to be.
__device__ inline bool serve_sibling(const LoopTable& table, const SideGraph& side,
                                     SideState& state, std::uint64_t next) {
  bool any = state.is_due != 0;
  if (state.launched != state.taken && load_acquire(&state.ended) == state.launched) {
    chaos();
    state.taken = state.launched;
    any =
        (side.out != nullptr && launch_graph(table, side.out, cudaStreamGraphFireAndForget)) || any;
  }
  if (next != state.next_turn) {
    return any;
  }
  state.next_turn += side.count;
  if (state.launched != state.taken || state.is_due != 0 || are_siblings_full(table)) {
    ++state.left_out;
    state.left_out_turn = next;
    return any;
  }
  state.turn = next;
  state.is_due = 1;
  if (side.in != nullptr) {
    static_cast<void>(launch_graph(table, side.in, cudaStreamGraphFireAndForget));
  }
  return true;
}

/// Launches what is beside the loop when iteration `n` is done, and then, behind that, what begins
/// the next one. False: nothing was launched.
__device__ inline bool launch_sides(const LoopTable& table, std::uint64_t n) {
  bool any = false;
  for (unsigned i = 0; i < table.side_count; ++i) {
    const SideGraph& side = table.sides[i];
    SideState& state = table.side_states[i];
    if (side.is_sibling) {
      any = serve_sibling(table, side, state, n + 1) || any;
    } else if (n == state.next_turn) {
      state.next_turn += side.count;
      state.turn = n;
      __threadfence();
      any = launch_graph(table, side.body, cudaStreamGraphFireAndForget) || any;
    }
  }
  if (any && table.state->is_over == 0) {
    static_cast<void>(launch_graph(table, *table.starter, cudaStreamGraphTailLaunch));
  }
  return any || table.state->is_over != 0;
}

/// Must the loop be begun anew, so that a sibling can be launched?
__device__ inline bool has_too_many_siblings(const LoopTable& table) {
  if (table.state->siblings < kMostSiblings) {
    return false;
  }
  for (unsigned i = 0; i < table.side_count; ++i) {
    if (table.side_states[i].is_due != 0) {
      return true;
    }
  }
  return false;
}

/// The last kernel of a sibling says that it has ended a moment before CUDA knows, which then
/// refuses to launch it again: that is tried once more when the next iteration begins.
__device__ inline void launch_sibling(const LoopTable& table, const SideGraph& side,
                                      SideState& state) {
  ++state.launched;
  __threadfence();
  chaos();
  const cudaError_t result = cudaGraphLaunch(side.body, cudaStreamGraphFireAndForgetAsSibling);
  if (result == cudaSuccess) {
    state.is_due = 0;
    state.refused = 0;
    ++table.state->siblings;
    return;
  }
  --state.launched;
  if (result != cudaErrorInvalidValue || ++state.refused > kMostRefused) {
    fail_launch(table, result);
  }
}

__device__ inline void launch_siblings(const LoopTable& table) {
  for (unsigned i = 0; i < table.side_count; ++i) {
    SideState& state = table.side_states[i];
    if (state.is_due != 0) {
      launch_sibling(table, table.sides[i], state);
    }
  }
}

}  // namespace gxr::cuda
