#pragma once

#include <string>
#include <string_view>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// Loads media_gstreamer.so from beside media.so, once. Throws Error(NotSupported), which says what
/// to install, when that or GStreamer's libraries are missing.
Gstreamer& gstreamer();

/// Throws Error(NotSupported), which names the package, if GStreamer has no such element.
void require_element(const std::string& element);

/// The text as a value in a pipeline's description: "a \"b\"".
std::string quoted_for_pipeline(std::string_view text);

}  // namespace gxr::media
