#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

/// Splits the SMs of a GPU into partitions, so that work in one leaves the SMs of the others free.
/// L2 cache, memory bandwidth and copy engines stay common. SMs come in groups, of 8 on Hopper;
/// those that fill no group are nobody's.
class GXR_API CudaGreenContextPool final : public Component {
 public:
  ~CudaGreenContextPool() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

  [[nodiscard]] int device() const;
  /// Partition `index`, a negative one: the pool's default. Throws Error(OutOfRange).
  [[nodiscard]] DevicePartition& partition(std::int32_t index);

 private:
  Parameter<std::int32_t> dev_id_;
  Parameter<std::uint32_t> flags_;
  Parameter<std::uint32_t> num_partitions_;
  Parameter<std::vector<std::uint32_t>> sms_per_partition_;
  Parameter<std::int32_t> default_context_index_;
  Parameter<std::uint32_t> min_sm_size_;
  std::vector<std::unique_ptr<DevicePartition>> partitions_;
};

/// One partition of a CudaGreenContextPool, for a CudaStreamPool.
class GXR_API CudaGreenContext final : public Component {
 public:
  ~CudaGreenContext() override;
  void declare(Interface& interface) override;

  [[nodiscard]] int device() const;
  [[nodiscard]] DevicePartition& partition() const;

 private:
  Parameter<Handle<CudaGreenContextPool>> cuda_green_context_pool_;
  Parameter<std::int32_t> index_;
};

}  // namespace gxr::cuda
