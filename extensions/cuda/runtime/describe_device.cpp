#include "describe_device.hpp"

#include <array>
#include <string>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "gpu_instances.hpp"
#include "graph_kernels.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

std::vector<int> peers_of(int device, int count) {
  std::vector<int> peers;
  for (int other = 0; other < count; ++other) {
    int reaches = 0;
    if (other != device) {
      cuda_check("cudaDeviceCanAccessPeer", cudaDeviceCanAccessPeer(&reaches, device, other));
    }
    if (reaches != 0) {
      peers.push_back(other);
    }
  }
  return peers;
}

/// Loads one of gxr's kernels, which fails on GPUs that it was not built for, and on those that
/// this process may not use.
std::string why_not(int device) {
  try {
    const DeviceGuard guard(device);
    cudaFuncAttributes attributes{};
    cuda_check("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, empty_kernel()));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

}  // namespace

DeviceFacts describe_device(int device, int count) {
  cudaDeviceProp properties{};
  cuda_check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  DeviceFacts facts;
  facts.name = properties.name;
  facts.capability_major = properties.major;
  facts.capability_minor = properties.minor;
  facts.memory_bytes = properties.totalGlobalMem;
  facts.sms = properties.multiProcessorCount;
  facts.peers = peers_of(device, count);
  std::array<char, 32> address{};  // "0000:18:00.0"
  cuda_check("cudaDeviceGetPCIBusId",
             cudaDeviceGetPCIBusId(address.data(), address.size(), device));
  const GpuInstances instances = find_instances(address.data());
  facts.instance_mode = instances.mode;
  facts.instances = instances.count;
  facts.why_not = why_not(device);
  return facts;
}

}  // namespace gxr::cuda
