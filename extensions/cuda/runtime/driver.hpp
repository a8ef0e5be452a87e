#pragma once

#include <cuda.h>

namespace gxr::cuda {

/// The functions of the driver that the CUDA runtime has no version of, or one that does not know
/// kernels of other libraries, asked for at run time, so
/// that the library loads without a driver.
struct Driver {
  decltype(&cuGetErrorName) get_error_name;
  decltype(&cuDeviceGetDevResource) device_get_resource;
  decltype(&cuDevSmResourceSplitByCount) split_by_count;
  decltype(&cuDevResourceGenerateDesc) generate_desc;
  decltype(&cuGreenCtxCreate) green_create;
  decltype(&cuGreenCtxDestroy) green_destroy;
  decltype(&cuGreenCtxStreamCreate) green_stream;
  decltype(&cuCtxFromGreenCtx) context_from_green;
  decltype(&cuCtxGetCurrent) context_get_current;
  decltype(&cuCtxRecordEvent) context_record_event;
  decltype(&cuCtxPushCurrent) context_push;
  decltype(&cuCtxPopCurrent) context_pop;
  decltype(&cuMemGetAddressRange) get_address_range;
  decltype(&cuGraphKernelNodeGetParams) kernel_node_get_params;
  decltype(&cuGraphKernelNodeCopyAttributes) kernel_node_copy_attributes;
  decltype(&cuGraphAddKernelNode) add_kernel_node;
  decltype(&cuGraphMemcpyNodeGetParams) memcpy_node_get_params;
  decltype(&cuGraphAddMemcpyNode) add_memcpy_node;
  decltype(&cuGraphMemsetNodeGetParams) memset_node_get_params;
  decltype(&cuGraphAddMemsetNode) add_memset_node;
  decltype(&cuGraphExecKernelNodeSetParams) exec_set_kernel;
  decltype(&cuGraphExecMemcpyNodeSetParams) exec_set_memcpy;
  decltype(&cuGraphExecMemsetNodeSetParams) exec_set_memset;
  decltype(&cuStreamWriteValue64) stream_write_value;
  decltype(&cuStreamBatchMemOp) stream_batch;
  decltype(&cuModuleGetLoadingMode) module_loading_mode;
};

/// Throws Error(NotSupported) when the driver is older than they are.
const Driver& driver();

/// Throws Error(Device) with the error's name for a call of the driver that did not succeed.
void driver_check(const char* call, CUresult result);

}  // namespace gxr::cuda
