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

struct Watched {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  cudaStream_t (*stream)(const void* params);
};

constexpr auto kRuntime = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto kDriver = CUPTI_CB_DOMAIN_DRIVER_API;

const Watched kWatched[] = {
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
     stream_of<cudaLaunchKernel_v7000_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
     stream_of<cudaLaunchKernel_ptsz_v7000_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
     [](const void* params) {
       return static_cast<const cudaLaunchKernelExC_v11060_params*>(params)->config->stream;
     }},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000,
     stream_of<cudaLaunchCooperativeKernel_v9000_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
     stream_of<cudaMemcpyAsync_v3020_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
     stream_of<cudaMemcpy2DAsync_v3020_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
     stream_of<cudaMemsetAsync_v3020_params>},
    {kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000,
     stream_of<cudaGraphLaunch_v10000_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, driver_stream_of<cuLaunchKernel_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
     [](const void* params) {
       return static_cast<const cuLaunchKernelEx_params*>(params)->config->hStream;
     }},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync, driver_stream_of<cuMemcpyAsync_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
     driver_stream_of<cuMemcpyDtoDAsync_v2_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, driver_stream_of<cuMemsetD8Async_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async, driver_stream_of<cuMemsetD32Async_params>},
    {kDriver, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, driver_stream_of<cuGraphLaunch_params>},
};

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

/// CUPTI, while anybody watches.
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
