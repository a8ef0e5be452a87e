#include "dds/load_cyclone.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include <dlfcn.h>

#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

namespace fs = std::filesystem;

const char in_this_library = 0;

fs::path half_of_this_library() {
  Dl_info info{};
  if (::dladdr(&in_this_library, &info) == 0 || info.dli_fname == nullptr) {
    return "dds_cyclone.so";
  }
  std::error_code error;
  const fs::path real = fs::canonical(info.dli_fname, error);
  return (error ? fs::path(info.dli_fname) : real).parent_path() / "dds_cyclone.so";
}

[[noreturn]] void throw_no_library(const std::string& reason) {
  throw Error(ErrorCode::NotSupported, "Cyclone DDS cannot be used: " + reason);
}

Library& load() {
  const fs::path path = half_of_this_library();
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw_no_library(
        "dds.so has no dds_cyclone.so beside it; install the package gxr-dds, or install "
        "cyclonedds-dev and build gxr again");
  }
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const std::string reason = ::dlerror();
    throw_no_library(reason + "; install libddsc0debian");
  }
  void* const function = ::dlsym(library, kGetLibrary);
  if (function == nullptr) {
    throw_no_library("dds_cyclone.so belongs to another version of dds.so");
  }
  return *reinterpret_cast<GetLibrary>(function)();
}

}  // namespace

Library& library() {
  static Library& once = load();
  return once;
}

}  // namespace gxr::dds
