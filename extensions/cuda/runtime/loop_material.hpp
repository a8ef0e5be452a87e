#pragma once

#include "device/device_loop.hpp"
#include "graph_pieces.hpp"
#include "launched_bodies.hpp"
#include "loop_memory.hpp"
#include "loop_nodes.hpp"
#include "measured_records.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// All that a loop is built from. The objects stay, and no address in them changes, as long as its
/// graphs exist.
struct LoopMaterial {
  const DeviceLoopOptions& options;
  const LoopNodes& nodes;
  const LoopMemory& memory;
  const LaunchedBodies& launched;
  const MeasuredRecords* records;  ///< nullptr: no iteration is measured
  PieceOptions piece_options;      ///< of kernels that are none of the operators'
  StreamRef stream;                ///< of the loop, for uploads
};

}  // namespace gxr::cuda
