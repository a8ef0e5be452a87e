// The executables gxr and gxr-declare. Each opens the library that holds its main function with
// RTLD_LOCAL. If it were linked instead, the symbols of gxr and of all that it is linked with would
// be the program's own, and an extension that brings another version of a library would be bound to
// them in the place of its own. GXR_LIBRARY and GXR_ENTRY come from the build.

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <sys/auxv.h>

namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;

using Entry = int (*)(int argc, char** argv);

/// This executable, also where /proc is not mounted; empty when the system does not tell.
fs::path find_program() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    const auto* const given = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    program = given != nullptr ? fs::canonical(given, error) : fs::path();
  }
  return program;
}

/// Where the library is in a build folder and in an installation; else the system looks for it. A
/// run path would do, were it not for sanitizers, whose own dlopen() does not see it.
std::string find_library() {
  const fs::path program = find_program();
  if (program.empty()) {
    return GXR_LIBRARY;
  }
  std::error_code ignored;
  for (const char* folder : {".", "../lib/gxr", "../lib"}) {
    const fs::path file = program.parent_path() / folder / GXR_LIBRARY;
    if (fs::exists(file, ignored)) {
      return file.string();
    }
  }
  return GXR_LIBRARY;
}

int fail(const char* reason) {
  std::fprintf(stderr,
               "error: " GXR_LIBRARY
               " cannot be loaded: %s\n"
               "  help: it belongs beside this executable or into ../lib/gxr: install gxr again\n",
               reason);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  void* const library = ::dlopen(find_library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return fail(::dlerror());
  }
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, GXR_ENTRY));
  if (entry == nullptr) {
    return fail("it belongs to another gxr");
  }
  return entry(argc, argv);
}
