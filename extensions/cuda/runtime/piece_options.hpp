#pragma once

#include "device/device_graph.hpp"

namespace gxr::cuda {

/// How a piece is put into a graph: the attributes of its kernels, also of child graphs in it, and
/// what its edges and its nodes without work become.
struct PieceOptions {
  GraphTraits traits;
  DeviceRange l2_range;  ///< what GraphTraits::kept_in_l2 stands for
  int device = 0;
  /// Captured kernels have it already, unless the traits ask for another; a kernel in the place of
  /// a node without work gets it.
  int graph_priority = 0;
  bool programmatic_edges = true;  ///< has_programmatic_edges() of the device
  MemorySyncDomain memory_sync_domain = MemorySyncDomain::Default;
  bool by_kernels = false;  ///< kernels launch the graph, of which CUDA takes no nodes without work
};

}  // namespace gxr::cuda
