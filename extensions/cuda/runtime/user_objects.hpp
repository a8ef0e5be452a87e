#pragma once

#include <memory>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Ties an object to a graph: it is let go when that, and what was instantiated from it, are
/// destroyed, on a thread of this process's where functions of CUDA may be called. A graph that
/// nodes are copied to one by one does not hold it; and launches do not: seen with driver 580, it
/// is let go while some still run.
void tie(cudaGraph_t graph, std::shared_ptr<const void> object);

}  // namespace gxr::cuda
