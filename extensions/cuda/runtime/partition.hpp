#pragma once

#include <memory>
#include <vector>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

class Runtime;

/// A green context. Its streams are retired with it.
class GreenContext final : public DevicePartition {
 public:
  GreenContext(Runtime& runtime, int device, std::vector<CUdevResource> resources);
  ~GreenContext() override;
  [[nodiscard]] int device() const noexcept override { return device_; }
  [[nodiscard]] unsigned sm_count() const noexcept override { return sm_count_; }

  /// A new stream of these SMs; the caller owns it.
  [[nodiscard]] cudaStream_t make_stream(int priority) const;

 private:
  Runtime& runtime_;
  int device_;
  unsigned sm_count_;
  CUgreenCtx context_ = nullptr;
};

std::vector<std::unique_ptr<DevicePartition>> split_sms(Runtime& runtime, int device,
                                                        const std::vector<unsigned>& sms,
                                                        unsigned min_sm_size);

}  // namespace gxr::cuda
