#include "gxr/cuda/green_context.hpp"

#include <string>

#include "gxr/error.hpp"

namespace gxr::cuda {

CudaGreenContextPool::~CudaGreenContextPool() = default;
CudaGreenContext::~CudaGreenContext() = default;

void CudaGreenContextPool::declare(Interface& interface) {
  interface
      .parameter(dev_id_, "dev_id", "Number of the GPU, as CUDA counts",
                 "Left out: that of the entity's GPUDevice, else 0.")
      .optional()
      .minimum(0);
  interface.parameter(flags_, "flags", "Reserved by CUDA; 0")
      .default_value(0)
      .choices({{"0", "the only value so far"}});
  interface
      .parameter(num_partitions_, "num_partitions", "Partitions, without the one for the rest",
                 "0: as many as sms_per_partition has numbers.")
      .default_value(0);
  interface
      .parameter(sms_per_partition_, "sms_per_partition", "SMs of each partition",
                 "Hardware groups SMs, so a partition may get more than it asks for. SMs that are "
                 "left make one more partition.")
      .unit("SMs");
  interface
      .parameter(default_context_index_, "default_context_index",
                 "Partition of those who name none", "Below 0: the last.")
      .default_value(-1);
  interface.parameter(min_sm_size_, "min_sm_size", "Fewest SMs that a partition may have")
      .default_value(2)
      .minimum(1)
      .unit("SMs");
}

void CudaGreenContextPool::initialize() {
  const std::vector<std::uint32_t>& sms = *sms_per_partition_;
  if (sms.empty() || (*num_partitions_ != 0 && *num_partitions_ != sms.size())) {
    throw Error(ErrorCode::InvalidParameter,
                "num_partitions is " + std::to_string(*num_partitions_) +
                    ", but sms_per_partition has " + std::to_string(sms.size()) + " numbers");
  }
  static_cast<void>(partition(*default_context_index_));
}

int CudaGreenContextPool::device() const {
  return dev_id_.has_value() ? *dev_id_ : context().device_id(*this);
}

void CudaGreenContextPool::deinitialize() { partitions_.clear(); }

DevicePartition& CudaGreenContextPool::partition(std::int32_t index) {
  if (partitions_.empty()) {  // whoever is initialized first makes them
    const std::vector<std::uint32_t>& sms = *sms_per_partition_;
    partitions_ =
        DeviceRuntime::get().split_device(device(), {sms.begin(), sms.end()}, *min_sm_size_);
  }
  const std::int32_t chosen = index >= 0 ? index : *default_context_index_;
  const auto count = static_cast<std::int32_t>(partitions_.size());
  if (chosen >= count) {
    throw Error(ErrorCode::OutOfRange, "'" + full_name() + "' has no partition " +
                                           std::to_string(chosen) + "; it has " +
                                           std::to_string(count) + ", counted from 0");
  }
  return *partitions_[static_cast<std::size_t>(chosen >= 0 ? chosen : count - 1)];
}

void CudaGreenContext::declare(Interface& interface) {
  interface.parameter(cuda_green_context_pool_, "cuda_green_context_pool",
                      "Pool that makes the partitions");
  interface
      .parameter(index_, "index", "Number of the partition, from 0",
                 "Below 0: the pool's default.")
      .default_value(-1);
}

int CudaGreenContext::device() const { return cuda_green_context_pool_->device(); }

DevicePartition& CudaGreenContext::partition() const {
  return cuda_green_context_pool_->partition(*index_);
}

}  // namespace gxr::cuda
