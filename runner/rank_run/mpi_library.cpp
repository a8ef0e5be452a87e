#include "rank_run/mpi_library.hpp"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

#include "document/own_library.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr const char* kMpiLibrary = "libgxr_mpi.so";

/// The library is never closed: MPI has threads and handlers of its own.
template <class Function>
Function* function_of_mpi(const char* name) {
  const std::filesystem::path file = library_of_own(kMpiLibrary);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw Error(ErrorCode::NotFound,
                "this gxr has no MPI ('" + std::string(kMpiLibrary) +
                    "'): install the package gxr-mpi, or build gxr after 'cmake/setup.sh mpi'");
  }
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    throw Error(ErrorCode::NotFound,
                std::string(kMpiLibrary) + " cannot be loaded: " + ::dlerror());
  }
  void* const function = ::dlsym(library, name);
  if (function == nullptr) {
    throw Error(ErrorCode::NotFound, "'" + file.string() + "' belongs to another gxr");
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace

std::unique_ptr<MpiPort> start_mpi() {
  return std::unique_ptr<MpiPort>(function_of_mpi<decltype(gxr_start_mpi)>("gxr_start_mpi")());
}

std::string describe_mpi() {
  std::string text;
  function_of_mpi<decltype(gxr_describe_mpi)>("gxr_describe_mpi")(text);
  return text;
}

}  // namespace gxr
