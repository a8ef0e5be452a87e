#include "memory_access.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

std::array<std::byte, 16> uuid_of(int device) {
  cudaDeviceProp properties{};
  cuda_check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  std::array<std::byte, 16> uuid{};
  static_assert(sizeof(properties.uuid) == sizeof(uuid));
  std::memcpy(uuid.data(), &properties.uuid, sizeof(uuid));
  return uuid;
}

}  // namespace

int device_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  cuda_check("cudaPointerGetAttributes", cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged
             ? attributes.device
             : -1;
}

std::size_t MemoryAccess::bytes_behind(const void* pointer) const {
  const auto address = reinterpret_cast<CUdeviceptr>(pointer);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  driver_check("cuMemGetAddressRange", driver().get_address_range(&base, &bytes, address));
  return bytes - (address - base);
}

SharedDeviceMemory MemoryAccess::share_memory(void* pointer) {
  const int device = device_of(pointer);
  devices_.require(device);
  const DeviceGuard guard(device);
  cudaIpcMemHandle_t handle{};
  cuda_check("cudaIpcGetMemHandle", cudaIpcGetMemHandle(&handle, pointer));
  SharedDeviceMemory shared;
  static_assert(sizeof(handle) == sizeof(shared.handle));
  std::memcpy(shared.handle.data(), &handle, sizeof(handle));
  shared.gpu = uuid_of(device);
  return shared;
}

void* MemoryAccess::open_shared_memory(const SharedDeviceMemory& memory) {
  int device = 0;
  while (device < devices_.count() && uuid_of(device) != memory.gpu) {
    ++device;
  }
  if (device == devices_.count()) {
    throw Error(ErrorCode::NotFound,
                "the memory that another process shares is on a GPU that this process does not see "
                "(CUDA_VISIBLE_DEVICES)");
  }
  const DeviceGuard guard(device);
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, memory.handle.data(), sizeof(handle));
  void* pointer = nullptr;
  cuda_check("cudaIpcOpenMemHandle",
             cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
  return pointer;
}

void MemoryAccess::close_shared_memory(void* pointer, std::function<void()> closed) noexcept {
  in_flight_.when_may_wait([pointer, closed = std::move(closed)] {
    // Fails only after a device has failed, and then there is nothing left to close.
    static_cast<void>(cudaIpcCloseMemHandle(pointer));
    closed();
  });
}

GraphMemory MemoryAccess::graph_memory(int device) const {
  devices_.require(device);
  const auto bytes = [device](cudaGraphMemAttributeType which) {
    std::uint64_t value = 0;
    cuda_check("cudaDeviceGetGraphMemAttribute",
               cudaDeviceGetGraphMemAttribute(device, which, &value));
    return value;
  };
  return {device, bytes(cudaGraphMemAttrReservedMemCurrent), bytes(cudaGraphMemAttrUsedMemCurrent)};
}

void MemoryAccess::trim_graph_memory(int device) {
  devices_.require(device);
  in_flight_.when_may_wait([device] {
    if (cudaDeviceGraphMemTrim(device) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // fails only after the device has failed
    }
  });
}

}  // namespace gxr::cuda
