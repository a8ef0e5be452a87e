#include "cuda_allocators.hpp"

#include "no_device.hpp"

namespace gxr::cuda {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
constexpr ByteSize kReleaseThreshold{4 * kMegabyte};
// GXF's defaults, which are smaller on Jetson.
#if defined(__aarch64__)
constexpr ByteSize kInitialSize{8 * kMegabyte};
constexpr ByteSize kMaxSize{16 * kMegabyte};
#else
constexpr ByteSize kInitialSize{16 * kMegabyte};
constexpr ByteSize kMaxSize{32 * kMegabyte};
#endif

}  // namespace

void DeviceAllocator::initialize() { fail_without_device(*this); }
void* DeviceAllocator::allocate(std::size_t, MemoryStorageType) { fail_without_device(*this); }
void DeviceAllocator::free(void*) { fail_without_device(*this); }
void* DeviceAllocator::allocate_async(std::size_t, void*) { fail_without_device(*this); }
void DeviceAllocator::free_async(void*, void*) { fail_without_device(*this); }

void StreamOrderedAllocator::declare(Interface& interface) {
  interface
      .parameter(release_threshold_, "release_threshold",
                 "Unused memory that the pool keeps when it could give it back")
      .default_value(kReleaseThreshold);
  interface
      .parameter(device_memory_initial_size_, "device_memory_initial_size",
                 "Memory that the pool takes at the start")
      .default_value(kInitialSize);
  interface
      .parameter(device_memory_max_size_, "device_memory_max_size",
                 "Memory that the pool takes at most")
      .default_value(kMaxSize);
}

void RMMAllocator::declare(Interface& interface) {
  interface
      .parameter(device_memory_initial_size_, "device_memory_initial_size",
                 "Device memory that the pool takes at the start")
      .default_value(kInitialSize);
  interface
      .parameter(device_memory_max_size_, "device_memory_max_size",
                 "Device memory that the pool takes at most")
      .default_value(kMaxSize);
  interface
      .parameter(host_memory_initial_size_, "host_memory_initial_size",
                 "Page-locked host memory that the pool takes at the start")
      .default_value(kInitialSize);
  interface
      .parameter(host_memory_max_size_, "host_memory_max_size",
                 "Page-locked host memory that the pool takes at most")
      .default_value(kMaxSize);
}

void CudaStreamPool::declare(Interface& interface) {
  interface
      .parameter(stream_flags_, "stream_flags", "How the streams are made",
                 "The flags of cudaStreamCreateWithPriority: 0 is a stream that waits for the "
                 "default stream, 1 one that does not.")
      .default_value(1)
      .choices({{"0", "waits for the default stream"}, {"1", "does not wait for it"}});
  interface
      .parameter(stream_priority_, "stream_priority", "Priority of the streams",
                 "Lower numbers come first; the range depends on the device.")
      .default_value(0);
  interface.parameter(reserved_size_, "reserved_size", "Streams that are made at the start")
      .default_value(1)
      .unit("streams");
  interface
      .parameter(max_size_, "max_size", "Streams at most", "0: no limit. At least reserved_size.")
      .default_value(0)
      .unit("streams");
}

void CudaStreamPool::initialize() { fail_without_device(*this); }
void* CudaStreamPool::allocate(std::size_t, MemoryStorageType) { fail_without_device(*this); }
void CudaStreamPool::free(void*) { fail_without_device(*this); }

}  // namespace gxr::cuda
