#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/interface.hpp"

namespace gxr::cuda {

/// Whom a pool of streams or of green contexts serves besides those that name it.
enum class PoolServes : std::uint8_t {
  Named,        ///< nobody
  Group,        ///< codelets of its entity group that name none
  Application,  ///< all codelets that name none and are served by no pool of their group
};

}  // namespace gxr::cuda

template <>
struct gxr::EnumNames<gxr::cuda::PoolServes> {
  static constexpr std::pair<gxr::cuda::PoolServes, const char*> values[] = {
      {gxr::cuda::PoolServes::Named, "named"},
      {gxr::cuda::PoolServes::Group, "group"},
      {gxr::cuda::PoolServes::Application, "application"},
  };
};

namespace gxr::cuda {

/// Splits the SMs of a GPU into partitions, so that work in one leaves the SMs of the others free.
/// L2 cache, memory bandwidth and copy engines stay common. SMs come in groups, of 8 on Hopper;
/// those that fill no group are nobody's.
class GXR_API CudaGreenContextPool : public Component {
 public:
  ~CudaGreenContextPool() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

  /// Number of the GPU.
  [[nodiscard]] int device() const;
  /// Partition `index`, a negative one: the pool's default. Throws Error(OutOfRange).
  [[nodiscard]] DevicePartition& partition(std::int32_t index);
  /// Whom it serves besides those that name it.
  [[nodiscard]] PoolServes serves() const { return *serves_; }

 protected:
  /// How the SMs are to be split.
  struct Split {
    std::vector<unsigned> sms;        ///< of each partition
    unsigned min_sms = 1;             ///< of any partition
    std::int32_t default_index = -1;  ///< partition of who names none; below 0: none
    unsigned work_queues = 0;         ///< of each partition; 0: those that all share
  };
  /// Declares `serves`.
  void declare_serves(Interface& interface);
  /// The parameters' values. Throws Error(InvalidParameter) when they contradict each other.
  [[nodiscard]] virtual Split split() const;

 private:
  Parameter<std::int32_t> dev_id_;
  Parameter<std::uint32_t> flags_;
  Parameter<std::uint32_t> num_partitions_;
  Parameter<std::vector<std::uint32_t>> sms_per_partition_;
  Parameter<std::int32_t> default_context_index_;
  Parameter<std::uint32_t> min_sm_size_;
  Parameter<std::uint32_t> work_queues_;
  Parameter<PoolServes> serves_;
  Split split_;  // once there are partitions
  std::vector<std::unique_ptr<DevicePartition>> partitions_;
};

/// One partition of a CudaGreenContextPool, for a CudaStreamPool.
class GXR_API CudaGreenContext final : public Component {
 public:
  ~CudaGreenContext() override;
  void declare(Interface& interface) override;

  /// Number of the GPU.
  [[nodiscard]] int device() const;
  /// The partition. Throws Error(OutOfRange) when the pool has none of this index.
  [[nodiscard]] DevicePartition& partition() const;

 private:
  Parameter<Handle<CudaGreenContextPool>> cuda_green_context_pool_;
  Parameter<std::int32_t> index_;
  Parameter<std::string> nvtx_identifier_;  // without effect
};

namespace gxf {

/// The pool with the parameters that GXF gives it.
class GXR_API CudaGreenContextPool final : public cuda::CudaGreenContextPool {
 public:
  ~CudaGreenContextPool() override;
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] Split split() const override;

  Parameter<std::uint32_t> green_context_flags_;
  Parameter<std::uint32_t> num_partitions_;
  Parameter<std::vector<std::int32_t>> sms_per_partition_;
  Parameter<std::uint32_t> min_sm_count_;
  Parameter<std::int32_t> default_context_;
  Parameter<std::string> nvtx_identifier_;  // without effect
};

}  // namespace gxf
}  // namespace gxr::cuda
