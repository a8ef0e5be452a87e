#include "partition.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

CUdevResource all_sms(int device) {
  // Makes the primary context, which the driver's functions need.
  const DeviceGuard guard(device);
  cuda_check("cudaFree", cudaFree(nullptr));
  CUdevResource all{};
  driver_check("cuDeviceGetDevResource",
               driver().device_get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
  return all;
}

/// The SMs in the smallest groups of `least` or more that the hardware makes, and those that fill
/// no group.
struct Groups {
  std::vector<CUdevResource> groups;
  CUdevResource rest{};
};

Groups split_evenly(int device, unsigned least) {
  const CUdevResource all = all_sms(device);
  unsigned count = 0;
  driver_check("cuDevSmResourceSplitByCount",
               driver().split_by_count(nullptr, &count, &all, nullptr, 0, least));
  Groups split;
  split.groups.resize(count);
  driver_check("cuDevSmResourceSplitByCount",
               driver().split_by_count(split.groups.data(), &count, &all, &split.rest, 0, least));
  split.groups.resize(count);
  return split;
}

unsigned sms_of(const std::vector<CUdevResource>& resources) {
  return std::accumulate(
      resources.begin(), resources.end(), 0U,
      [](unsigned sum, const CUdevResource& resource) { return sum + resource.sm.smCount; });
}

/// Takes groups off the front of `groups` until they have `count` SMs.
std::vector<CUdevResource> take_sms(std::vector<CUdevResource>& groups, unsigned count) {
  if (sms_of(groups) < count) {
    throw Error(ErrorCode::OutOfRange, "the GPU has no " + std::to_string(count) +
                                           " SMs left for a partition; " +
                                           std::to_string(sms_of(groups)) + " are left");
  }
  std::vector<CUdevResource> taken;
  while (sms_of(taken) < count) {
    taken.push_back(groups.front());
    groups.erase(groups.begin());
  }
  return taken;
}

/// Takes the groups of one of `shares` equal parts off the front of `groups`; `of`: how many there
/// were at first.
std::vector<CUdevResource> take_share(std::vector<CUdevResource>& groups, std::size_t of,
                                      std::size_t shares) {
  const std::size_t count = of / shares;
  if (count == 0) {
    throw Error(ErrorCode::OutOfRange, "the GPU has " + std::to_string(of) +
                                           " groups of SMs, too few for " + std::to_string(shares) +
                                           " partitions");
  }
  const auto end = groups.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<CUdevResource> taken(groups.begin(), end);
  groups.erase(groups.begin(), end);
  return taken;
}

#if CUDA_VERSION >= 13010
/// Work queues for as many streams, apart from those of other green contexts.
CUdevResource queues_for(int device, unsigned streams) {
  constexpr int kFirst = 13010;
  int version = 0;
  cuda_check("cudaDriverGetVersion", cudaDriverGetVersion(&version));
  CUdevResource queues{};
  if (version < kFirst ||
      driver().device_get_resource(device, &queues, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG) !=
          CUDA_SUCCESS) {
    throw Error(ErrorCode::NotSupported,
                "the driver of the GPU gives green contexts no work queues of their own: CUDA 13.1 "
                "is the first that does; leave 'work_queues' out");
  }
  queues.wqConfig.wqConcurrencyLimit = streams;
  queues.wqConfig.sharingScope = CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED;
  return queues;
}
#else
CUdevResource queues_for(int /*device*/, unsigned /*streams*/) {
  throw Error(ErrorCode::NotSupported,
              "gxr was built with CUDA " + std::to_string(CUDA_VERSION / 1000) + "." +
                  std::to_string(CUDA_VERSION % 1000 / 10) +
                  ", which gives green contexts no work queues of their own: build it with 13.1 or "
                  "newer, or leave 'work_queues' out");
}
#endif

}  // namespace

GreenContext::GreenContext(Runtime& runtime, int device, std::vector<CUdevResource> sms,
                           unsigned work_queues)
    : runtime_(runtime), device_(device), sm_count_(sms_of(sms)) {
  std::vector<CUdevResource> resources = std::move(sms);
  if (work_queues > 0) {
    resources.push_back(queues_for(device, work_queues));
  }
  CUdevResourceDesc description{};
  driver_check("cuDevResourceGenerateDesc",
               driver().generate_desc(&description, resources.data(),
                                      static_cast<unsigned>(resources.size())));
  driver_check("cuGreenCtxCreate",
               driver().green_create(&context_, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
}

GreenContext::~GreenContext() {
  runtime_.streams().retire(*this);
  // It might wait for the end of a loop.
  runtime_.in_flight().when_may_wait(
      [context = context_] { static_cast<void>(driver().green_destroy(context)); });
}

CUcontext GreenContext::context() const {
  CUcontext context = nullptr;
  driver_check("cuCtxFromGreenCtx", driver().context_from_green(&context, context_));
  return context;
}

cudaStream_t GreenContext::make_stream(int priority) const {
  CUstream stream = nullptr;
  driver_check("cuGreenCtxStreamCreate",
               driver().green_stream(&stream, context_, CU_STREAM_NON_BLOCKING, priority));
  return stream;
}

PartitionGuard::PartitionGuard(const DevicePartition* partition) {
  if (partition != nullptr) {
    driver_check("cuCtxPushCurrent",
                 driver().context_push(static_cast<const GreenContext*>(partition)->context()));
    pushed_ = true;
  }
}

PartitionGuard::~PartitionGuard() {
  if (pushed_) {
    CUcontext popped = nullptr;
    static_cast<void>(driver().context_pop(&popped));
  }
}

std::vector<std::unique_ptr<DevicePartition>> split_sms(Runtime& runtime, int device,
                                                        const std::vector<unsigned>& sms,
                                                        unsigned min_sm_size,
                                                        unsigned work_queues) {
  Groups split = split_evenly(device, std::max(min_sm_size, 1U));
  const std::size_t all = split.groups.size();
  std::vector<std::unique_ptr<DevicePartition>> partitions;
  for (const unsigned count : sms) {
    if (count == DeviceRuntime::kEqualShare) {
      partitions.push_back(std::make_unique<GreenContext>(
          runtime, device, take_share(split.groups, all, sms.size()), work_queues));
      continue;
    }
    if (count < std::max(min_sm_size, 1U)) {
      throw Error(ErrorCode::OutOfRange, "a partition of " + std::to_string(count) +
                                             " SMs is smaller than the least size, " +
                                             std::to_string(min_sm_size));
    }
    partitions.push_back(std::make_unique<GreenContext>(
        runtime, device, take_sms(split.groups, count), work_queues));
  }
  if (split.groups.empty() && split.rest.sm.smCount > 0) {
    split.groups.push_back(split.rest);
  }
  if (!split.groups.empty()) {
    partitions.push_back(
        std::make_unique<GreenContext>(runtime, device, std::move(split.groups), work_queues));
  }
  return partitions;
}

}  // namespace gxr::cuda
