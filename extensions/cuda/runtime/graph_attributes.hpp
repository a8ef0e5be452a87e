#pragma once

#include <cuda_runtime_api.h>

#include "piece_options.hpp"

namespace gxr::cuda {

/// Sets what the options of a piece say for its kernels: on a node of it, or, of a child graph, on
/// those in it. A launch that brought an access policy window of its own keeps that.
void set_attributes(cudaGraphNode_t node, const PieceOptions& piece_options);
/// Nothing for 0, which is the usual one.
void set_priority(cudaGraphNode_t kernel, int priority);
/// Nothing for MemorySyncDomain::Default.
void set_memory_sync_domain(cudaGraphNode_t kernel, MemorySyncDomain domain);

}  // namespace gxr::cuda
