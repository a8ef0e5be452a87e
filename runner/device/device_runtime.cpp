// Finds libgxr_cuda.so and the device halves of extensions.

#include <atomic>
#include <exception>
#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "device/device_engine.hpp"
#include "device/device_interface.hpp"
#include "document/classic_locale.hpp"
#include "document/own_library.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// The runtime, or why there is none.
struct Found {
  DeviceEngine* runtime = nullptr;
  std::string reason;
};

/// Path of the library that holds `address`.
fs::path library_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  std::error_code error;
  const fs::path real = fs::canonical(info.dli_fname, error);
  return error ? fs::path(info.dli_fname) : real;
}

void* open_library(const fs::path& path, const char* what, std::string& reason) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    reason = std::string(
                 "this gxr was built without the CUDA Toolkit, or its part for GPUs is not "
                 "installed (") +
             what + " has no " + path.filename().string() + ")";
    return nullptr;
  }
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const ClassicLocale locale;
    reason = ::dlerror();
  }
  return library;
}

/// Why libgxr_cuda.so does not fit; empty when it does.
std::string mismatch(void* library) {
  auto* const version =
      reinterpret_cast<DeviceInterfaceVersion>(::dlsym(library, kDeviceInterfaceVersion));
  const std::string theirs = version != nullptr ? version() : "unknown";
  if (theirs == kDeviceInterface && ::dlsym(library, kMakeDeviceEngine) != nullptr) {
    return "";
  }
  return std::string("libgxr_cuda.so belongs to another gxr (interface ") + theirs +
         ", that of libgxr.so is " + kDeviceInterface + "): install both from one build";
}

Found find_library() {
  Found found;
  void* library = open_library(library_of_own("libgxr_cuda.so"), "libgxr.so", found.reason);
  if (library == nullptr) {
    if (found.reason.find("undefined symbol") != std::string::npos) {
      found.reason +=
          "; it belongs to another gxr: install libgxr.so and libgxr_cuda.so from one build";
    }
    return found;
  }
  found.reason = mismatch(library);
  if (!found.reason.empty()) {
    return found;
  }
  auto* const make = reinterpret_cast<MakeDeviceEngine>(::dlsym(library, kMakeDeviceEngine));
  try {
    found.runtime = &make();
  } catch (const std::exception& error) {
    found.reason = error.what();
  }
  return found;
}

std::atomic<DeviceEngine*> loaded_engine{nullptr};

const Found& found() {
  static const Found once = [] {
    Found first = find_library();
    loaded_engine.store(first.runtime, std::memory_order_release);
    return first;
  }();
  return once;
}

}  // namespace

DeviceEngine& DeviceEngine::get() {
  if (found().runtime == nullptr) {
    throw Error(ErrorCode::NotSupported, DeviceRuntime::why_none());
  }
  return *found().runtime;
}

DeviceRuntime& DeviceRuntime::get() { return DeviceEngine::get(); }

std::string DeviceRuntime::why_none() {
  return found().runtime != nullptr ? "" : "no GPU can be used: " + found().reason;
}

DeviceRuntime* DeviceRuntime::find() noexcept { return DeviceEngine::find(); }

DeviceEngine* DeviceEngine::find() noexcept {
  try {
    return found().runtime;
  } catch (...) {
    return nullptr;
  }
}

DeviceEngine* DeviceEngine::loaded() noexcept {
  return loaded_engine.load(std::memory_order_acquire);
}

void* load_device_half(const void* address, const char* name) {
  static_cast<void>(DeviceRuntime::get());
  fs::path path = library_of(address);
  const std::string extension = path.filename().string();
  path.replace_filename(path.stem().string() + "_cuda.so");
  std::string reason;
  void* library = open_library(path, extension.c_str(), reason);
  if (library == nullptr) {
    throw Error(ErrorCode::NotSupported, "no GPU can be used: " + reason);
  }
  void* function = ::dlsym(library, name);
  if (function == nullptr) {
    throw Error(ErrorCode::NotSupported,
                path.filename().string() + " belongs to another version of " + extension);
  }
  return function;
}

}  // namespace gxr
