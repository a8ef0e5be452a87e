// Loads libgxr_yaml.so, once.

#include "document/yaml_library.hpp"

#include <string>

#include <dlfcn.h>

#include "document/library_package.hpp"
#include "document/own_library.hpp"
#include "document/yaml_parse.hpp"
#include "document/yaml_text.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr const char* kLibrary = "libgxr_yaml.so";

[[noreturn]] void throw_not_loadable(const std::string& file, const std::string& reason) {
  const std::string library(missing_library(reason));
  if (!library.empty() && library != file) {
    throw Error(ErrorCode::NotFound,
                std::string(kLibrary) + ", the part of gxr that reads YAML, needs the library '" +
                    library + "', which is not installed" + package_hint(library));
  }
  throw Error(ErrorCode::NotFound, std::string(kLibrary) + ", the part of gxr that reads YAML, " +
                                       "cannot be loaded: " + reason + ": install gxr again");
}

template <class Function>
Function* load(const char* name) {
  const std::string file = library_of_own(kLibrary).string();
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    throw_not_loadable(file, ::dlerror());
  }
  void* const function = ::dlsym(library, name);
  if (function == nullptr) {
    throw_not_loadable(file, "'" + file + "' belongs to another gxr");
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace

void require_yaml_library() { static_cast<void>(load<decltype(gxr_read_yaml)>("gxr_read_yaml")); }

void parse_yaml(const YamlStretch& stretch, Arena& arena, YamlTrees& result) {
  static auto* const read = load<decltype(gxr_read_yaml)>("gxr_read_yaml");
  read(stretch, arena, result);
}

std::string yaml_as_written(const Value& collection) {
  static auto* const write = load<decltype(gxr_write_yaml)>("gxr_write_yaml");
  std::string result;
  write(collection, result);
  return result;
}

}  // namespace gxr
