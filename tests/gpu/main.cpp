#define CATCH_CONFIG_RUNNER
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "catch.hpp"

int main(int argc, char** argv) {
  // As `gxr run` does for loops: CUDA waits for those that run when it loads a kernel.
  static_cast<void>(setenv("CUDA_MODULE_LOADING", "EAGER", 0));
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorName(error));
    return 77;
  }
  return Catch::Session().run(argc, argv);
}
