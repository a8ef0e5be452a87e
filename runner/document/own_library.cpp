#include "document/own_library.hpp"

#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace gxr {

namespace {

std::filesystem::path find_own_folder() {
  static const char here = 0;
  Dl_info info{};
  if (::dladdr(&here, &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  std::error_code ignored;
  return std::filesystem::weakly_canonical(info.dli_fname, ignored).parent_path();
}

}  // namespace

const std::filesystem::path& folder_of_own_library() {
  static const std::filesystem::path folder = find_own_folder();
  return folder;
}

std::filesystem::path library_of_own(const char* name) {
  const std::filesystem::path& folder = folder_of_own_library();
  std::filesystem::path installed = folder / "gxr" / name;
  std::error_code ignored;
  return std::filesystem::exists(installed, ignored) ? std::move(installed) : folder / name;
}

}  // namespace gxr
