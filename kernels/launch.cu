#include <stdexcept>
#include <string>

#include "contract.hpp"
#include "launch.cuh"

namespace gxr::kernels {

void require_stream(Stream stream) {
  require(stream != nullptr && stream != cudaStreamLegacy,
          "stream must not be the legacy default stream");
}

void require_success(cudaError_t error, const char* function) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(function) + ": " + cudaGetErrorName(error) + ": " +
                             cudaGetErrorString(error));
  }
}

void require_workspace(const void* workspace) {
  require(workspace != nullptr, "workspace must not be null");
  require(reinterpret_cast<std::uintptr_t>(workspace) % 16 == 0,
          "workspace must be aligned to 16 bytes");
}

int multiprocessor_count(const char* function) {
  int device = 0;
  require_success(cudaGetDevice(&device), function);
  int count = 0;
  require_success(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), function);
  return count;
}

}  // namespace gxr::kernels
