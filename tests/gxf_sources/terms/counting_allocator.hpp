#pragma once

#include <mutex>
#include <unordered_map>

#include "gxf/std/allocator.hpp"

namespace acme {
namespace terms {

// Gives system memory up to a limit, and fails at the end when memory did not come back.
class CountingAllocator : public nvidia::gxf::Allocator {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t deinitialize() override;

  gxf_result_t is_available_abi(uint64_t size) override;
  gxf_result_t allocate_abi(uint64_t size, int32_t type, void** pointer) override;
  gxf_result_t free_abi(void* pointer) override;
  uint64_t block_size_abi() const override { return 16; }

 private:
  nvidia::gxf::Parameter<uint64_t> limit_;

  std::mutex mutex_;
  std::unordered_map<void*, uint64_t> sizes_;
  uint64_t used_ = 0;
  uint64_t calls_ = 0;
};

}  // namespace terms
}  // namespace acme
