#include "partition.hpp"

#include <algorithm>
#include <string>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

void driver_check(const char* call, CUresult result) {
  if (result != CUDA_SUCCESS) {
    const char* name = nullptr;
    driver().get_error_name(result, &name);
    throw Error(ErrorCode::Device, std::string(call) + ": " +
                                       (name != nullptr ? name : "an unknown error") + " (" +
                                       std::to_string(static_cast<int>(result)) + ")");
  }
}

CUdevResource all_sms(int device) {
  // Makes the primary context, which the driver's functions need.
  const DeviceGuard guard(device);
  cuda_check("cudaFree", cudaFree(nullptr));
  CUdevResource all{};
  driver_check("cuDeviceGetDevResource",
               driver().device_get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
  return all;
}

/// Takes `count` SMs or some more off `rest`.
CUdevResource take_sms(CUdevResource& rest, unsigned count) {
  CUdevResource taken{};
  unsigned groups = 1;
  const CUdevResource from = rest;
  driver_check("cuDevSmResourceSplitByCount",
               driver().split_by_count(&taken, &groups, &from, &rest, 0, count));
  if (groups == 0) {
    throw Error(ErrorCode::OutOfRange, "the GPU has no " + std::to_string(count) +
                                           " SMs left for a partition; " +
                                           std::to_string(from.sm.smCount) + " are left");
  }
  return taken;
}

}  // namespace

GreenContext::GreenContext(Runtime& runtime, int device, CUdevResource resource)
    : runtime_(runtime), device_(device), sm_count_(resource.sm.smCount) {
  CUdevResourceDesc description{};
  driver_check("cuDevResourceGenerateDesc", driver().generate_desc(&description, &resource, 1));
  driver_check("cuGreenCtxCreate",
               driver().green_create(&context_, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
}

GreenContext::~GreenContext() {
  runtime_.retire_streams(*this);
  static_cast<void>(driver().green_destroy(context_));
}

cudaStream_t GreenContext::make_stream(int priority) const {
  CUstream stream = nullptr;
  driver_check("cuGreenCtxStreamCreate",
               driver().green_stream(&stream, context_, CU_STREAM_NON_BLOCKING, priority));
  return stream;
}

std::vector<std::unique_ptr<DevicePartition>> split_sms(Runtime& runtime, int device,
                                                        const std::vector<unsigned>& sms,
                                                        unsigned min_sm_size) {
  CUdevResource rest = all_sms(device);
  std::vector<std::unique_ptr<DevicePartition>> partitions;
  for (const unsigned count : sms) {
    if (count < std::max(min_sm_size, 1U)) {
      throw Error(ErrorCode::OutOfRange, "a partition of " + std::to_string(count) +
                                             " SMs is smaller than min_sm_size, " +
                                             std::to_string(min_sm_size));
    }
    partitions.push_back(std::make_unique<GreenContext>(runtime, device, take_sms(rest, count)));
  }
  if (rest.type == CU_DEV_RESOURCE_TYPE_SM && rest.sm.smCount > 0) {
    partitions.push_back(std::make_unique<GreenContext>(runtime, device, rest));
  }
  return partitions;
}

}  // namespace gxr::cuda
