// What each of a chain's kernels does, here and in the operators of ../tiny: the same instructions on both sides. That
// decides: on an H200, kernels that fetched their arguments behind the wait, and had more instructions there, took 13 to
// 45 ns more each.
#pragma once

#include <cuda_runtime.h>

template <int PDL> __device__ __forceinline__ void pdl_begin() {
#if __CUDA_ARCH__ >= 900
  if (PDL == 2) cudaTriggerProgrammaticLaunchCompletion();  // let the successor come up at once
  if (PDL) cudaGridDependencySynchronize();                 // predecessor complete and its writes visible
  if (PDL == 1) cudaTriggerProgrammaticLaunchCompletion();  // one kernel of look-ahead
#endif
}

// The work: element i of stage k+1 = element i of stage k + 1.  Stage 0 counts iterations.
template <int PDL>
__device__ __forceinline__ void do_work(int* in, int* out, unsigned long long* sum, int first, int last) {
  pdl_begin<PDL>();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  if (first) in[i] = ++v;
  out[i] = ++v;
  if (last) sum[i] += (unsigned long long)v;
}
template <int PDL>
__global__ void k_work(int* in, int* out, unsigned long long* sum, int first, int last) {
  do_work<PDL>(in, out, sum, first, last);
}
