#include "runtime.hpp"

#include <algorithm>

#include "cuda_call.hpp"
#include "describe_device.hpp"
#include "device/device_interface.hpp"
#include "device_guard.hpp"
#include "graph.hpp"
#include "internal_api.hpp"
#include "loop.hpp"
#include "partition.hpp"

namespace gxr::cuda {

std::string Runtime::device_name(int device) const {
  devices_.require(device);
  cudaDeviceProp properties{};
  cuda_check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

DeviceMemoryInfo Runtime::memory_info(int device) const {
  devices_.require(device);
  const DeviceGuard guard(device);
  DeviceMemoryInfo info;
  cuda_check("cudaMemGetInfo", cudaMemGetInfo(&info.free, &info.total));
  return info;
}

DeviceFacts Runtime::describe(int device) const {
  devices_.require(device);
  return describe_device(device, devices_.count());
}

DeviceObjects Runtime::objects() const {
  DeviceObjects objects;
  objects.pinned_bytes = pinned_.bytes();
  for (const RuntimeStream* stream : streams_.all()) {
    objects.streams += stream->is_retired() ? 0 : 1;
    objects.events += stream->events();
  }
  return objects;
}

DeviceStream& Runtime::acquire_stream(const StreamOptions& options) {
  devices_.require(options.device);
  devices_.open_to_others(options.device);
  return streams_.acquire(options);
}

std::vector<std::unique_ptr<DevicePartition>> Runtime::split_device(
    int device, const std::vector<unsigned>& sms, unsigned min_sm_size, unsigned work_queues) {
  devices_.require(device);
  return split_sms(*this, device, sms, min_sm_size, work_queues);
}

void* Runtime::allocate(std::size_t size, MemoryStorageType storage, int device,
                        const HostMemoryOptions& host) {
  devices_.require(device);
  const DeviceGuard guard(device);
  void* memory = nullptr;
  const bool on_device = storage == MemoryStorageType::Device;
  unsigned flags = cudaHostAllocPortable;
  flags |= host.mapped ? cudaHostAllocMapped : 0U;
  flags |= host.write_combining ? cudaHostAllocWriteCombined : 0U;
  const std::size_t bytes = std::max<std::size_t>(size, 1);
  const cudaError_t result =
      on_device ? cudaMalloc(&memory, bytes) : cudaHostAlloc(&memory, bytes, flags);
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  cuda_check(on_device ? "cudaMalloc" : "cudaHostAlloc", result);
  return memory;
}

void Runtime::free(void* pointer, MemoryStorageType storage) noexcept {
  in_flight_.when_may_wait([pointer, storage] {
    // Fails only after a device has failed, and then there is nothing left to free.
    static_cast<void>(storage == MemoryStorageType::Device ? cudaFree(pointer)
                                                           : cudaFreeHost(pointer));
  });
}

std::unique_ptr<DeviceMemoryPool> Runtime::make_memory_pool(
    const DeviceMemoryPoolOptions& options) {
  devices_.require(options.device);
  return std::make_unique<RuntimeMemoryPool>(options);
}

std::unique_ptr<DeviceGraph> Runtime::make_graph(const DeviceGraphOptions& options) {
  devices_.require(options.device);
  return std::make_unique<RuntimeGraph>(options);
}

std::unique_ptr<DeviceLoop> Runtime::make_loop(const DeviceLoopOptions& options) {
  devices_.require(options.device);
  return std::make_unique<RuntimeLoop>(options);
}

void Runtime::copy(void* to, const void* from, std::size_t bytes, DeviceStream& stream) {
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.handle()));
}

void Runtime::order_default_stream_after(const DeviceWork& work) {
  if (work) {
    static_cast<RuntimeStream&>(*work.stream).let_default_stream_wait(work.number);
  }
}

void Runtime::order_after_default_stream(DeviceStream& stream) {
  const DeviceGuard guard(stream.device());
  const Event event = make_event();  // CUDA keeps it until it has happened
  cuda_check("cudaEventRecord", cudaEventRecord(event.get(), cudaStreamLegacy));
  cuda_check("cudaStreamWaitEvent", cudaStreamWaitEvent(stream.handle(), event.get(), 0));
}

void Runtime::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        std::size_t bytes, std::size_t rows, DeviceStream& stream) {
  cuda_check("cudaMemcpy2DAsync", cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows,
                                                    cudaMemcpyDefault, stream.handle()));
}

void Runtime::clear(void* memory, std::size_t bytes, DeviceStream& stream) {
  cuda_check("cudaMemsetAsync", cudaMemsetAsync(memory, 0, bytes, stream.handle()));
}

void Runtime::fail(const char* call, int error) {
  throw_cuda_error(call, static_cast<cudaError_t>(error));
}

void Runtime::check() { cuda_check("cudaGetLastError", cudaGetLastError()); }

Runtime& runtime() {
  // Never destroyed: CUDA may be gone before the last static object is.
  static Runtime* const once = new Runtime();
  return *once;
}

}  // namespace gxr::cuda

extern "C" GXR_INTERNAL_API const char* gxr_device_interface() { return gxr::kDeviceInterface; }

extern "C" GXR_INTERNAL_API gxr::DeviceEngine& gxr_device_runtime() { return gxr::cuda::runtime(); }
