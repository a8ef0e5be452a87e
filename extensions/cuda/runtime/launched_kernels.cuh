#pragma once

// The control kernels of a loop that launches itself launch branch bodies, too
// (launched_bodies.hpp). All functions are called by one thread.

#include "kernel_words.cuh"
#include "loop_kernels.hpp"

namespace gxr::cuda {

/// No iteration is launched any more.
__device__ inline void end_launches(const LoopTable& table) {
  table.state->is_over = 1;
  store_release(table.over, 1);
}

/// CUDA does not launch a graph, so the loop is over.
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
  for (unsigned i = 0; i < table.launched_count; ++i) {
    const LaunchedBodyState& state = table.launched_states[i];
    if (state.launched != load_acquire(&state.ended)) {
      return true;
    }
  }
  return false;
}

/// Serves a sibling: copies its results when it has ended, and its inputs when iteration `next` is
/// its turn. True: a graph was launched, or has to be.
__device__ inline bool serve_sibling(const LoopTable& table, const LaunchedBody& body,
                                     LaunchedBodyState& state, std::uint64_t next) {
  bool any = state.is_due != 0;
  if (state.launched != state.taken && load_acquire(&state.ended) == state.launched) {
    chaos();
    state.taken = state.launched;
    any =
        (body.out != nullptr && launch_graph(table, body.out, cudaStreamGraphFireAndForget)) || any;
  }
  if (next != state.next_turn) {
    return any;
  }
  state.next_turn += body.count;
  if (state.launched != state.taken || state.is_due != 0 || are_siblings_full(table)) {
    ++state.left_out;
    state.left_out_turn = next;
    return any;
  }
  state.turn = next;
  state.is_due = 1;
  if (body.in != nullptr) {
    static_cast<void>(launch_graph(table, body.in, cudaStreamGraphFireAndForget));
  }
  return true;
}

/// Launches the bodies that are due when iteration `n` is done, and then, behind those, the graph
/// that begins the next one. False: nothing was launched.
__device__ inline bool launch_bodies(const LoopTable& table, std::uint64_t n) {
  bool any = false;
  for (unsigned i = 0; i < table.launched_count; ++i) {
    const LaunchedBody& body = table.launched[i];
    LaunchedBodyState& state = table.launched_states[i];
    if (body.is_sibling) {
      any = serve_sibling(table, body, state, n + 1) || any;
    } else if (n == state.next_turn) {
      state.next_turn += body.count;
      state.turn = n;
      __threadfence();
      any = launch_graph(table, body.graph, cudaStreamGraphFireAndForget) || any;
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
  for (unsigned i = 0; i < table.launched_count; ++i) {
    if (table.launched_states[i].is_due != 0) {
      return true;
    }
  }
  return false;
}

/// The last kernel of a sibling says that it has ended a moment before CUDA knows, which then
/// refuses to launch it again: that is tried once more when the next iteration begins.
__device__ inline void launch_sibling(const LoopTable& table, const LaunchedBody& body,
                                      LaunchedBodyState& state) {
  ++state.launched;
  __threadfence();
  chaos();
  const cudaError_t result = cudaGraphLaunch(body.graph, cudaStreamGraphFireAndForgetAsSibling);
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
  for (unsigned i = 0; i < table.launched_count; ++i) {
    LaunchedBodyState& state = table.launched_states[i];
    if (state.is_due != 0) {
      launch_sibling(table, table.launched[i], state);
    }
  }
}

}  // namespace gxr::cuda
