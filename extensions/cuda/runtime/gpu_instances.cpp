#include "gpu_instances.hpp"

#include <dlfcn.h>

namespace gxr::cuda {
namespace {

// NVML's functions, as its documentation has them: CUDA's headers are not always there with it.
using Gpu = void*;
using Status = int;  // nvmlReturn_t
constexpr Status kSuccess = 0;
constexpr Status kNotSupported = 3;
constexpr unsigned kEnabled = 1;

/// NVML, open for as long as this lives.
class ManagementLibrary {
 public:
  ManagementLibrary() : library_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      return;
    }
    find("nvmlShutdown", shutdown_);
    find("nvmlDeviceGetHandleByPciBusId_v2", find_gpu);
    find("nvmlDeviceGetMigMode", get_mode);
    find("nvmlDeviceGetMaxMigDeviceCount", most_instances);
    find("nvmlDeviceGetMigDeviceHandleByIndex", instance);
    Status (*init)() = nullptr;
    find("nvmlInit_v2", init);
    is_open_ = is_complete_ && init() == kSuccess;
  }
  ManagementLibrary(const ManagementLibrary&) = delete;
  ManagementLibrary& operator=(const ManagementLibrary&) = delete;
  ~ManagementLibrary() {
    if (is_open_) {
      static_cast<void>(shutdown_());
    }
    if (library_ != nullptr) {
      static_cast<void>(::dlclose(library_));
    }
  }
  [[nodiscard]] bool is_open() const noexcept { return is_open_; }

  Status (*find_gpu)(const char*, Gpu*) = nullptr;
  Status (*get_mode)(Gpu, unsigned*, unsigned*) = nullptr;
  Status (*most_instances)(Gpu, unsigned*) = nullptr;
  Status (*instance)(Gpu, unsigned, Gpu*) = nullptr;

 private:
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    is_complete_ = is_complete_ && function != nullptr;
  }

  void* library_;
  bool is_complete_ = true;
  bool is_open_ = false;
  Status (*shutdown_)() = nullptr;
};

}  // namespace

GpuInstances find_instances(const char* pci_address) {
  const ManagementLibrary nvml;
  Gpu gpu = nullptr;
  if (!nvml.is_open() || nvml.find_gpu(pci_address, &gpu) != kSuccess) {
    return {};
  }
  unsigned now = 0;
  unsigned next = 0;
  const Status status = nvml.get_mode(gpu, &now, &next);
  if (status != kSuccess) {
    return {status == kNotSupported ? InstanceMode::None : InstanceMode::Unknown, 0};
  }
  if (now != kEnabled) {
    return {InstanceMode::Off, 0};
  }
  GpuInstances instances{InstanceMode::On, 0};
  unsigned most = 0;
  static_cast<void>(nvml.most_instances(gpu, &most));  // none, where it says nothing
  for (unsigned i = 0; i < most; ++i) {
    Gpu each = nullptr;
    instances.count += nvml.instance(gpu, i, &each) == kSuccess ? 1 : 0;
  }
  return instances;
}

}  // namespace gxr::cuda
