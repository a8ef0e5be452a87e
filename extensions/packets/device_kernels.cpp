#include "packets/device_kernels.hpp"

#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

const DeviceKernels& device_kernels() {
  static const char in_this_library = 0;
  static const DeviceKernels& once =
      *reinterpret_cast<GetDeviceKernels>(load_device_half(&in_this_library, kGetDeviceKernels))();
  return once;
}

}  // namespace gxr::cuda
