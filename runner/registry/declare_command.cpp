// gxr-declare IN.so OUT.json: runs the declarations of an extension once and writes its type list,
// which gxr_add_extension then adds to the library as the section .gxr.types.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "launcher/entries.hpp"
#include "observe/call_site.hpp"
#include "observe/file_size_signal.hpp"
#include "registry/declaration.hpp"
#include "registry/extension_library.hpp"
#include "registry/extension_reader.hpp"
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
  gxr::OpenFile opened = gxr::open_to_write(file, gxr::WriteMode::Anew);
  gxr::StdioFile out = opened.stream("wb");
  const bool taken =
      out != nullptr && std::fwrite(json.data(), 1, json.size(), out.get()) == json.size();
  if (!taken || std::fclose(out.release()) != 0) {
    std::fprintf(
        stderr, "gxr-declare: cannot write '%s': %s\n", file,
        opened.error() != 0 ? opened.reason().c_str() : gxr::system_error_text(errno).c_str());
    return kUsage;
  }
  return 0;
}

int declare(const char* library, const char* output) {
  static_cast<void>(gxr::read_extension_descriptor(library));  // throws if it does not fit
  std::vector<gxr::RegisteredType> types = gxr::load_extension_library(library);
  std::vector<std::string> problems = gxr::declare_interfaces(types);
  const std::vector<gxr::TypeInfo> infos = infos_of(types);
  for (std::string& problem : gxr::check_declarations(infos)) {
    problems.push_back(std::move(problem));
  }
  if (const int code = report(problems, library); code != 0) {
    return code;
  }
  for (const std::string& warning : gxr::suspicious_declarations(infos)) {
    std::fprintf(stderr, "%s: warning: %s\n", library, warning.c_str());
  }
  return write(gxr::types_to_json(infos), output);
}

}  // namespace

int gxr_declare_main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gxr-declare EXTENSION.so OUTPUT.json\n");
    return kUsage;
  }
  gxr::install_crash_handlers();
  gxr::let_writes_fail_at_size_limit();
  try {
    return declare(argv[1], argv[2]);
  } catch (const gxr::Error& error) {
    std::fprintf(stderr, "gxr-declare: error: %s\n", error.what());
    return kInvalid;
  }
}
