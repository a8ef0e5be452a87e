#pragma once

#include <memory>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Ties an object to a graph: it is let go when the graph and all that was instantiated from it, or
/// updated by it, are destroyed and their launches have ended, on a thread of this process's where
/// functions of CUDA may be called. A graph that nodes are copied to one by one does not hold it.
void tie(cudaGraph_t graph, std::shared_ptr<const void> object);

}  // namespace gxr::cuda
