#include "driver.hpp"

#include <string>

#include <cuda_runtime_api.h>

#include "cuda_call.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

template <class Function>
void find(const char* name, Function& function) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult result{};
  cuda_check("cudaGetDriverEntryPointByVersion",
             cudaGetDriverEntryPointByVersion(name, &entry, 13000, cudaEnableDefault, &result));
  if (result != cudaDriverEntryPointSuccess || entry == nullptr) {
    throw Error(ErrorCode::NotSupported,
                std::string("the driver of the GPU is too old: it has no ") + name);
  }
  function = reinterpret_cast<Function>(entry);
}

Driver find_functions() {
  Driver driver{};
  find("cuGetErrorName", driver.get_error_name);
  find("cuDeviceGetDevResource", driver.device_get_resource);
  find("cuDevSmResourceSplitByCount", driver.split_by_count);
  find("cuDevResourceGenerateDesc", driver.generate_desc);
  find("cuGreenCtxCreate", driver.green_create);
  find("cuGreenCtxDestroy", driver.green_destroy);
  find("cuGreenCtxStreamCreate", driver.green_stream);
  find("cuCtxFromGreenCtx", driver.context_from_green);
  find("cuCtxGetCurrent", driver.context_get_current);
  find("cuCtxRecordEvent", driver.context_record_event);
  find("cuCtxPushCurrent", driver.context_push);
  find("cuCtxPopCurrent", driver.context_pop);
  find("cuMemGetAddressRange", driver.get_address_range);
  find("cuGraphKernelNodeGetParams", driver.kernel_node_get_params);
  find("cuGraphKernelNodeCopyAttributes", driver.kernel_node_copy_attributes);
  find("cuGraphAddKernelNode", driver.add_kernel_node);
  find("cuGraphMemcpyNodeGetParams", driver.memcpy_node_get_params);
  find("cuGraphAddMemcpyNode", driver.add_memcpy_node);
  find("cuGraphMemsetNodeGetParams", driver.memset_node_get_params);
  find("cuGraphAddMemsetNode", driver.add_memset_node);
  find("cuGraphExecKernelNodeSetParams", driver.exec_set_kernel);
  find("cuGraphExecMemcpyNodeSetParams", driver.exec_set_memcpy);
  find("cuGraphExecMemsetNodeSetParams", driver.exec_set_memset);
  find("cuStreamWriteValue64", driver.stream_write_value);
  find("cuStreamBatchMemOp", driver.stream_batch);
  find("cuModuleGetLoadingMode", driver.module_loading_mode);
  return driver;
}

}  // namespace

const Driver& driver() {
  static const Driver once = find_functions();
  return once;
}

void driver_check(const char* call, CUresult result) {
  if (result != CUDA_SUCCESS) {
    const char* name = nullptr;
    driver().get_error_name(result, &name);
    throw Error(ErrorCode::Device,
                std::string(call) + ": " + (name != nullptr ? name : "unknown error"));
  }
}

}  // namespace gxr::cuda
