#pragma once

#include <cstdint>

#include "graph/graph.hpp"
#include "internal_api.hpp"

namespace gxr {

/// The GPU of components that choose none: 0. Ranks of one host share its GPUs: the rank's number
/// within the host, modulo the number of GPUs. 0 where no GPU can be used.
[[nodiscard]] GXR_INTERNAL_API std::int32_t default_device(const Graph& graph);

/// The GPU of a GraphExecutor's graph.
[[nodiscard]] std::int32_t device_of_executor(const Graph& graph, const GraphComponent& executor);

}  // namespace gxr
