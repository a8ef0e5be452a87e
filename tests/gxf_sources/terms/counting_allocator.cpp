#include "counting_allocator.hpp"

#include <cinttypes>
#include <cstdlib>

#include "common/logger.hpp"

namespace acme {
namespace terms {

gxf_result_t CountingAllocator::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(limit_, "limit", "Limit", "The largest sum of all sizes, in bytes",
                                 uint64_t{4096});
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t CountingAllocator::deinitialize() {
  std::lock_guard<std::mutex> lock(mutex_);
  GXF_LOG_INFO("terms: %" PRIu64 " allocations", calls_);
  if (used_ != 0) {
    GXF_LOG_ERROR("%" PRIu64 " bytes did not come back", used_);
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

gxf_result_t CountingAllocator::is_available_abi(uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  return used_ + size <= limit_ ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t CountingAllocator::allocate_abi(uint64_t size, int32_t type, void** pointer) {
  if (pointer == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  if (static_cast<nvidia::gxf::MemoryStorageType>(type) !=
      nvidia::gxf::MemoryStorageType::kSystem) {
    return GXF_MEMORY_INVALID_STORAGE_MODE;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (used_ + size > limit_) {
    return GXF_OUT_OF_MEMORY;
  }
  *pointer = std::malloc(size == 0 ? 1 : size);
  if (*pointer == nullptr) {
    return GXF_OUT_OF_MEMORY;
  }
  sizes_[*pointer] = size;
  used_ += size;
  ++calls_;
  return GXF_SUCCESS;
}

gxf_result_t CountingAllocator::free_abi(void* pointer) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = sizes_.find(pointer);
  if (found == sizes_.end()) {
    return GXF_ARGUMENT_INVALID;
  }
  used_ -= found->second;
  sizes_.erase(found);
  std::free(pointer);
  return GXF_SUCCESS;
}

}  // namespace terms
}  // namespace acme
