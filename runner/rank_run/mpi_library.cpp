#include "rank_run/mpi_library.hpp"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

#include "document/own_library.hpp"
#include "gxr/error.hpp"
#include "rank_run/interface_version.hpp"
#include "rank_run/mpi_port.hpp"

namespace gxr {
namespace {

constexpr const char* kMpiLibrary = "libgxr_mpi.so";

/// nullptr: the library does not have it.
template <class Function>
Function* find_function(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

/// The library is never closed: MPI has threads and handlers of its own.
void* open_mpi_library() {
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
  auto* const version = find_function<decltype(gxr_mpi_interface)>(library, "gxr_mpi_interface");
  const std::string theirs = version != nullptr ? version() : "unknown";
  if (theirs != kMpiInterface) {
    throw Error(ErrorCode::NotFound,
                std::string(kMpiLibrary) + " belongs to another gxr (interface " + theirs +
                    ", that of libgxr.so is " + kMpiInterface + "): install both from one build");
  }
  return library;
}

}  // namespace

std::unique_ptr<MpiPort> start_mpi() {
  return std::unique_ptr<MpiPort>(
      find_function<decltype(gxr_start_mpi)>(open_mpi_library(), "gxr_start_mpi")());
}

std::string describe_mpi() {
  std::string text;
  find_function<decltype(gxr_describe_mpi)>(open_mpi_library(), "gxr_describe_mpi")(text);
  return text;
}

}  // namespace gxr
