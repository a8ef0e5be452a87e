#pragma once

#include "device/interface_version.hpp"

namespace gxr {

/// libgxr_cuda.so exports this beside kMakeDeviceEngine, and libgxr.so calls it first: the
/// kDeviceInterface that it was built with. If it is another one than that of libgxr.so, nothing
/// else is called.
using DeviceInterfaceVersion = const char* (*)();
inline constexpr const char* kDeviceInterfaceVersion = "gxr_device_interface";

}  // namespace gxr
