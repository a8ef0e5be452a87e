#pragma once

namespace gxr::cuda {

// Programmatic dependent launch. Older GPUs launch no kernel before its predecessors have ended.

__device__ inline void wait_for_predecessors() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
__device__ inline void let_successors_come() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace gxr::cuda
