// Counts every call that a process makes to the CUDA runtime and driver. The driver loads this
// library itself when CUDA_INJECTION64_PATH names it; at the end it writes a line "name count" for
// each function to the file that GXR_CUDA_CALLS names.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <cupti.h>

namespace {

struct Calls {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> counts;
};

Calls& calls() {
  static Calls& kept = *new Calls;  // outlives whoever calls CUDA at exit
  return kept;
}

void count(void* /*user*/, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId /*id*/,
           const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite == CUPTI_API_ENTER && call.functionName != nullptr) {
    const std::lock_guard lock(calls().mutex);
    ++calls().counts[call.functionName];
  }
}

void write() {
  const char* const path = std::getenv("GXR_CUDA_CALLS");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) {
    std::fputs("GXR_CUDA_CALLS names no file that can be written\n", stderr);
    return;
  }
  const std::lock_guard lock(calls().mutex);
  for (const auto& [name, number] : calls().counts) {
    std::fprintf(file, "%s %llu\n", name.c_str(), static_cast<unsigned long long>(number));
  }
  std::fclose(file);
}

}  // namespace

/// Called by the driver when it has been loaded; 1: all is well.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  CUpti_SubscriberHandle subscriber = nullptr;
  if (cuptiSubscribe(&subscriber, count, nullptr) != CUPTI_SUCCESS ||
      cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) != CUPTI_SUCCESS ||
      cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) != CUPTI_SUCCESS) {
    std::fputs("CUPTI does not tell of calls\n", stderr);
    return 0;
  }
  std::atexit(write);
  return 1;
}
