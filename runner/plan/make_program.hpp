#pragma once

#include <vector>

#include "device/device_program.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// What a region runs on its GPU. A branch is in front of what stands in its bodies; nodes that
/// copy are last. The first buffers are the tensors of the region, with their numbers; behind them
/// are scratch and parameters. Sizes and offsets are those of the region, as far as they are known.
DeviceProgram make_program(const GraphRegion& region);

/// The nodes of a region's steps, by StepId.
std::vector<NodeId> nodes_of_steps(const DeviceProgram& program);

}  // namespace gxr
