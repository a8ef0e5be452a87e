#pragma once

#include <string>

namespace gxr::media {

/// The beginning of a pipeline that delivers the pictures of the screen, so many a second (0: 30).
/// Throws Error(NotSupported) without a screen, or without the element that reads it.
std::string pipeline_from_screen(double frame_rate);

/// The end of a pipeline that shows pictures on the screen. Throws likewise.
std::string pipeline_to_screen();

}  // namespace gxr::media
