#include "image/placement.hpp"

#include "gxr/error.hpp"
#include "image/device_kernels.hpp"

namespace gxr::image {

void Placement::declare(Interface& interface, const char* description) {
  interface.parameter(device_, "device", "Where the pixels are worked on", description)
      .default_value(DeviceChoice::Auto);
  streams_.declare(interface);
}

void Placement::initialize(Codelet& codelet) {
  codelet_ = &codelet;
  if (device_.get() != DeviceChoice::Gpu) {
    return;
  }
  try {
    static_cast<void>(device_kernels());
    static_cast<void>(streams());
  } catch (const Error& error) {
    throw Error(error.code(), "parameter 'device' is gpu, but " + error.message());
  }
}

bool Placement::is_on_gpu(MemoryStorageType storage) const {
  switch (device_.get()) {
    case DeviceChoice::Cpu:
      return false;
    case DeviceChoice::Gpu:
      return true;
    case DeviceChoice::Auto:
      break;
  }
  return storage == MemoryStorageType::Device;
}

cuda::Streams& Placement::streams() {
  if (!streams_.is_initialized()) {
    streams_.initialize(*codelet_);
  }
  return streams_;
}

}  // namespace gxr::image
