#pragma once

#include <cstddef>
#include <vector>

#include "graph_layout.hpp"
#include "owned.hpp"
#include "runtime_memory.hpp"
#include "switched_bodies.hpp"

namespace gxr::cuda {

/// The memory of all graphs with switched bodies that one RuntimeGraph has had: it is kept, since
/// it is given back only when nothing runs any more, for which CUDA waits.
class SwitchedGraphs {
 public:
  explicit SwitchedGraphs(int device) : device_(device) {}

  /// Is another such graph to be made? Each change takes one; after some, the graph decides by
  /// conditional nodes, and other nodes take new parameters in place: while loops run, the graphs
  /// that are replaced cannot be destroyed.
  [[nodiscard]] bool may_make() const noexcept;
  void note_change() noexcept { ++changes_; }
  /// CUDA has refused one, and would again.
  void note_refused() noexcept;
  /// Memory for a graph that is not instantiated yet.
  void add(const std::vector<SwitchedBranch>& branches, StreamRef stream);
  /// Throws what the GPU could not do in launches that are done.
  void check() const;

 private:
  [[nodiscard]] std::uint64_t* failure() const noexcept {
    return reinterpret_cast<std::uint64_t*>(failure_.get());
  }

  int device_;
  std::size_t changes_ = 0;
  std::vector<SwitchedBodies> bodies_;
  RuntimeMemory failure_;  // error and limit, when there are such graphs
};

}  // namespace gxr::cuda
