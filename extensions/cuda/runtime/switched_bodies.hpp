#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <cuda_runtime_api.h>

#include "graph_kernels.hpp"
#include "graph_pieces.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

// Switched bodies: the bodies of a branch all stand in one graph. A kernel in front of them
// switches on the kernels of the body that is to run, and off the others, when it is another body
// than before. A kernel that is off costs little, but each of them does, in every iteration: so
// bodies are short.

/// Most kernels that are off at a time. With about 40, a conditional node is as fast on an H200.
constexpr std::size_t kMostSwitchedOff = 32;

/// A branch whose bodies are switched.
struct SwitchedBranch {
  cudaGraphNode_t switches = nullptr;
  Choice choice;
  std::vector<SwitchableKernel> kernels;
};

/// A node in a body of a branch, before it is laid out.
struct BodyPiece {
  std::uint32_t body = 0;
  cudaGraph_t captured = nullptr;  ///< nullptr: a branch, or nodes that cannot be copied
  PieceOptions piece_options;
};
/// How many kernels would be off at a time, when the shortest of so many bodies runs, or none at
/// all of an If without else and of an Every; nothing when a piece has other nodes than kernels,
/// which cannot be switched.
std::optional<std::size_t> count_switched_off(std::uint32_t bodies,
                                              const std::vector<BodyPiece>& pieces);
/// Are the bodies short enough, and does CUDA let them be switched?
bool can_switch(std::uint32_t bodies, const std::vector<BodyPiece>& pieces);
/// Kernels of a graph that is not instantiated yet can be switched from then on; nothing, and the
/// graph is of no use any more, when CUDA refuses that. Other nodes are left as they are.
std::optional<std::vector<cudaGraphDeviceNode_t>> make_switchable(
    const std::vector<cudaGraphNode_t>& nodes);
/// The kernel that switches; SwitchedBodies gives it its arguments.
GraphPiece add_switch(cudaGraph_t graph, const Choice& choice, const PieceOptions& piece_options);

/// The device memory of the kernels that switch in one graph. All bodies are on at first, as in a
/// graph that was just instantiated; both keep their state from launch to launch.
class SwitchedBodies {
 public:
  SwitchedBodies() = default;
  /// For a graph that is not instantiated yet. `failed`: has the words for errors.
  SwitchedBodies(int device, const std::vector<SwitchedBranch>& branches, const BodySwitch& failed,
                 cudaStream_t stream);

  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  RuntimeMemory memory_;
};

}  // namespace gxr::cuda
