#pragma once

#include <deque>
#include <vector>

#include "gxr/device_work.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// Parts of a graph that was changed, which launched iterations may still use.
struct RetiredGraph {
  DeviceWork needed_by;
  std::vector<GraphExecHandle> execs;
  std::vector<GraphHandle> graphs;
  std::vector<GraphHandle> captured;  // replaced captures of nodes
};

/// Those of one RuntimeGraph, in the order of launches.
class RetiredGraphs {
 public:
  /// Another one, empty.
  RetiredGraph& add(const DeviceWork& needed_by);
  /// Destroys those that no launched iteration uses any more. The first that some still use ends
  /// the search, since iterations end in the order of their launches. `late`: as
  /// destroy_all_late().
  void destroy_done(bool late);
  /// When CUDA need not wait for the end of loops.
  void destroy_all_late() noexcept;

 private:
  std::deque<RetiredGraph> retired_;
};

}  // namespace gxr::cuda
