#pragma once

#include <memory>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Ties an object to a graph: it is let go when the graph is destroyed, and all that CUDA made out
/// of it, on a thread of this process's where functions of CUDA may be called.
void tie(cudaGraph_t graph, std::shared_ptr<const void> object);

}  // namespace gxr::cuda
