#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// See DeviceGraph::write_dot().
void write_dot(cudaGraph_t graph, const std::string& file);

}  // namespace gxr::cuda
