// gxr-declare IN.so OUT.json: runs the declarations of an extension once and writes its type list,
// which gxr_add_extension then adds to the library as the section .gxr.types.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "observe/call_site.hpp"
#include "registry/declaration.hpp"
#include "registry/extension_library.hpp"
#include "registry/type_json.hpp"

namespace {

constexpr int kInvalid = 1;
constexpr int kUsage = 2;

std::vector<gxr::TypeInfo> infos_of(std::vector<gxr::RegisteredType>& types) {
  std::vector<gxr::TypeInfo> infos;
  for (gxr::RegisteredType& type : types) {
    infos.push_back(std::move(type.info));
  }
  return infos;
}

int report(const std::vector<std::string>& problems, const char* library) {
  for (const std::string& problem : problems) {
    std::fprintf(stderr, "%s: error: %s\n", library, problem.c_str());
  }
  return problems.empty() ? 0 : kInvalid;
}

int write(const std::string& json, const char* file) {
  std::ofstream out(file, std::ios::binary);
  out << json;
  out.close();
  if (!out) {
    std::fprintf(stderr, "gxr-declare: cannot write '%s'\n", file);
    return kUsage;
  }
  return 0;
}

int declare(const char* library, const char* output) {
  std::vector<gxr::RegisteredType> types = gxr::load_extension_library(library);
  std::vector<std::string> problems = gxr::declare_interfaces(types);
  const std::vector<gxr::TypeInfo> infos = infos_of(types);
  for (std::string& problem : gxr::check_declarations(infos)) {
    problems.push_back(std::move(problem));
  }
  if (const int code = report(problems, library); code != 0) {
    return code;
  }
  return write(gxr::types_to_json(infos), output);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gxr-declare EXTENSION.so OUTPUT.json\n");
    return kUsage;
  }
  gxr::install_crash_handlers();
  try {
    return declare(argv[1], argv[2]);
  } catch (const gxr::Error& error) {
    std::fprintf(stderr, "gxr-declare: error: %s\n", error.what());
    return kInvalid;
  }
}
