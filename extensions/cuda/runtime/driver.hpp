#pragma once

#include <cuda.h>

namespace gxr::cuda {

/// The functions of the driver that the CUDA runtime has no version of, asked for at run time, so
/// that the library loads without a driver.
struct Driver {
  decltype(&cuGetErrorName) get_error_name;
  decltype(&cuDeviceGetDevResource) device_get_resource;
  decltype(&cuDevSmResourceSplitByCount) split_by_count;
  decltype(&cuDevResourceGenerateDesc) generate_desc;
  decltype(&cuGreenCtxCreate) green_create;
  decltype(&cuGreenCtxDestroy) green_destroy;
  decltype(&cuGreenCtxStreamCreate) green_stream;
};

/// Throws Error(NotSupported) when the driver is older than they are.
const Driver& driver();

}  // namespace gxr::cuda
