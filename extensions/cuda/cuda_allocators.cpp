#include "cuda_allocators.hpp"

#include <algorithm>
#include <string>

#include "gxr/error.hpp"

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

void PooledAllocator::initialize() {
  const int device = context().device_id(*this);
  DeviceMemoryPoolOptions options = device_options();
  options.device = device;
  device_max_ = device_memory_max_size();
  if (device_max_ < options.initial_size) {
    throw Error(ErrorCode::InvalidParameter,
                "device_memory_max_size (" + std::to_string(device_max_) +
                    " bytes) is less than device_memory_initial_size (" +
                    std::to_string(options.initial_size) + " bytes)");
  }
  {
    const std::lock_guard lock(mutex_);
    if (!out_.empty()) {
      throw Error(ErrorCode::InvalidState, "initialized again while memory of it is in use");
    }
  }
  holder_.reset();
  pool_ = DeviceRuntime::get().make_memory_pool(options);
  holder_ = std::make_unique<DeviceMemoryHolder>(*this);
  if (const std::size_t host = host_memory_initial_size(); host > 0) {
    free(allocate_for(host, MemoryStorageType::Host, nullptr));  // kept for the first who asks
  }
}

void PooledAllocator::deinitialize() {
  const std::lock_guard lock(mutex_);
  if (!out_.empty()) {
    log_warning(std::to_string(out_.size()) +
                " pieces of memory are still in use; the pool is kept until they come back");
  }
}

/// Call with the mutex held.
void PooledAllocator::require_room(std::size_t size, MemoryStorageType storage) const {
  const bool on_device = storage == MemoryStorageType::Device;
  const std::uint64_t most = on_device ? device_max_ : host_memory_max_size();
  const std::uint64_t out = on_device ? device_out_ : host_out_;
  if (size > most || out > most - size) {
    throw Error(ErrorCode::OutOfMemory,
                "'" + full_name() + "': " + std::to_string(out) + " of at most " +
                    std::to_string(most) + " bytes of " + to_string(storage) +
                    " memory are in use, so there is no room for " + std::to_string(size) +
                    "; raise " + (on_device ? "device" : "host") + "_memory_max_size");
  }
}

void* PooledAllocator::allocate_for(std::size_t size, MemoryStorageType storage,
                                    DeviceStream* stream) {
  if (pool_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' was used before its initialize()");
  }
  if (storage == MemoryStorageType::System ||
      (storage == MemoryStorageType::Host && host_memory_max_size() == 0)) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + full_name() + "' gives device memory, not " + to_string(storage) + " memory");
  }
  const std::lock_guard lock(mutex_);
  require_room(size, storage);
  const bool on_device = storage == MemoryStorageType::Device;
  void* const memory =
      on_device ? pool_->allocate(size, stream) : DeviceRuntime::get().allocate_pinned(size);
  if (memory == nullptr && on_device) {
    throw_out_of_device_memory(*this, size, context().device_id(*this));
  }
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "'" + full_name() + "': there are no " +
                                            std::to_string(size) + " bytes of " +
                                            to_string(storage) + " memory left");
  }
  out_[memory] = {storage, size};
  (on_device ? device_out_ : host_out_) += size;
  return memory;
}

void* PooledAllocator::allocate(std::size_t size, MemoryStorageType storage) {
  return allocate_for(size, storage, current_device_stream());
}

void PooledAllocator::free(void* pointer) { free_after(pointer, {}); }

void PooledAllocator::free_after(void* pointer, const DeviceUsers& users) {
  if (pointer == nullptr) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    const auto found = out_.find(pointer);
    if (found == out_.end()) {
      throw Error(ErrorCode::InvalidArgument,
                  "'" + full_name() + "' was given back memory that is not in use");
    }
    const Piece piece = found->second;
    out_.erase(found);
    if (piece.storage == MemoryStorageType::Device) {
      device_out_ -= piece.size;
      pool_->free(pointer, users);
    } else {
      host_out_ -= piece.size;
      DeviceRuntime::get().free_pinned(pointer, users);
    }
  }
  announce_free();
}

bool PooledAllocator::is_available(std::size_t size) const {
  const std::lock_guard lock(mutex_);
  return pool_ != nullptr && size <= device_max_ && device_out_ <= device_max_ - size;
}

std::size_t PooledAllocator::device_bytes() const {
  return pool_ == nullptr ? 0 : pool_->reserved();
}

DeviceStream& PooledAllocator::find(CUstream_st* stream) {
  DeviceStream* const found = DeviceRuntime::get().find_stream(stream);
  if (found == nullptr) {
    throw Error(ErrorCode::NotFound,
                "memory was to be ordered by a CUDA stream that gxr did not make");
  }
  return *found;
}

void* PooledAllocator::allocate_async(std::size_t size, CUstream_st* stream) {
  return allocate_for(size, MemoryStorageType::Device, &find(stream));
}

void PooledAllocator::free_async(void* pointer, CUstream_st* stream) {
  DeviceUsers users;
  users.add(find(stream));
  free_after(pointer, users);
}

DeviceMemoryPoolOptions StreamOrderedAllocator::device_options() const {
  return {.release_threshold = release_threshold_.get().bytes,
          .initial_size = device_memory_initial_size_.get().bytes};
}

std::uint64_t StreamOrderedAllocator::device_memory_max_size() const {
  return device_memory_max_size_.get().bytes;
}

DeviceMemoryPoolOptions RMMAllocator::device_options() const {
  // Grows, and gives nothing back before its end.
  return {.release_threshold = device_memory_max_size_.get().bytes,
          .initial_size = device_memory_initial_size_.get().bytes};
}

std::uint64_t RMMAllocator::device_memory_max_size() const {
  return device_memory_max_size_.get().bytes;
}

std::uint64_t RMMAllocator::host_memory_initial_size() const {
  return std::min(host_memory_initial_size_.get().bytes, host_memory_max_size_.get().bytes);
}

std::uint64_t RMMAllocator::host_memory_max_size() const {
  return host_memory_max_size_.get().bytes;
}

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

}  // namespace gxr::cuda
