#include "executors/cuda_graph/region_memory.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace gxr {
namespace {

constexpr std::uint64_t kAligned = 256;
/// With more, kernels have more blocks than fit on the SMs that are near to the same memory.
constexpr std::uint64_t kNearBytes = 8192;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; }

}  // namespace

RegionMemory::RegionMemory(int device)
    : device_(device),
      pool_(DeviceRuntime::get().make_memory_pool(
          {.device = device, .release_threshold = std::numeric_limits<std::size_t>::max()})),
      holder_(*this) {}

void* RegionMemory::allocate(std::size_t size, MemoryStorageType /*storage*/) {
  return allocate_for(size, current_device_stream());
}

void* RegionMemory::allocate_for(std::size_t size, DeviceStream* stream) {
  void* const memory = pool_->allocate(size, stream);
  if (memory == nullptr) {
    throw_out_of_device_memory(*this, size, device_);
  }
  return memory;
}

void* RegionMemory::take(std::size_t bytes) {
  void* const memory = taken_.emplace_back(allocate_for(bytes, nullptr));
  taken_bytes_ += bytes;
  return memory;
}

std::vector<void*> RegionMemory::take(const std::vector<std::uint64_t>& sizes,
                                      const DevicePartition* partition) {
  const std::uint64_t sum =
      std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0},
                      [](std::uint64_t all, std::uint64_t each) { return all + aligned(each); });
  std::vector<void*> blocks;
  if (sum == 0 || sum > kNearBytes) {
    for (const std::uint64_t size : sizes) {
      blocks.push_back(take(size));
    }
    return blocks;
  }
  auto* const memory = static_cast<std::byte*>(take(sum + kRoomForNearest));
  std::byte* next = memory + DeviceEngine::get().memory().nearest(memory, aligned(sizes.front()),
                                                                  device_, partition);
  for (const std::uint64_t size : sizes) {
    blocks.push_back(std::exchange(next, next + aligned(size)));
  }
  return blocks;
}

void RegionMemory::give_back() {
  taken_bytes_ = 0;
  for (void* const memory : std::exchange(taken_, {})) {
    free(memory);
  }
}

}  // namespace gxr
