#include "registry/extension_library.hpp"

#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <cxxabi.h>
#include <dlfcn.h>

#include "document/classic_locale.hpp"
#include "document/library_package.hpp"
#include "gxr/error.hpp"
#include "gxr/extension_descriptor.hpp"
#include "observe/call_site.hpp"
#include "observe/exception_text.hpp"

namespace gxr {
namespace {

using Factory = void (*)(Extension&);

/// Keeps what a factory registers. A deque: TypeDeclarations point into it.
class Recorder final : public Extension {
 public:
  std::vector<RegisteredType> take() {
    return {std::make_move_iterator(types_.begin()), std::make_move_iterator(types_.end())};
  }

 protected:
  TypeInfo* add_type(TypeInfo info, Create create) override {
    types_.push_back({std::move(info), create});
    return &types_.back().info;
  }

 private:
  std::deque<RegisteredType> types_;
};

/// Writes std::string as people do.
std::string shortened(std::string name) {
  constexpr std::string_view full =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at = name.find(full); at != std::string::npos; at = name.find(full, at)) {
    name.replace(at, full.size(), "std::string");
  }
  return name;
}

std::string demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? shortened(name.get()) : symbol;
}

/// The text of dlerror between `before` and `after`; empty when it does not read so.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(begin + before.size());
  return std::string(text.substr(0, text.find(after)));
}

[[noreturn]] void throw_undefined_symbol(const std::string& file, const std::string& symbol) {
  const std::string name = demangle(symbol);
  const bool own = symbol.rfind("_ZN3gxr", 0) == 0 || symbol.rfind("_ZNK3gxr", 0) == 0 ||
                   name.find(" for gxr::") != std::string::npos;
  const std::string cure =
      own ? ", which this gxr does not have: rebuild the extension with this gxr's SDK"
          : ", which no library that it was linked with defines: add the missing source or "
            "library to gxr_add_extension";
  throw Error(ErrorCode::Incompatible, file + " cannot be loaded: it uses '" + name + "'" + cure);
}

[[noreturn]] void throw_not_loadable(const std::filesystem::path& path, const std::string& reason) {
  const std::string file = "'" + path.string() + "'";
  const std::string symbol = between(reason, "undefined symbol: ", ",");
  if (!symbol.empty()) {
    throw_undefined_symbol(file, symbol);
  }
  const std::string library(missing_library(reason));
  if (!library.empty() && library != path.string()) {
    throw Error(ErrorCode::NotFound, file + " cannot be loaded: it needs the library '" + library +
                                         "', which is not installed or not on LD_LIBRARY_PATH" +
                                         package_hint(library));
  }
  throw Error(ErrorCode::Incompatible, file + " cannot be loaded: " + reason);
}

void* open_library(const std::filesystem::path& path) {
  // With a slash in it, the system takes the path as it is and does not search.
  const std::string absolute = std::filesystem::absolute(path).string();
  // Its static constructors run in here.
  const CallSite site{"loading", {}, {}, absolute};
  const CallScope scope(site);
  void* library = ::dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const ClassicLocale locale;  // the text is taken apart
    const char* reason = ::dlerror();
    throw_not_loadable(absolute, reason != nullptr ? reason : "unknown reason");
  }
  return library;
}

Factory find_factory(void* library, const std::filesystem::path& path) {
  void* symbol = ::dlsym(library, kFactorySymbol);
  if (symbol == nullptr) {
    throw Error(ErrorCode::NotFound,
                "'" + path.string() + "' has no function " + kFactorySymbol +
                    ": define 'extern \"C\" void gxr_extension(gxr::Extension& extension)' in it");
  }
  return reinterpret_cast<Factory>(symbol);
}

[[noreturn]] void throw_factory_failed(const std::filesystem::path& path, const std::string& what) {
  throw Error(ErrorCode::Failure, "the factory (" + std::string(kFactorySymbol) + ") of '" +
                                      path.string() + "' failed: " + what);
}

void run_factory(Factory factory, Extension& extension, const std::filesystem::path& path) {
  const std::string file = path.string();
  const CallSite site{"factory", {}, {}, file};
  const CallScope scope(site);
  try {
    factory(extension);
  } catch (const std::exception& error) {
    throw_factory_failed(path, exception_text(error));
  } catch (...) {
    throw_factory_failed(path, "it threw an exception of type '" + current_exception_type() +
                                   "' that is no std::exception");
  }
}

}  // namespace

std::vector<RegisteredType> registered_types(const std::function<void(Extension&)>& factory) {
  Recorder recorder;
  factory(recorder);
  return recorder.take();
}

std::vector<RegisteredType> load_extension_library(const std::filesystem::path& file) {
  const Factory factory = find_factory(open_library(file), file);
  return registered_types([&](Extension& extension) { run_factory(factory, extension, file); });
}

}  // namespace gxr
