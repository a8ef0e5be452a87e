#include "gxr/cuda/green_context.hpp"

#include <string>

#include "gxr/error.hpp"

namespace gxr::cuda {

CudaGreenContextPool::~CudaGreenContextPool() = default;
CudaGreenContext::~CudaGreenContext() = default;
gxf::CudaGreenContextPool::~CudaGreenContextPool() = default;

namespace {

constexpr const char* kNvtxIdentifier = "Accepted for GXF's files, no effect in gxr";
constexpr const char* kNvtxDescription = "GXF's name of the context in profilers.";

[[noreturn]] void throw_not_as_many(std::uint32_t num_partitions, std::size_t numbers) {
  throw Error(ErrorCode::InvalidParameter, "num_partitions is " + std::to_string(num_partitions) +
                                               ", but sms_per_partition has " +
                                               std::to_string(numbers) + " numbers");
}

/// The numbers of SMs that a file gives. Throws Error(OutOfRange) for one below 1.
template <class T>
std::vector<unsigned> sms_of_file(const std::vector<T>& numbers) {
  std::vector<unsigned> sms;
  for (const T number : numbers) {
    if (number < 1) {
      throw Error(ErrorCode::OutOfRange,
                  "sms_per_partition: a partition cannot have " + std::to_string(number) + " SMs");
    }
    sms.push_back(static_cast<unsigned>(number));
  }
  return sms;
}

}  // namespace

void CudaGreenContextPool::declare(Interface& interface) {
  interface
      .parameter(dev_id_, "dev_id", "Number of the GPU, as CUDA counts",
                 "Left out: that of the entity's GPUDevice, else 0; the ranks of a host use its GPUs in "
                 "turn.")
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
                 "Partition of components that name none", "Below 0: the last.")
      .default_value(-1);
  interface.parameter(min_sm_size_, "min_sm_size", "Fewest SMs that a partition may have")
      .default_value(2)
      .minimum(1)
      .unit("SMs");
  interface
      .parameter(work_queues_, "work_queues",
                 "Streams of a partition that have work at the same time",
                 "Each partition gets work queues of its own for so many, as far as the GPU has "
                 "any, so that its streams do not wait behind those of others. CUDA 13.1 and its "
                 "driver are needed. 0: all partitions share the queues.")
      .default_value(0)
      .range(0, 1024)
      .unit("streams");
  declare_serves(interface);
}

void CudaGreenContextPool::declare_serves(Interface& interface) {
  interface
      .parameter(serves_, "serves", "Which codelets without a green context of their own it serves",
                 "named: none. group: those of its entity group that name no stream pool and no "
                 "green context, unless a pool of streams serves them; they get the default "
                 "partition. application: all such codelets that no pool of their group serves.")
      .default_value(PoolServes::Named);
}

CudaGreenContextPool::Split CudaGreenContextPool::split() const {
  const std::vector<std::uint32_t>& sms = *sms_per_partition_;
  if (sms.empty() || (*num_partitions_ != 0 && *num_partitions_ != sms.size())) {
    throw_not_as_many(*num_partitions_, sms.size());
  }
  return {sms_of_file(sms), *min_sm_size_, *default_context_index_, *work_queues_};
}

void CudaGreenContextPool::initialize() { static_cast<void>(partition(-1)); }

int CudaGreenContextPool::device() const {
  return dev_id_.has_value() ? *dev_id_ : context().device_id(*this);
}

void CudaGreenContextPool::deinitialize() { partitions_.clear(); }

DevicePartition& CudaGreenContextPool::partition(std::int32_t index) {
  if (partitions_.empty()) {  // the first component that is initialized makes them
    split_ = split();
    partitions_ =
        DeviceRuntime::get().split_device(device(), split_.sms, split_.min_sms, split_.work_queues);
  }
  const std::int32_t chosen = index >= 0 ? index : split_.default_index;
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
                 "Below 0, or left out: the pool's default.")
      .default_value(-1);
  interface.parameter(nvtx_identifier_, "nvtx_identifier", kNvtxIdentifier, kNvtxDescription)
      .default_value("");
}

int CudaGreenContext::device() const { return cuda_green_context_pool_->device(); }

DevicePartition& CudaGreenContext::partition() const {
  return cuda_green_context_pool_->partition(*index_);
}

void gxf::CudaGreenContextPool::declare(Interface& interface) {
  interface
      .parameter(green_context_flags_, "green_context_flags", "Flags of CUDA for green contexts")
      .default_value(1)
      .choices({{"1", "the only value that CUDA takes"}});
  interface
      .parameter(num_partitions_, "num_partitions", "Partitions, without the one for the rest",
                 "0: as many as sms_per_partition has numbers.")
      .default_value(0);
  interface
      .parameter(sms_per_partition_, "sms_per_partition", "SMs of each partition",
                 "Hardware groups SMs, so a partition may get more than it asks for. SMs that are "
                 "left make one more partition. Left out: num_partitions equal parts.")
      .default_value({})
      .minimum(1)
      .unit("SMs");
  interface.parameter(min_sm_count_, "min_sm_count", "Fewest SMs that a partition may have")
      .default_value(2)
      .minimum(1)
      .unit("SMs");
  interface
      .parameter(default_context_, "default_context", "Partition of components that name none",
                 "Left out: the last.")
      .optional();
  interface.parameter(nvtx_identifier_, "nvtx_identifier", kNvtxIdentifier, kNvtxDescription)
      .default_value("");
  declare_serves(interface);
}

CudaGreenContextPool::Split gxf::CudaGreenContextPool::split() const {
  const std::vector<std::int32_t>& sms = *sms_per_partition_;
  if (!sms.empty() && *num_partitions_ != 0 && *num_partitions_ != sms.size()) {
    throw_not_as_many(*num_partitions_, sms.size());
  }
  Split split{{}, *min_sm_count_, default_context_.try_get().value_or(-1)};
  if (sms.empty()) {
    split.sms.assign(*num_partitions_, DeviceRuntime::kEqualShare);
  } else {
    split.sms = sms_of_file(sms);
  }
  return split;
}

}  // namespace gxr::cuda
