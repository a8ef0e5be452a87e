#pragma once

#include <string>

#include "plan/shapes.hpp"

namespace gxr {

/// The memory that device ports give for this tensor, when the operators have started; none if it
/// lies in the region's. Throws Error(InvalidState) when an operator did not set the pointer that
/// its port was to have, Error(InvalidArgument) when two ports have different ones or the memory is
/// smaller than the tensor; both ends of the connection are named.
cuda::DevicePort::Memory own_memory(const Graph& graph, const GraphRegion& region, TensorId tensor,
                                    ShapeSource& source);

/// How messages call an end of a tensor: "'scale/out' (connected to 'sum/in')".
std::string name_with_ends(const Graph& graph, const GraphRegion& region, TensorId tensor,
                           ComponentId end);

}  // namespace gxr
