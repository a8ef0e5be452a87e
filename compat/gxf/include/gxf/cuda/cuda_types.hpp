#pragma once

// CUDA's types as sources name them. Without CUDA's headers there are only the names, and what a
// source calls of this layer fails at run time.

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#else
struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
enum cudaError { cudaSuccess = 0 };
using cudaError_t = cudaError;
#endif
