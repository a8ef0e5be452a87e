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
  /// `sms`: groups of SMs; `work_queues`: as in DeviceRuntime::split_device().
  GreenContext(Runtime& runtime, int device, std::vector<CUdevResource> sms, unsigned work_queues);
  ~GreenContext() override;
  [[nodiscard]] int device() const noexcept override { return device_; }
  [[nodiscard]] unsigned sm_count() const noexcept override { return sm_count_; }

  /// The context to make current for work on these SMs.
  [[nodiscard]] CUcontext context() const;
  /// A new stream of these SMs; the caller owns it.
  [[nodiscard]] cudaStream_t make_stream(int priority) const;

 private:
  Runtime& runtime_;
  int device_;
  unsigned sm_count_;
  CUgreenCtx context_ = nullptr;
};

/// Makes a partition's context the calling thread's current one, and the one before again in the
/// end: nodes of graphs and kernels belong to the context in which they are made. Does nothing
/// without a partition.
class PartitionGuard {
 public:
  explicit PartitionGuard(const DevicePartition* partition);
  PartitionGuard(const PartitionGuard&) = delete;
  PartitionGuard& operator=(const PartitionGuard&) = delete;
  ~PartitionGuard();

 private:
  bool pushed_ = false;
};

std::vector<std::unique_ptr<DevicePartition>> split_sms(Runtime& runtime, int device,
                                                        const std::vector<unsigned>& sms,
                                                        unsigned min_sm_size, unsigned work_queues);

}  // namespace gxr::cuda
