#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include "device/device_program.hpp"
#include "loop_kernels.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"

namespace gxr::cuda {

/// The launched bodies of a loop that launches itself, and the memory that they share with its
/// control kernels: which graphs there are, and when the next turn of each comes. Their graphs are
/// made with those of the loop (LaunchedGraphs).
class LaunchedBodies {
 public:
  explicit LaunchedBodies(int device) : device_(device) {}

  /// Adds the body of a branch, before the nodes in it, which may read the number of its turn.
  /// Throws Error(NotSupported) when there are kMostLaunchedBranches.
  void add(NodeId number, const DeviceBranch& branch);
  [[nodiscard]] bool empty() const noexcept { return bodies_.empty(); }
  [[nodiscard]] bool has(NodeId branch) const noexcept { return state_of(branch) != nullptr; }
  [[nodiscard]] bool has_siblings() const noexcept;
  struct Body {
    NodeId number = kNoNode;  ///< of its branch
    DeviceBranch branch;
    [[nodiscard]] bool is_sibling() const noexcept {
      return branch.launch == BranchLaunch::Sibling;
    }
  };
  [[nodiscard]] const std::vector<Body>& bodies() const noexcept { return bodies_; }
  /// In device memory; nullptr: no launched body is of this branch.
  [[nodiscard]] LaunchedBodyState* state_of(NodeId branch) const noexcept;
  /// Tells the control kernels of them.
  void fill(LoopTable& table) const;
  /// Gives the control kernels the graphs, in the order of the bodies, and the one with the first
  /// control kernel; waits for that.
  void upload_graphs(const std::vector<LaunchedBody>& graphs, cudaGraphExec_t starter,
                     StreamRef stream) const;
  /// Before iteration `done`, in a launch of the loop. Bodies that ran before go on with the turns
  /// that follow, if the loop goes on, too.
  void begin(std::uint64_t done, StreamRef stream);
  /// Turns of all siblings that were left out, of iterations before `done`.
  [[nodiscard]] std::uint64_t left_out(std::uint64_t done, StreamRef stream) const;
  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Shared;
  [[nodiscard]] Shared* shared() const noexcept;

  int device_;
  std::vector<Body> bodies_;
  RuntimeMemory memory_;
  bool have_begun_ = false;
};

}  // namespace gxr::cuda
