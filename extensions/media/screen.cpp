#include "media/screen.hpp"

#include <array>
#include <cstdlib>

#include "gxr/error.hpp"
#include "media/load_gstreamer.hpp"
#include "media/source_text.hpp"

namespace gxr::media {
namespace {

constexpr std::array<const char*, 2> kForX11 = {"ximagesink", "glimagesink"};
constexpr std::array<const char*, 2> kForWayland = {"waylandsink", "glimagesink"};

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::string pipeline_from_screen(double frame_rate) {
  if (!is_set("DISPLAY")) {
    throw Error(ErrorCode::NotSupported,
                is_set("WAYLAND_DISPLAY")
                    ? "'uri': under Wayland, the desktop lets programs see the screen: ask its "
                      "portal, and write 'pipeline: pipewiresrc fd=… path=…'"
                    : "'uri': there is no screen: DISPLAY is not set in the environment");
  }
  require_element("ximagesrc");
  return "ximagesrc use-damage=false ! video/x-raw,framerate=" +
         fraction_of(frame_rate == 0.0 ? 30.0 : frame_rate);
}

/// autovideosink tries all elements, of which some crash without a screen, and takes one that shows
/// nothing in the end.
std::string pipeline_to_screen() {
  const bool is_wayland = is_set("WAYLAND_DISPLAY");
  if (!is_wayland && !is_set("DISPLAY")) {
    throw Error(ErrorCode::NotSupported,
                "'uri': there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set in the "
                "environment");
  }
  for (const char* const element : is_wayland ? kForWayland : kForX11) {
    if (gstreamer().has(element)) {
      return element;
    }
  }
  throw Error(ErrorCode::NotSupported,
              std::string("GStreamer has no element that shows pictures (") +
                  (is_wayland ? "waylandsink, glimagesink): install gstreamer1.0-plugins-bad"
                              : "ximagesink, glimagesink): install gstreamer1.0-x") +
                  " or gstreamer1.0-gl");
}

}  // namespace gxr::media
