#include "command.hpp"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

#include "gil.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace gxr::python {
namespace {

namespace fs = std::filesystem;

using Entry = int (*)(int argc, char** argv);

/// The folder of libgxr.so.
fs::path engine_folder() {
  Dl_info info{};
  const auto address = reinterpret_cast<const void*>(&Application::trim_graph_memory);
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    throw Error(ErrorCode::NotFound, "the system does not tell where libgxr.so is");
  }
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return (error ? fs::path(info.dli_fname) : file).parent_path();
}

/// In a build folder, and in an installation.
fs::path command_library() {
  const fs::path folder = engine_folder();
  std::error_code ignored;
  for (const char* const place : {".", "gxr"}) {
    fs::path file = folder / place / "libgxr_cli.so";
    if (fs::exists(file, ignored)) {
      return file;
    }
  }
  throw Error(ErrorCode::NotFound,
              "libgxr_cli.so is not in '" + folder.string() + "': install gxr again");
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  const fs::path file = command_library();
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto entry =
      library != nullptr ? reinterpret_cast<Entry>(::dlsym(library, "gxr_main")) : nullptr;
  if (entry == nullptr) {
    throw Error(ErrorCode::NotFound, "'" + file.string() + "' cannot be loaded: " + ::dlerror());
  }
  std::vector<std::string> texts = arguments;
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  const WithoutGil without;
  return entry(static_cast<int>(texts.size()), pointers.data());
}

}  // namespace gxr::python
