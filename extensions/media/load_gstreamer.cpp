#include "media/load_gstreamer.hpp"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "gxr/error.hpp"

namespace gxr::media {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlugins = "gstreamer1.0-plugins-base and gstreamer1.0-plugins-good";
const char in_this_library = 0;

/// The packages of elements that gxr uses and that are not in plugins-base.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kPackages = {{
    {"x264enc", "gstreamer1.0-plugins-ugly"},
    {"openh264enc", "gstreamer1.0-plugins-bad"},
    {"vp8enc", "gstreamer1.0-plugins-good"},
    {"vp9enc", "gstreamer1.0-plugins-good"},
    {"jpegenc", "gstreamer1.0-plugins-good"},
    {"mp4mux", "gstreamer1.0-plugins-good"},
    {"matroskamux", "gstreamer1.0-plugins-good"},
    {"webmmux", "gstreamer1.0-plugins-good"},
    {"avimux", "gstreamer1.0-plugins-good"},
    {"v4l2src", "gstreamer1.0-plugins-good"},
    {"wavenc", "gstreamer1.0-plugins-good"},
    {"flacenc", "gstreamer1.0-plugins-good"},
    {"ximagesrc", "gstreamer1.0-plugins-good"},
    {"filesink", "libgstreamer1.0-0"},
    {"appsink", "gstreamer1.0-plugins-base"},
}};

fs::path half_of_this_library() {
  Dl_info info{};
  if (::dladdr(&in_this_library, &info) == 0 || info.dli_fname == nullptr) {
    return "media_gstreamer.so";
  }
  std::error_code error;
  const fs::path real = fs::canonical(info.dli_fname, error);
  return (error ? fs::path(info.dli_fname) : real).parent_path() / "media_gstreamer.so";
}

[[noreturn]] void throw_no_gstreamer(const std::string& reason) {
  throw Error(ErrorCode::NotSupported, "GStreamer cannot be used: " + reason);
}

Gstreamer& load() {
  const fs::path path = half_of_this_library();
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw_no_gstreamer(
        "media.so has no media_gstreamer.so beside it; install the package gxr-media, or install "
        "libgstreamer1.0-dev, libgstreamer-plugins-base1.0-dev, " +
        std::string(kPlugins) + ", and build gxr again");
  }
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const std::string reason = ::dlerror();
    throw_no_gstreamer(reason + "; install libgstreamer1.0-0, libgstreamer-plugins-base1.0-0, " +
                       kPlugins);
  }
  void* const function = ::dlsym(library, kGetGstreamer);
  if (function == nullptr) {
    throw_no_gstreamer("media_gstreamer.so belongs to another version of media.so");
  }
  return *reinterpret_cast<GetGstreamer>(function)();
}

}  // namespace

Gstreamer& gstreamer() {
  static Gstreamer& once = load();
  return once;
}

void require_element(const std::string& element) {
  if (gstreamer().has(element)) {
    return;
  }
  std::string_view package = "gstreamer1.0-plugins-base";
  for (const auto& [name, of] : kPackages) {
    package = name == element ? of : package;
  }
  throw Error(ErrorCode::NotSupported,
              "GStreamer has no element '" + element + "': install " + std::string(package));
}

std::string quoted_for_pipeline(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
    }
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace gxr::media
