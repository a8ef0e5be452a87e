#include "gxr/cuda/cuda_allocator.hpp"

namespace gxr::cuda {

CudaAllocator::~CudaAllocator() = default;

}  // namespace gxr::cuda
