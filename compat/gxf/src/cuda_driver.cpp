#include "cuda_driver.hpp"

#include <map>
#include <mutex>
#include <string>

#include <dlfcn.h>

#include "common/logger.hpp"
#include "gxf/cuda/cuda_common.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace nvidia::gxf::layer {
namespace {

constexpr int kNotReady = 600;  // CUDA_ERROR_NOT_READY

/// The contexts that CUDA's runtime uses, too.
class PrimaryContexts {
 public:
  template <class Retain>
  void* of(int device, Retain&& retain) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = contexts_.emplace(device, nullptr);
    if (known->second == nullptr) {
      known->second = retain();
    }
    return known->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, void*> contexts_;
};

PrimaryContexts& primary_contexts() {
  static PrimaryContexts& all = *new PrimaryContexts();
  return all;
}

/// A stream of the layer's own on each GPU: it only waits.
gxr::DeviceStream& waiting_stream(int device) {
  static std::mutex& mutex = *new std::mutex();
  static std::map<int, gxr::DeviceStream*>& streams = *new std::map<int, gxr::DeviceStream*>();
  const std::lock_guard lock(mutex);
  gxr::DeviceStream*& stream = streams[device];
  if (stream == nullptr) {
    gxr::StreamOptions options;
    options.device = device;
    stream = &gxr::DeviceRuntime::get().acquire_stream(options);
  }
  return *stream;
}

}  // namespace

/// The GPU's context is the thread's current one as long as this lives.
class CudaDriver::OnDevice {
 public:
  OnDevice(const CudaDriver& driver, int device) : driver_(driver) {
    void* const context = primary_contexts().of(device, [&] {
      int handle = 0;
      driver.require(driver.device_get_(&handle, device), "cuDeviceGet");
      void* made = nullptr;
      driver.require(driver.retain_(&made, handle), "cuDevicePrimaryCtxRetain");
      return made;
    });
    driver.require(driver.push_(context), "cuCtxPushCurrent");
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    void* context = nullptr;
    static_cast<void>(driver_.pop_(&context));
  }

 private:
  const CudaDriver& driver_;
};

const CudaDriver& CudaDriver::get() {
  static_cast<void>(gxr::DeviceRuntime::get());
  static const CudaDriver& driver = *new CudaDriver();
  return driver;
}

CudaDriver::CudaDriver() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "no GPU can be used: there is no libcuda.so.1");
  }
  const auto find = [&](auto& function, const char* name) {
    void* const symbol = ::dlsym(library, name);
    if (symbol == nullptr) {
      throw gxr::Error(gxr::ErrorCode::NotSupported,
                       std::string("no GPU can be used: libcuda.so.1 has no ") + name);
    }
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(error_name_, "cuGetErrorName");
  find(error_text_, "cuGetErrorString");
  find(device_get_, "cuDeviceGet");
  find(retain_, "cuDevicePrimaryCtxRetain");
  find(push_, "cuCtxPushCurrent_v2");
  find(pop_, "cuCtxPopCurrent_v2");
  find(current_device_, "cuCtxGetDevice");
  find(event_create_, "cuEventCreate");
  find(event_destroy_, "cuEventDestroy_v2");
  find(event_record_, "cuEventRecord");
  find(event_query_, "cuEventQuery");
  find(event_wait_, "cuEventSynchronize");
  find(stream_wait_, "cuStreamWaitEvent");
  find(call_, "cuLaunchHostFunc");
}

void CudaDriver::require(int error, const char* call) const {
  if (error == 0) {
    return;
  }
  const char* name = nullptr;
  const char* text = nullptr;
  if (error_name_(error, &name) != 0 || error_text_(error, &text) != 0) {
    throw gxr::Error(gxr::ErrorCode::Device,
                     std::string(call) + ": CUDA error " + std::to_string(error));
  }
  throw gxr::Error(gxr::ErrorCode::Device, std::string(call) + ": " + name + ": " + text);
}

int CudaDriver::current_device() const {
  int device = 0;
  return current_device_(&device) == 0 ? device : 0;
}

CUevent_st* CudaDriver::create_event(unsigned flags, int device) const {
  const OnDevice on(*this, device);
  CUevent_st* event = nullptr;
  require(event_create_(&event, flags), "cuEventCreate");
  return event;
}

void CudaDriver::destroy_event(CUevent_st* event, int device) const noexcept {
  try {
    const OnDevice on(*this, device);
    static_cast<void>(event_destroy_(event));
  } catch (...) {  // the process ends: the driver has no contexts any more
  }
}

void CudaDriver::record(CUevent_st* event, CUstream_st* stream, int device) const {
  const OnDevice on(*this, device);
  require(event_record_(event, stream), "cuEventRecord");
}

bool CudaDriver::has_happened(CUevent_st* event, int device) const {
  const OnDevice on(*this, device);
  const int answer = event_query_(event);
  if (answer != kNotReady) {
    require(answer, "cuEventQuery");
  }
  return answer != kNotReady;
}

void CudaDriver::wait(CUevent_st* event, int device) const {
  const OnDevice on(*this, device);
  require(event_wait_(event), "cuEventSynchronize");
}

void CudaDriver::let_wait(CUstream_st* stream, CUevent_st* event, int device) const {
  const OnDevice on(*this, device);
  require(stream_wait_(stream, event, 0), "cuStreamWaitEvent");
}

void CudaDriver::call_behind(CUstream_st* stream, int device, void (*function)(void*),
                             void* data) const {
  const OnDevice on(*this, device);
  require(call_(stream, function, data), "cuLaunchHostFunc");
}

gxr::DeviceWork CudaDriver::work_behind(CUevent_st* event, int device) const {
  gxr::DeviceStream& stream = waiting_stream(device);
  let_wait(stream.handle(), event, device);
  const gxr::DeviceWork work = stream.mark();
  stream.record();
  return work;
}

CUevent_st* CudaDriver::event_behind(const gxr::DeviceWork& work) const {
  constexpr unsigned kWithoutTime = 2;  // CU_EVENT_DISABLE_TIMING
  const int device = work.stream->device();
  CUevent_st* const event = create_event(kWithoutTime, device);
  try {
    gxr::DeviceStream& stream = waiting_stream(device);
    stream.wait_for(work);
    record(event, stream.handle(), device);
  } catch (...) {
    destroy_event(event, device);
    throw;
  }
  return event;
}

void LogCudaError(const char* file, int line, const char* call, int error) noexcept {
  std::string text = std::string(call) + ": CUDA error " + std::to_string(error);
  try {
    if (gxr::DeviceRuntime* const runtime = gxr::DeviceRuntime::find(); runtime != nullptr) {
      runtime->fail(call, error);
    }
  } catch (const std::exception& named) {
    text = named.what();
  }
  ::nvidia::Log(file, line, ::nvidia::Severity::ERROR, "%s", text.c_str());
}

}  // namespace nvidia::gxf::layer
