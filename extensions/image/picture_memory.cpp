#include "image/picture_memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr::image {
namespace {

constexpr std::size_t kAlignment = 64;
/// Unused device memory that is kept, so that the next tick does not ask the driver for it again.
constexpr std::size_t kKept = std::size_t{256} << 20U;

/// Memory of one GPU from a pool of the driver. It belongs to no application: messages may outlive
/// the operator that made them.
class DeviceMemory final : public Allocator {
 public:
  explicit DeviceMemory(int device)
      : device_(device),
        pool_(
            DeviceRuntime::get().make_memory_pool({.device = device, .release_threshold = kKept})) {
  }

  void* allocate(std::size_t size, MemoryStorageType) override {
    void* const memory = pool_->allocate(size, current_device_stream());
    if (memory == nullptr) {
      const DeviceMemoryInfo info = DeviceRuntime::get().memory_info(device_);
      throw Error(ErrorCode::OutOfMemory, "GPU " + std::to_string(device_) + " has no " +
                                              std::to_string(size) + " bytes left; " +
                                              std::to_string(info.free) + " of " +
                                              std::to_string(info.total) + " are free");
    }
    return memory;
  }
  void free(void* pointer) override { free_after(pointer, {}); }
  void free_after(void* pointer, const DeviceUsers& users) override {
    try {
      pool_->free(pointer, users);
    } catch (...) {
      // The device has failed, which ends the run where its work is waited for: no memory of it is
      // used again. Nobody to be told: this is no component of the application.
    }
  }
  [[nodiscard]] bool is_available(std::size_t) const override { return true; }

 private:
  int device_;
  std::unique_ptr<DeviceMemoryPool> pool_;
};

/// Never destroyed, as the DeviceRuntime that it is from.
DeviceMemory& device_memory(int device) {
  static std::mutex mutex;
  static auto* const all = new std::map<int, std::unique_ptr<DeviceMemory>>();
  const std::lock_guard lock(mutex);
  std::unique_ptr<DeviceMemory>& memory = (*all)[device];
  if (memory == nullptr) {
    memory = std::make_unique<DeviceMemory>(device);
  }
  return *memory;
}

std::size_t bytes_of(const Shape& shape, ElementType type) {
  return static_cast<std::size_t>(shape.element_count()) * size_of(type);
}

void allocate_on_heap(Tensor& tensor, const Shape& shape, ElementType type) {
  const std::size_t bytes = bytes_of(shape, type);
  void* const memory = std::aligned_alloc(kAlignment, bytes / kAlignment * kAlignment + kAlignment);
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "the system has no " + std::to_string(bytes) + " bytes");
  }
  tensor.wrap(memory, shape, type, MemoryStorageType::System, nullptr,
              [](void*, void* pointer) noexcept { std::free(pointer); });
}

}  // namespace

void allocate_on_host(Tensor& tensor, Allocator* pool, const Shape& shape, ElementType type) {
  const bool reachable =
      pool != nullptr && pool->real_storage(MemoryStorageType::System) != MemoryStorageType::Device;
  if (reachable) {
    tensor.allocate(*pool, shape, type);
  } else {
    allocate_on_heap(tensor, shape, type);
  }
}

void allocate_on_device(Tensor& tensor, Allocator* pool, const Shape& shape, ElementType type,
                        int device) {
  const bool on_device =
      pool != nullptr && pool->real_storage(MemoryStorageType::Device) == MemoryStorageType::Device;
  Allocator& allocator = on_device ? *pool : device_memory(device);
  tensor.allocate(allocator, shape, type, MemoryStorageType::Device);
}

}  // namespace gxr::image
