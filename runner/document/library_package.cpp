#include "document/library_package.hpp"

namespace gxr {
namespace {

struct Package {
  std::string_view library;  ///< ends with a dot where the package has the number that follows
  std::string_view package;
};
constexpr Package kPackages[] = {
    {"libyaml-cpp.so.", "libyaml-cpp"},
    {"libtiff.so.", "libtiff"},
    {"libpng16.so.16", "libpng16-16"},
    {"libjpeg.so.62", "libjpeg62-turbo"},
    {"libjpeg.so.8", "libjpeg8"},
    {"libgstreamer-1.0.so.0", "libgstreamer1.0-0"},
    {"libgstapp-1.0.so.0", "libgstreamer-plugins-base1.0-0"},
    {"libgstvideo-1.0.so.0", "libgstreamer-plugins-base1.0-0"},
    {"libgstrtspserver-1.0.so.0", "libgstrtspserver-1.0-0"},
    {"libmpi.so.40", "libopenmpi3"},
};

std::string package_of(std::string_view library) {
  for (const Package& each : kPackages) {
    if (library == each.library) {
      return std::string(each.package);
    }
    if (each.library.ends_with('.') && library.starts_with(each.library)) {
      return std::string(each.package) + std::string(library.substr(each.library.size()));
    }
  }
  return {};
}

}  // namespace

std::string_view missing_library(std::string_view reason) noexcept {
  constexpr std::string_view kMissing = ": cannot open shared object file: No such file";
  const std::size_t end = reason.find(kMissing);
  return end == std::string_view::npos ? std::string_view() : reason.substr(0, end);
}

std::string package_hint(std::string_view library) {
  const std::string package = package_of(library);
  return package.empty() ? std::string() : "; on Debian and Ubuntu: apt-get install " + package;
}

}  // namespace gxr
