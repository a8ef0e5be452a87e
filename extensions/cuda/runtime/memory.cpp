#include "memory.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "device_guard.hpp"
#include "gxr/error.hpp"
#include "stream.hpp"

namespace gxr::cuda {
namespace {

MemoryPoolHandle make_pool(const DeviceMemoryPoolOptions& options) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location = {cudaMemLocationTypeDevice, options.device};
  PoolRef pool = nullptr;
  cuda_check("cudaMemPoolCreate", cudaMemPoolCreate(&pool, &properties));
  MemoryPoolHandle handle(pool);
  auto threshold = static_cast<std::uint64_t>(options.release_threshold);
  cuda_check("cudaMemPoolSetAttribute",
             cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  return handle;
}

/// Lets all devices that can reach it read and write the pool's memory.
void open_to_peers(PoolRef pool, int device, int devices) {
  std::vector<cudaMemAccessDesc> access;
  for (int peer = 0; peer < devices; ++peer) {
    int possible = 0;
    if (peer != device && cudaDeviceCanAccessPeer(&possible, peer, device) == cudaSuccess &&
        possible != 0) {
      access.push_back({{cudaMemLocationTypeDevice, peer}, cudaMemAccessFlagsProtReadWrite});
    }
  }
  if (!access.empty()) {
    cuda_check("cudaMemPoolSetAccess", cudaMemPoolSetAccess(pool, access.data(), access.size()));
  }
}

}  // namespace

RuntimeMemoryPool::RuntimeMemoryPool(const DeviceMemoryPoolOptions& options)
    : device_(options.device), pool_(make_pool(options)), own_stream_({.device = options.device}) {
  open_to_peers(pool_.get(), device_, DeviceRuntime::get().device_count());
  if (options.initial_size > 0) {
    void* memory = allocate(options.initial_size, nullptr);
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "GPU " + std::to_string(device_) + " has no " +
                                              std::to_string(options.initial_size) +
                                              " bytes for a pool to begin with");
    }
    free(memory, {});
  }
}

RuntimeMemoryPool::~RuntimeMemoryPool() {
  // The driver does not bear that a pool goes before the memory is back.
  if (!freed_on_.finish_on_host() || !finish_on_host(own_stream_.get().mark())) {
    pool_.release();
  }
}

void* RuntimeMemoryPool::allocate(std::size_t size, DeviceStream* stream) {
  const bool other_device = stream != nullptr && stream->device() != device_;
  DeviceStream& order = stream == nullptr || other_device ? own_stream_.get() : *stream;
  void* memory = nullptr;
  const cudaError_t result =
      cudaMallocFromPoolAsync(&memory, std::max<std::size_t>(size, 1), pool_.get(), order.handle());
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  cuda_check("cudaMallocFromPoolAsync", result);
  if (other_device) {
    stream->wait_for(own_stream_.get().mark());
  } else if (stream == nullptr) {
    own_stream_.finish();
  }
  return memory;
}

void RuntimeMemoryPool::free(void* pointer, const DeviceUsers& users) {
  // In the order of one of the users, so that it gets the memory again without waiting.
  DeviceStream* order = nullptr;
  users.for_each_with_tick([&](DeviceStream& user) {
    const bool works = !static_cast<RuntimeStream&>(user).is_retired();
    if (order == nullptr && user.device() == device_ && works) {
      order = &user;
    }
  });
  if (order == nullptr) {
    order = &own_stream_.get();
  }
  users.for_each_with_tick([&](DeviceStream& user) { order->wait_for(user.mark()); });
  cuda_check("cudaFreeAsync", cudaFreeAsync(pointer, order->handle()));
  freed_on_.add(*order);
}

std::size_t RuntimeMemoryPool::reserved() const {
  std::uint64_t bytes = 0;
  cuda_check("cudaMemPoolGetAttribute",
             cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrReservedMemCurrent, &bytes));
  return bytes;
}

bool PinnedMemory::is_done(const Block& block) {
  return std::all_of(block.pending.begin(), block.pending.end(),
                     [](const DeviceWork& work) { return work.stream->is_done(work.number); });
}

void* PinnedMemory::allocate(std::size_t size) {
  const std::size_t rounded = std::bit_ceil(std::max<std::size_t>(size, 4096));
  {
    const std::lock_guard lock(mutex_);
    std::vector<Block>& blocks = free_[rounded];
    const auto done = std::find_if(blocks.begin(), blocks.end(), is_done);
    if (done != blocks.end()) {
      void* const memory = done->pointer;
      blocks.erase(done);
      sizes_[memory] = rounded;
      return memory;
    }
  }
  void* memory = nullptr;
  const cudaError_t result = cudaHostAlloc(&memory, rounded, cudaHostAllocPortable);
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  cuda_check("cudaHostAlloc", result);
  const std::lock_guard lock(mutex_);
  bytes_ += rounded;
  sizes_[memory] = rounded;
  return memory;
}

std::size_t PinnedMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void PinnedMemory::free(void* pointer, const DeviceUsers& users) {
  Block block{pointer, {}};
  users.for_each_with_tick([&](DeviceStream& user) { block.pending.push_back(user.mark()); });
  const std::lock_guard lock(mutex_);
  const auto size = sizes_.find(pointer);
  if (size == sizes_.end()) {
    throw Error(ErrorCode::InvalidArgument, "page-locked memory was given back that is not in use");
  }
  free_[size->second].push_back(std::move(block));
  sizes_.erase(size);
}

}  // namespace gxr::cuda
