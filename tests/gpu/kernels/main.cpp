#define CATCH_CONFIG_RUNNER
#include <cstdio>

#include <cuda_runtime.h>

#include "catch.hpp"

int main(int argc, char** argv) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorName(error));
    return 77;
  }
  return Catch::Session().run(argc, argv);
}
