#include "capture_watch.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>

namespace gxr::cuda {
namespace {

struct Call {
  const char* name;
  cudaStream_t stream;
};
/// Of the watch of this thread.
thread_local std::optional<std::vector<Call>> calls_of_thread;

template <class Params>
cudaStream_t stream_of(const void* params) {
  return static_cast<const Params*>(params)->stream;
}
template <class Params>
cudaStream_t driver_stream_of(const void* params) {
  return static_cast<const Params*>(params)->hStream;
}

template <class Params>
cudaStream_t configured_stream_of(const void* params) {
  return static_cast<const Params*>(params)->config->stream;
}
template <class Params>
cudaStream_t configured_driver_stream_of(const void* params) {
  return static_cast<const Params*>(params)->config->hStream;
}

struct Watched {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  cudaStream_t (*stream)(const void* params);
};

constexpr auto kRuntime = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto kDriver = CUPTI_CB_DOMAIN_DRIVER_API;

// Each call, and the one that a program gets whose default stream is one of its thread.
#define GXR_RUNTIME_CALL(name) \
  { kRuntime, CUPTI_RUNTIME_TRACE_CBID_##name, stream_of<name##_params> }
#define GXR_RUNTIME_CONFIG(name) \
  { kRuntime, CUPTI_RUNTIME_TRACE_CBID_##name, configured_stream_of<name##_params> }
#define GXR_DRIVER_CALL(name) \
  { kDriver, CUPTI_DRIVER_TRACE_CBID_##name, driver_stream_of<name##_params> }
#define GXR_DRIVER_CONFIG(name) \
  { kDriver, CUPTI_DRIVER_TRACE_CBID_##name, configured_driver_stream_of<name##_params> }

const Watched kWatched[] = {
    GXR_RUNTIME_CALL(cudaLaunchKernel_v7000),
    GXR_RUNTIME_CALL(cudaLaunchKernel_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaLaunchCooperativeKernel_v9000),
    GXR_RUNTIME_CALL(cudaLaunchCooperativeKernel_ptsz_v9000),
    GXR_RUNTIME_CALL(cudaMemcpyAsync_v3020),
    GXR_RUNTIME_CALL(cudaMemcpyAsync_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaMemcpy2DAsync_v3020),
    GXR_RUNTIME_CALL(cudaMemcpy2DAsync_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaMemcpy3DAsync_v3020),
    GXR_RUNTIME_CALL(cudaMemcpy3DAsync_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaMemsetAsync_v3020),
    GXR_RUNTIME_CALL(cudaMemsetAsync_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaMemset2DAsync_v3020),
    GXR_RUNTIME_CALL(cudaMemset2DAsync_ptsz_v7000),
    GXR_RUNTIME_CALL(cudaGraphLaunch_v10000),
    GXR_RUNTIME_CALL(cudaGraphLaunch_ptsz_v10000),
    GXR_RUNTIME_CONFIG(cudaLaunchKernelExC_v11060),
    GXR_RUNTIME_CONFIG(cudaLaunchKernelExC_ptsz_v11060),
    GXR_DRIVER_CALL(cuLaunchKernel),
    GXR_DRIVER_CALL(cuLaunchKernel_ptsz),
    GXR_DRIVER_CALL(cuLaunchCooperativeKernel),
    GXR_DRIVER_CALL(cuLaunchCooperativeKernel_ptsz),
    GXR_DRIVER_CALL(cuMemcpyAsync),
    GXR_DRIVER_CALL(cuMemcpyAsync_ptsz),
    GXR_DRIVER_CALL(cuMemcpyDtoDAsync_v2),
    GXR_DRIVER_CALL(cuMemcpyDtoDAsync_v2_ptsz),
    GXR_DRIVER_CALL(cuMemcpyHtoDAsync_v2),
    GXR_DRIVER_CALL(cuMemcpyHtoDAsync_v2_ptsz),
    GXR_DRIVER_CALL(cuMemcpyDtoHAsync_v2),
    GXR_DRIVER_CALL(cuMemcpyDtoHAsync_v2_ptsz),
    GXR_DRIVER_CALL(cuMemcpy2DAsync_v2),
    GXR_DRIVER_CALL(cuMemcpy2DAsync_v2_ptsz),
    GXR_DRIVER_CALL(cuMemcpy3DAsync_v2),
    GXR_DRIVER_CALL(cuMemcpy3DAsync_v2_ptsz),
    GXR_DRIVER_CALL(cuMemsetD8Async),
    GXR_DRIVER_CALL(cuMemsetD8Async_ptsz),
    GXR_DRIVER_CALL(cuMemsetD16Async),
    GXR_DRIVER_CALL(cuMemsetD16Async_ptsz),
    GXR_DRIVER_CALL(cuMemsetD32Async),
    GXR_DRIVER_CALL(cuMemsetD32Async_ptsz),
    GXR_DRIVER_CALL(cuGraphLaunch),
    GXR_DRIVER_CALL(cuGraphLaunch_ptsz),
    GXR_DRIVER_CONFIG(cuLaunchKernelEx),
    GXR_DRIVER_CONFIG(cuLaunchKernelEx_ptsz),
};

#undef GXR_RUNTIME_CALL
#undef GXR_RUNTIME_CONFIG
#undef GXR_DRIVER_CALL
#undef GXR_DRIVER_CONFIG

void note(void* /*user*/, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (!calls_of_thread || call.callbackSite != CUPTI_API_ENTER) {
    return;
  }
  const auto* const watched = std::ranges::find_if(
      kWatched, [&](const Watched& each) { return each.domain == domain && each.id == id; });
  if (watched != std::end(kWatched)) {
    calls_of_thread->push_back({call.functionName, watched->stream(call.functionParams)});
  }
}

/// CUPTI, while a CaptureWatch lives.
class Subscription {
 public:
  static Subscription& get() {
    static Subscription once;
    return once;
  }

  /// False: it cannot be had.
  bool begin() {
    const std::lock_guard lock(mutex_);
    if (users_ == 0 && !subscribe()) {
      return false;
    }
    ++users_;
    return true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0) {
      static_cast<void>(unsubscribe_(subscriber_));
    }
  }

 private:
  template <class Function>
  static bool find(void* library, const char* name, Function*& function) {
    function = library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
    return function != nullptr;
  }

  Subscription() {
    // Found beside the CUDA runtime, or where the toolkit was; it is large, and few need it.
    void* library = ::dlopen(GXR_CUPTI_NAME, RTLD_NOW | RTLD_LOCAL);
    library = library != nullptr ? library : ::dlopen(GXR_CUPTI_FILE, RTLD_NOW | RTLD_LOCAL);
    is_there_ = find(library, "cuptiSubscribe", subscribe_) &&
                find(library, "cuptiUnsubscribe", unsubscribe_) &&
                find(library, "cuptiEnableCallback", enable_);
  }

  bool subscribe() {
    if (!is_there_ || subscribe_(&subscriber_, note, nullptr) != CUPTI_SUCCESS) {
      return false;
    }
    const bool all = std::ranges::all_of(kWatched, [&](const Watched& each) {
      return enable_(1, subscriber_, each.domain, each.id) == CUPTI_SUCCESS;
    });
    if (!all) {
      static_cast<void>(unsubscribe_(subscriber_));
    }
    return all;
  }

  std::mutex mutex_;
  int users_ = 0;
  bool is_there_ = false;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  decltype(cuptiSubscribe)* subscribe_ = nullptr;
  decltype(cuptiUnsubscribe)* unsubscribe_ = nullptr;
  decltype(cuptiEnableCallback)* enable_ = nullptr;
};

}  // namespace

CaptureWatch::CaptureWatch() : works_(Subscription::get().begin()) {
  if (works_) {
    calls_of_thread.emplace();
  }
}

CaptureWatch::~CaptureWatch() {
  if (works_) {
    calls_of_thread.reset();
    Subscription::get().end();
  }
}

std::string CaptureWatch::call_elsewhere() const {
  if (!works_) {
    return {};
  }
  const std::vector<Call> calls = *calls_of_thread;  // asking about streams is no work
  for (const Call& call : calls) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(call.stream, &status) == cudaSuccess &&
        status == cudaStreamCaptureStatusNone) {
      return call.name;
    }
  }
  return {};
}

}  // namespace gxr::cuda
